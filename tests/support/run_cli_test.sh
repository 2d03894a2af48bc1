#!/usr/bin/env bash
# Run one command-line test in a scratch folder of its own.
set -eu
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ksda-test.XXXXXX")
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch"
exec 3>&1
bash -eu "$1"

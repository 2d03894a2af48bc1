# The command is a program like any other: it includes the public headers only, but for the internal ones that
# docs/abi.md argues. There each stands in the list under "What the command uses besides".
. "$SOURCE/tests/support/cli.sh"
grep -hoE '^#include "[a-z_]+/[a-z_/]+\.h"' "$SOURCE"/cli/*.[ch] "$SOURCE"/cli/studio/*.[ch] | grep -v '"studio/' | grep -oE '[a-z_]+/[a-z_/]+\.h' | LC_ALL=C sort -u >used
sed -n '/^## What the command uses besides/,/^## /p' "$SOURCE/docs/abi.md" | grep -oE '`[a-z_]+/[a-z_/]+\.h`' | tr -d '`' | LC_ALL=C sort -u >argued
test -s argued || fail "docs/abi.md has no list of internal headers"
diff argued used || fail "argued in docs/abi.md (<) and included by the command (>) differ"

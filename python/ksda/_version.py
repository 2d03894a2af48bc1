"""The release this package belongs to; written by make update-docs from VERSION."""

VERSION = "0.1.0"

#!/usr/bin/env python3
"""Print src/core/abi.def: every field of every struct that the public headers define, for the table of ksda_abi().

    scripts/abi.py include/ksda >src/core/abi.def        (make update-abi; a test compares)

Only names and the kind of each field are taken from the text; sizes and offsets are the compiler's.
"""
import sys

from headers import read_headers

print("/* Made by scripts/abi.py from the public headers: make update-abi. */")
for name, fields in sorted(read_headers(sys.argv[1]).structs.items()):
    if isinstance(fields, str):
        continue  # a pointer to a function
    print(f"BEGIN({name})")
    for field, _, what in fields:
        print(f"{what}({name}, {field})")
    print(f"END({name})")

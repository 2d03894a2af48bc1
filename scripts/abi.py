#!/usr/bin/env python3
"""Print src/core/abi.def: every field of every struct that the public headers define, for the table of ksda_abi().

    scripts/abi.py include/ksda >src/core/abi.def        (make update-abi; a test compares)

Only names and the kind of each field are taken from the text; sizes and offsets are the compiler's.
"""
import glob
import re
import sys

SCALARS = {"size_t", "int", "unsigned", "double", "char", "uint8_t", "uint16_t", "uint32_t", "uint64_t"}


def kind(declaration, name, enums, structs):
    base = re.sub(r"\bconst\b", "", re.sub(rf"\b{name}\b[^a-z]*$", "", declaration)).strip()
    if "[" in declaration:
        return "ARRAY"
    if "*" in declaration or base.endswith("_fn"):
        return "POINTER"
    if base in enums:
        return "ENUM"
    if base in structs:
        return "STRUCT"
    if base not in SCALARS:
        sys.exit(f"abi.py: what is '{declaration}'?")
    return "SCALAR"


def fields(body, enums, structs):
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        declaration = " ".join(declaration.split())
        pointer = re.match(r".*\(\*(\w+)\)\(.*\)$", declaration)
        if pointer:
            yield "POINTER", pointer[1]
            continue
        first, *others = declaration.split(",")
        base = re.match(r"((?:const )?\w+)", first)[1]
        for one in [first] + [f"{base} {other.strip()}" for other in others]:
            name = re.search(r"(\w+)(?:\[[^\]]*\])?$", one)[1]
            yield kind(one, name, enums, structs), name


def main():
    text = ""
    for path in sorted(glob.glob(sys.argv[1] + "/*.h")):
        with open(path, encoding="utf-8") as file:
            text += re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    structs = re.findall(r"typedef struct (\w+) \{(.*?)\n\} \1;", text, flags=re.S)
    enums = set(re.findall(r"\} (\w+);", text)) - {name for name, _ in structs}
    names = {name for name, _ in structs}
    print("/* Made by scripts/abi.py from the public headers: make update-abi. */")
    for name, body in sorted(structs):
        print(f"BEGIN({name})")
        for what, field in fields(body, enums, names):
            print(f"{what}({name}, {field})")
        print(f"END({name})")


main()

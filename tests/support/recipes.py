#!/usr/bin/env python3
"""Carry out the recipes of CONTRIBUTING.md in a copy of the tree.

A fenced block below a line that names a file (`PATH`) is that file; below a line "`PATH` after `WORDS`" it goes behind
the only line of the file that holds these words. Prints what was done.

Usage: recipes.py CONTRIBUTING.md FOLDER
"""
import os
import re
import sys

page, folder = open(sys.argv[1], encoding="utf-8").read().split("\n"), sys.argv[2]
at = 0
while at + 1 < len(page):
    where = re.fullmatch(r"`([^`]+)`(?: after `([^`]+)`)?", page[at])
    if not where or page[at + 1] != "```c":
        at += 1
        continue
    path, words = os.path.join(folder, where[1]), where[2]
    end = page.index("```", at + 2)
    block = page[at + 2 : end]
    at = end + 1
    if words is None:
        if os.path.exists(path):
            sys.exit(f"{where[1]} is there already")
        lines = block
        print("new", where[1])
    else:
        lines = open(path, encoding="utf-8").read().rstrip("\n").split("\n")
        found = [i for i, line in enumerate(lines) if words in line]
        if len(found) != 1:
            sys.exit(f"{where[1]}: {len(found)} lines hold: {words}")
        lines[found[0] + 1 : found[0] + 1] = block
        print(where[1])
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")

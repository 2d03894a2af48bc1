#!/usr/bin/env python3
"""layers.py BUILD: no folder of src/ may use what stands above it, by the symbols of the object files.

Folders are ordered from the bottom up in ORDER. Every undefined symbol of an object file that another object file of
the library defines is a link from the first folder to the second; one that points upwards, or a folder that is not in
the list, fails; so does a cycle of files, and a call of the C library outside of the files that HOME names for it."""
import collections
import os
import subprocess
import sys

ORDER = [
    "core",
    "graph",
    "io",
    "community",
    "privacy",
    "measure",
    "attack",
    "lp",
    "bound",
    "methods",
    "methods/paper",
    "methods/kdegree",
    "methods/levelplan",
    "exact",
    "anonymize",
    "report",
]

# These take memory, or a copy of all of it: they exclude each other there.
HOME = {
    "fork": {"core/ctx.c"},
    "pthread_create": {"core/parallel.c", "community/metis.c"},
    "qsort": {"core/sort.c"},
    "qsort_r": {"measure/connected.c"},
}


def object_files(build):
    top = os.path.join(build, "CMakeFiles", "ksda_objects.dir", "src")
    for folder, _, names in os.walk(top):
        for name in names:
            if name.endswith(".o"):
                yield os.path.relpath(folder, top), os.path.join(folder, name)


def symbols(paths):
    """By path: the names that it defines for others, and those that it wants."""
    found = {path: (set(), set()) for path in paths}
    for line in subprocess.run(["nm", "-A", *paths], check=True, capture_output=True, text=True).stdout.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        if kind.isupper():
            found[path][kind == "U"].add(name)
    return found


def cycle(uses):
    """Files that use each other in a ring, or nothing."""
    done = set()

    def walk(path):
        for target in sorted(uses.get(path[-1], ())):
            if target in path:
                return path[path.index(target) :] + [target]
            ring = target not in done and walk(path + [target])
            if ring:
                return ring
        done.add(path[-1])
        return None

    for source in sorted(uses):
        ring = source not in done and walk([source])
        if ring:
            return ring
    return None


def main():
    home, wanted, unknown = {}, [], set()
    files = list(object_files(sys.argv[1]))
    found = symbols([path for _, path in files])
    for folder, path in files:
        if folder not in ORDER:
            unknown.add(folder)
            continue
        defined, undefined = found[path]
        for name in defined:
            home[name] = (folder, os.path.basename(path)[:-2])
        wanted.append((folder, os.path.basename(path)[:-2], undefined))
    if len(wanted) < 50:
        sys.exit("layers.py: only %d object files under %s: is it built?" % (len(wanted), sys.argv[1]))
    links, upward, uses = 0, [], collections.defaultdict(set)
    for folder, source, undefined in wanted:
        for name in undefined & home.keys():
            uses[folder, source].add(home[name])
            links += home[name][0] != folder
            if ORDER.index(home[name][0]) > ORDER.index(folder):
                upward.append("src/%s/%s uses %s of src/%s/%s" % ((folder, source, name) + home[name]))
    stray = [
        "src/%s/%s calls %s(), which only %s may" % (folder, source, name, ", ".join(sorted(HOME[name])))
        for folder, source, undefined in wanted
        for name in sorted({name.split("@")[0] for name in undefined} & HOME.keys())
        if folder + "/" + source not in HOME[name]
    ]
    for folder in sorted(unknown):
        print("src/%s is not in the order of folders in tests/support/layers.py" % folder)
    for line in sorted(upward):
        print(line)
    for line in sorted(stray):
        print(line)
    if stray:
        sys.exit("calls outside of their files: %d" % len(stray))
    if unknown or upward:
        sys.exit("links point upwards: %d; folders out of order: %d" % (len(upward), len(unknown)))
    ring = cycle(uses)
    if ring:
        sys.exit("files use each other in a ring: " + " -> ".join("src/%s/%s" % file for file in ring))
    print("%d object files, %d links between folders, all of them downwards, no cycle of files" % (len(wanted), links))


main()

"""Reports against their JSON Schema: schema.py FOLDER NAME FILE [FIELDS]

FILE must be valid by FOLDER/NAME.schema.json, stay valid with a field that nobody knows yet, and become invalid without any
one of the fields that are required. FIELDS is a file with the names that the man page documents, one a line, dots for nested
ones: each must be a property of the schema.
"""
import copy
import json
import sys
from pathlib import Path

import jsonschema


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def inlined(node, here, cache):
    """The schema with every $ref replaced by what it refers to; there are no cycles."""
    if isinstance(node, list):
        return [inlined(item, here, cache) for item in node]
    if not isinstance(node, dict):
        return node
    rest = {key: inlined(value, here, cache) for key, value in node.items() if key != "$ref"}
    if "$ref" not in node:
        return rest
    name, _, pointer = node["$ref"].partition("#")
    path = here.parent / name if name else here
    target = cache.setdefault(path, load(path))
    for step in pointer.split("/")[1:]:
        target = target[step]
    target = inlined(target, path, cache)
    return {**rest, "allOf": rest.get("allOf", []) + [target]} if rest else target


def parts(schema):
    """The schema and all that holds together with it for the same value."""
    yield schema
    for key in ("allOf", "anyOf"):
        for other in schema.get(key, []):
            yield from parts(other)
    for key in ("then", "else"):
        if key in schema:
            yield from parts(schema[key])
    if "items" in schema:
        yield from parts(schema["items"])


def knows(schema, path):
    found = [part["properties"][path[0]] for part in parts(schema) if path[0] in part.get("properties", {})]
    return any(len(path) == 1 or knows(sub, path[1:]) for sub in found)


def required(schema, value):
    """Names that must be in this object, as `if` and `anyOf` fall out for it."""
    valid = lambda s: jsonschema.Draft202012Validator(s).is_valid(value)
    names = set(schema.get("required", []))
    chosen = list(schema.get("allOf", []))
    if "if" in schema:
        chosen.append(schema.get("then" if valid(schema["if"]) else "else", {}))
    for sub in chosen:
        names |= required(sub, value)
    return names


def main(folder, name, file, fields=None):
    path = Path(folder) / f"{name}.schema.json"
    schema = inlined(load(path), path, {})
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    report = load(Path(file))
    for error in validator.iter_errors(report):
        where = "/".join(map(str, error.absolute_path))
        sys.exit(f"{name}: {where or 'the object'}: {error.message[:300]}")
    if not validator.is_valid({**report, "a field of the future": {"x": 1}}):
        sys.exit(f"{name}: a new field would be refused")
    for key in required(schema, report):
        less = copy.deepcopy(report)
        del less[key]
        if validator.is_valid(less):
            sys.exit(f"{name}: is valid without {key}")
    for field in Path(fields).read_text().split() if fields else []:
        if not knows(schema, field.split(".")):
            sys.exit(f"{name}: {field} is documented, but docs/schema/{name}.schema.json does not know it")


main(*sys.argv[1:])

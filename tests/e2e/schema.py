"""A small validator for the part of JSON Schema that docs/result.schema.json uses. Standard library only.

    python3 schema.py SCHEMA < RESULT      exit status 1 and the reasons when RESULT does not fit
"""

import json
import re
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}

KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "type", "enum", "const", "properties", "required",
         "additionalProperties", "items", "minItems", "minimum", "pattern", "anyOf"}


def has_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def errors(value, schema, root, path="$"):
    """Every reason why value does not fit schema."""
    if schema is True:
        return
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"schema keyword not supported: {sorted(unknown)}")
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from errors(value, target, root, path)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(has_type(value, name) for name in names):
            yield f"{path}: {value!r} is not of type {'/'.join(names)}"
            return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is not one of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if "minimum" in schema and has_type(value, "number") and value < schema["minimum"]:
        yield f"{path}: {value} is below {schema['minimum']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{path}: {value!r} does not match {schema['pattern']}"
    if "anyOf" in schema:
        attempts = [list(errors(value, option, root, path)) for option in schema["anyOf"]]
        if all(attempts):
            yield f"{path}: fits none of the alternatives: " + "; ".join(a[0] for a in attempts)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}: {name!r} is missing"
        for name, member in value.items():
            rule = known.get(name, schema.get("additionalProperties", True))
            if rule is False:
                yield f"{path}: {name!r} is not described"
            else:
                yield from errors(member, rule, root, f"{path}.{name}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{path}: fewer than {schema['minItems']} items"
        for i, item in enumerate(value):
            yield from errors(item, schema.get("items", True), root, f"{path}[{i}]")


def validate(value, schema):
    return list(errors(value, schema, schema))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    found = validate(json.load(sys.stdin), schema)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Who includes whom in src/, held against the one table of folders below; and which tests look inside a folder.

    check-layers.py              prints `file:line: what is wrong` and fails if there is anything
    check-layers.py --self-test  plants mistakes of every kind in a copy in memory, and fails if one goes unnoticed
"""

import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ARCHITECTURE = "docs/architecture.md"

FRONTEND = "base term program transform frontend"  # what every front end may use
CORE = "base term solver program analysis machine partial explore"  # what every explorer may use
FOR_EXPLORERS = (CORE + " matching reduction").split()

# Folders in order, as in docs/architecture.md, and which of those above them they may include.
LAYERS = [
    ("base", ""),
    ("term", "base"),
    ("solver", "base term"),
    ("program", "base"),
    ("analysis", "base program"),
    ("transform", "base program analysis"),
    ("frontend", "base program"),
    ("frontend/ivl", FRONTEND),
    ("frontend/dlang", FRONTEND),
    ("frontend/llvm", FRONTEND),
    ("frontend/llvm/library", ""),  # linked with the programs that are verified
    ("machine", "base term solver program analysis"),
    ("partial", "base term program analysis machine"),
    ("elaboration", "base term solver program analysis machine partial"),
    ("explore", "base term solver program analysis machine"),
    ("simulator", CORE),
    ("shrink", CORE),
    ("matching", CORE),
    ("reduction", CORE),
    ("cegar", CORE + " matching reduction"),
    ("search", CORE + " matching reduction cegar"),
    ("dpor", CORE + " matching reduction"),
    ("lazypor", CORE + " matching reduction dpor"),
    ("esst", CORE + " matching reduction cegar"),
    ("certify", CORE + " matching"),  # no explorer: it must not repeat their mistakes
    ("sampling", CORE),
    ("strategy", CORE + " cegar search dpor lazypor esst sampling"),
    ("report/trace", CORE + " shrink"),
    ("report", CORE + " report/trace"),
    ("report/formats", CORE + " report/trace report"),
    ("report/explain", CORE + " report/trace report"),
    ("native", "base program machine explore frontend/llvm report/trace"),
    ("native/runtime", ""),  # linked with the programs that are replayed
    ("api", CORE + " transform frontend frontend/ivl frontend/dlang frontend/llvm elaboration simulator shrink search certify strategy"
            " report/trace report report/formats report/explain native include"),
    ("cli", "base include"),  # a user of the library like any other
]

# Headers that not everybody who may include their folder may include. Those of the folder itself always may. So may unit
# tests of these folders, tests/unit/FOLDER, and of what is for those who tell of states, all tests.
LIMITED = {
    "machine/state.h": "partial matching",  # the layout of states
    "machine/summary.h": "partial",
    "machine/relations.h": "partial matching",
    "machine/look.h": "elaboration simulator certify report/trace report/formats report/explain native",  # not explorers
}

FOR_TESTS = ["machine/look.h"]

# Headers that are for one folder alone may be included by its unit tests, tests/unit/FOLDER; and by these.
INSIDERS = {
    "tests/oracle/threads/sabotage.c": "machine",  # mutants stand in for functions of it
    "tests/unit/base/caught_by_assertions.c": "machine",  # whose rules it breaks
}

# What nobody else may come to by other headers either, as little as to what is a folder's own.
SECRET = ["src/machine/state.h"]

# What is to be copied into src one day may include what it may there: an explorer.
TEMPLATES = ["examples/own_engine"]

EXPLORERS = "src/strategy/explorers.def"
FRONTENDS = "src/frontend/frontends.def"

OWN = re.compile(r"/\*(?:(?!\*/).)*\bNot\s+(?:\*\s+)?for\s+(?:\*\s+)?others\b", re.DOTALL)  # in a header's first comment
INCLUDE = re.compile(r'\s*#\s*include\s+["<]([^">]+)[">]')
ROW = re.compile(r"\| `src/([^`]+)`")


def read_files():
    """What is looked at: path -> text."""
    files = {}
    for top in ("src", "include", "tests", "bench", "examples"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if name.endswith((".c", ".h", ".def")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8", errors="replace") as file:
                        files[os.path.relpath(path, ROOT)] = file.read()
    with open(os.path.join(ROOT, ARCHITECTURE), encoding="utf-8") as file:
        files[ARCHITECTURE] = file.read()
    return files


def folder_of(path):
    """The folder in terms of the table; "include" for public headers."""
    folder = os.path.dirname(path)
    return folder[len("src/"):] if folder.startswith("src/") else "include"


def find_included(files, path, name):
    """The file that is meant; None: it is not ours."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    for candidate in (beside, "src/" + name, "include/" + name):
        if candidate in files:
            return candidate
    return None


inside = set()  # headers that are for their folders alone


def list_inside(files):
    """Those that are called so, and those that say so."""
    headers = {path: text for path, text in files.items() if path.startswith("src/") and path.endswith(".h")}
    named = {path for path in headers if os.path.basename(path) == "internal.h" or path.endswith("_internal.h")}
    return named | {path for path, text in headers.items() if OWN.match(text)}


def is_inside(path):
    """Whether the header is for its folder alone."""
    return path in inside


def friends_of(included):
    """Folders that may include a header although not everybody may; None: it is for all."""
    short = included[len("src/"):]
    own = folder_of(included)
    return [own] if is_inside(included) else [*LIMITED[short].split(), own] if short in LIMITED else None


def template_error(path, included):
    """As for an explorer in src."""
    other = folder_of(included)
    if os.path.dirname(included) == os.path.dirname(path):
        return None
    if is_inside(included) or other not in FOR_EXPLORERS or included[len("src/"):] in LIMITED:
        return f"an explorer must not include {included}"
    return None


def outside_error(path, included):
    """Why a file outside of src may not include the other one; None: it may."""
    if os.path.dirname(path) in TEMPLATES:
        return template_error(path, included)
    friends = friends_of(included) if included.startswith("src/") else None
    if friends is None or (path.startswith("tests/") and included[len("src/"):] in FOR_TESTS):
        return None
    if is_friend(path, friends):
        return None
    return f"{included} is for {', '.join('src/' + friend for friend in friends)} and their unit tests alone"


def include_error(allowed, path, included):
    """Why the file may not include the other one; None: it may."""
    folder, other = folder_of(path), folder_of(included)
    if folder == other:
        return None
    if is_inside(included):
        return f"{included} is for src/{other} alone"
    if other not in allowed[folder]:
        return f"src/{folder} must not include {included}"
    if friends_of(included) is not None and folder not in friends_of(included):
        return f"{included} is not for src/{folder}, only for {LIMITED[included[len('src/'):]]}"
    return None


def list_includes(files):
    """Of each file: the numbers of lines and what is included there."""
    includes = {}
    for path, text in files.items():
        includes[path] = []
        for number, line in enumerate([] if path.startswith("include/") else text.split("\n"), 1):
            match = INCLUDE.match(line)
            included = match and find_included(files, path, match.group(1))
            if included:
                includes[path].append((number, included))
    return includes


def find_carriers(includes, secret):
    """Headers that include the secret one by any chain, each with the next of the chain."""
    includers = {}
    for path, list_of_one in includes.items():
        for _, included in list_of_one:
            includers.setdefault(included, []).append(path)
    carriers, waiting = {}, [secret]
    while waiting:
        reached = waiting.pop()
        for path in includers.get(reached, []):
            if path not in carriers and path != secret:
                carriers[path] = reached
                waiting.append(path)
    return carriers


def chain_to(secret, carriers, start):
    chain = [start]
    while chain[-1] != secret:
        chain.append(carriers[chain[-1]])
    return ", ".join(chain[:-1])


def is_friend(path, friends):
    """Whether a file belongs to one of these folders, or to its unit tests."""
    if path.startswith("src/"):
        return folder_of(path) in friends
    return INSIDERS.get(path) in friends or os.path.dirname(path) in ["tests/unit/" + friend for friend in friends]


def check_chains(files, includes):
    """Nobody comes to what is another folder's own, or to the layout of states, by way of a header that he may include."""
    errors = []
    for secret in SECRET + sorted(path for path in files if path.startswith("src/") and is_inside(path)):
        carriers = find_carriers(includes, secret)
        friends = friends_of(secret)
        for path in carriers:
            for number, included in includes[path] if not is_friend(path, friends) else []:
                if included in carriers:
                    errors.append(f"{path}:{number}: it comes to {secret} by {chain_to(secret, carriers, included)}")
    return sorted(errors)


def check_includes(files, allowed, includes):
    errors = []
    for path in sorted(files):
        if path.startswith("include/"):
            continue
        inside = path.startswith("src/")
        if inside and folder_of(path) not in allowed:
            errors.append(f"{path}:1: src/{folder_of(path)} is not in the table of scripts/check-layers.py")
            continue
        for number, included in includes[path]:
            error = include_error(allowed, path, included) if inside else outside_error(path, included)
            if error:
                errors.append(f"{path}:{number}: {error}")
    return errors


def check_table(layers):
    """A folder may only be allowed what stands above it."""
    errors, above = [], {"include"}
    for folder, may in layers:
        errors += [f"scripts/check-layers.py:1: src/{other} does not stand above src/{folder}" for other in may.split() if other not in above]
        above.add(folder)
    return errors


def check_architecture(files, layers):
    """The table of the page has the same folders in the same order."""
    rows = []
    for number, line in enumerate(files[ARCHITECTURE].split("\n"), 1):
        match = ROW.match(line)
        if match:
            rows.append((match.group(1), number))
    for (folder, _), (row, number) in zip(layers, rows):
        if folder != row:
            return [f"{ARCHITECTURE}:{number}: src/{row} stands where scripts/check-layers.py has src/{folder}"]
    if len(rows) != len(layers):
        return [f"{ARCHITECTURE}:1: {len(rows)} folders, and {len(layers)} in scripts/check-layers.py"]
    return []


def new_explorers(files, layers):
    """Explorers that the table does not name may use what all of them may."""
    listed = re.findall(r"^EXPLORER\w*\((\w+)\)", files[EXPLORERS], re.MULTILINE)
    return {name: set(FOR_EXPLORERS) for name in listed if name not in dict(layers)}


def new_frontends(files, layers):
    """So may front ends."""
    listed = ["frontend/" + name for name in re.findall(r"^FRONTEND\((\w+)\)", files[FRONTENDS], re.MULTILINE)]
    return {folder: set(FRONTEND.split()) for folder in listed if folder not in dict(layers)}


def check(files, layers):
    allowed = {folder: set(may.split()) for folder, may in layers} | new_explorers(files, layers) | new_frontends(files, layers)
    gone = [f"scripts/check-layers.py:1: there is no src/{name}" for name in LIMITED if "src/" + name not in files]
    gone += [f"scripts/check-layers.py:1: there is no {path}" for path in INSIDERS if path not in files]
    inside.clear()
    inside.update(list_inside(files))
    includes = list_includes(files)
    errors = check_includes(files, allowed, includes) + check_chains(files, includes)
    return check_table(layers) + gone + errors + check_architecture(files, layers)


# --- mistakes that must be noticed ----------------------------------------------------------------------------------


def with_include(files, path, name):
    """The files with one more include, in line 1."""
    return {**files, path: f'#include "{name}"\n' + files.get(path, "")}


def without_row(text, folder):
    return "\n".join(line for line in text.split("\n") if not line.startswith(f"| `src/{folder}`"))


def self_test(files):
    first = "src/machine/machine.c"
    architecture = files[ARCHITECTURE]
    mistakes = [
        ("against the order", with_include(files, first, "search/search.h"), LAYERS, first + ":1:"),
        ("a teller of traces that knows formats", with_include(files, "src/report/trace/trace.c", "report/formats/formats.h"),
         LAYERS, "src/report/trace/trace.c:1:"),
        ("above, but not allowed", with_include(files, "src/certify/certify.c", "search/search.h"), LAYERS, "src/certify/certify.c:1:"),
        ("another folder's internal.h", with_include(files, "src/dpor/dpor.c", "machine/internal.h"), LAYERS, "src/dpor/dpor.c:1:"),
        ("a header that says it is not for others", with_include(files, "src/api/compile.c", "frontend/dlang/parse.h"), LAYERS,
         "src/api/compile.c:1:"),
        ("one that says so in two lines", {**files, "src/search/novel.h": "/* Novel. Not\n * for others. */\n",
                                           "src/strategy/novel.c": '#include "search/novel.h"\n'}, LAYERS, "src/strategy/novel.c:1:"),
        ("another folder's ..._internal.h", with_include(files, first, "analysis/points_to_internal.h"), LAYERS, first + ":1:"),
        ("an explorer that looks into states", with_include(files, "src/dpor/dpor.c", "machine/state.h"), LAYERS, "src/dpor/dpor.c:1:"),
        ("the same by another spelling", with_include(files, "src/dpor/dpor.c", "../machine/state.h"), LAYERS, "src/dpor/dpor.c:1:"),
        ("the same by a header of the machine", with_include(files, "src/dpor/dpor.c", "machine/kernel.h"), LAYERS, "src/dpor/dpor.c:1:"),
        ("by another one", with_include(files, "src/dpor/dpor.c", "machine/systemc.h"), LAYERS, "src/dpor/dpor.c:1:"),
        ("by a header of matching", with_include(files, "src/dpor/dpor.c", "matching/parts.h"), LAYERS, "src/dpor/dpor.c:1:"),
        ("by two headers of matching", with_include(files, "src/search/search.c", "matching/compact.h"), LAYERS, "src/search/search.c:1:"),
        ("certificates that take states apart", with_include(files, "src/certify/write.c", "machine/relations.h"), LAYERS,
         "src/certify/write.c:1:"),
        ("a header for all that shows states", with_include(files, "src/machine/machine.h", "machine/state.h"), LAYERS, "src/dpor/"),
        ("a header of partial that does", with_include(files, "src/partial/abstract.h", "machine/state.h"), LAYERS, "src/cegar/"),
        ("one of matching that does, by others", with_include(files, "src/matching/matcher.h", "matching/cursor.h"), LAYERS,
         "src/search/"),
        ("a header that shows what is its folder's own", with_include(files, "src/dpor/footprint.h", "dpor/internal.h"), LAYERS,
         "src/lazypor/"),
        ("the public header inside", with_include(files, first, "heddle.h"), LAYERS, first + ":1:"),
        ("a folder that is not in the table", with_include(files, "src/novel/novel.c", "base/map.h"), LAYERS, "src/novel/novel.c:1:"),
        ("a new explorer that looks into states",
         with_include({**files, EXPLORERS: files[EXPLORERS] + "EXPLORER(novel)\n"}, "src/novel/novel.c", "machine/state.h"), LAYERS,
         "src/novel/novel.c:1:"),
        ("a new front end that knows the machine",
         with_include({**files, FRONTENDS: files[FRONTENDS] + "FRONTEND(novel)\n"}, "src/frontend/novel/novel.c", "machine/machine.h"), LAYERS,
         "src/frontend/novel/novel.c:1:"),
        ("a folder of a front end that is not listed", with_include(files, "src/frontend/novel/novel.c", "base/map.h"), LAYERS,
         "src/frontend/novel/novel.c:1:"),
        ("a test that looks into another folder", with_include(files, "tests/unit/search/test_search.c", "machine/internal.h"), LAYERS,
         "tests/unit/search/test_search.c:1:"),
        ("what all unit tests share, looking inside", with_include(files, "tests/unit/common/core_fixture.h", "machine/internal.h"),
         LAYERS, "tests/unit/common/core_fixture.h:1:"),
        ("what all unit tests share, looking into states", with_include(files, "tests/unit/common/core_fixture.h", "machine/state.h"),
         LAYERS, "tests/unit/common/core_fixture.h:1:"),
        ("a test of an explorer that does", with_include(files, "tests/unit/search/test_search.c", "machine/state.h"), LAYERS,
         "tests/unit/search/test_search.c:1:"),
        ("the same by a header of matching", with_include(files, "tests/unit/search/test_search.c", "matching/parts.h"), LAYERS,
         "tests/unit/search/test_search.c:1:"),
        ("an oracle that does", with_include(files, "tests/oracle/trial.c", "machine/relations.h"), LAYERS, "tests/oracle/trial.c:1:"),
        ("a test of what only partial may see", with_include(files, "tests/unit/matching/test_matcher.c", "machine/summary.h"), LAYERS,
         "tests/unit/matching/test_matcher.c:1:"),
        ("the template of an engine, looking into states", with_include(files, "examples/own_engine/mine.c", "machine/look.h"), LAYERS,
         "examples/own_engine/mine.c:1:"),
        ("... or at what other explorers are made of", with_include(files, "examples/own_engine/mine.c", "search/search.h"), LAYERS,
         "examples/own_engine/mine.c:1:"),
        ("a benchmark that looks into states", with_include(files, "bench/novel.c", "machine/look.h"), LAYERS, "bench/novel.c:1:"),
        ("a benchmark that looks inside", with_include(files, "bench/novel.c", "search/internal.h"), LAYERS, "bench/novel.c:1:"),
        ("an insider that is gone", {path: text for path, text in files.items() if path not in INSIDERS}, LAYERS,
         "scripts/check-layers.py:1:"),
        ("a table that allows what stands below", files, [("base", "term")] + LAYERS[1:], "scripts/check-layers.py:1:"),
        ("a limited header that is gone", {path: text for path, text in files.items() if path != "src/machine/look.h"}, LAYERS,
         "scripts/check-layers.py:1:"),
        ("a page without a folder", {**files, ARCHITECTURE: without_row(architecture, "solver")}, LAYERS, ARCHITECTURE),
        ("a page without the last one", {**files, ARCHITECTURE: without_row(architecture, "cli")}, LAYERS, ARCHITECTURE),
    ]
    known = set(check(files, LAYERS))
    missed = []
    novel = with_include({**files, EXPLORERS: files[EXPLORERS] + "EXPLORER(novel)\n"}, "src/novel/novel.c", "machine/machine.h")
    if set(check(novel, LAYERS)) != known:
        missed.append("noticed without need: a new explorer")
    novel = with_include({**files, FRONTENDS: files[FRONTENDS] + "FRONTEND(novel)\n"}, "src/frontend/novel/novel.c", "program/program.h")
    if set(check(novel, LAYERS)) != known:
        missed.append("noticed without need: a new front end")
    novel = with_include(files, "tests/unit/machine/test_novel.c", "machine/internal.h")
    if set(check(novel, LAYERS)) != known:
        missed.append("noticed without need: a test of the folder itself")
    novel = with_include(files, "tests/unit/matching/test_novel.c", "machine/state.h")
    if set(check(novel, LAYERS)) != known:
        missed.append("noticed without need: a test of a folder that may")
    for what, mutant, layers, place in mistakes:
        if not any(error.startswith(place) for error in check(mutant, layers) if error not in known):
            missed.append(f"not noticed: {what}")
    return missed


def main():
    files = read_files()
    errors = self_test(files) if "--self-test" in sys.argv[1:] else check(files, LAYERS)
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

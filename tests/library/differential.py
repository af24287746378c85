#!/usr/bin/env python3
"""Models of library functions against the C library of this machine (harness.py says how).

    differential.py HEDDLE [FUNCTION...] [--seed N] [--factor N] [--mutants | --symbols | --keep FOLDER]

Without an option every row is compared; with --mutants every model is changed as its row says, and the comparison
has to fail; --symbols checks that every function of the models has a row or a reason to have none. --factor makes that
many times as many calls.
"""

import argparse
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from harness import Batch, Table, mutate, record  # noqa: E402

SOURCE = HERE.parent.parent / "src" / "frontend" / "llvm"
LIBRARY = SOURCE / "library"
COMPILER = "clang-19"
KINDS = [(misuse, language) for misuse in (False, True) for language in ("c", "cpp")]


def load_table():
    table = Table()
    for path in sorted((HERE / "rows").glob("*.py")):
        importlib.import_module(f"rows.{path.stem}").fill(table)
    return table


# --- asking Heddle ----------------------------------------------------------------------------------------------------


class Asker:
    def __init__(self, heddle, folder):
        self.heddle = heddle
        self.folder = folder

    def ask(self, name, language, text, further=()):
        """The verdict, the line of a violation and the whole answer."""
        path = self.folder / f"{name}.{language}"
        path.write_text(text)
        command = [self.heddle, "check", "--json", "--engine", "search", "--no-shrink", "--time", "60s", str(path), *further]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1, 3):
            return "broken", None, done.stderr.strip()
        answer = json.loads(done.stdout)
        broken = [p for p in answer["properties"] if p["verdict"] == "unsafe"]
        line = broken[0]["position"]["line"] if broken else None
        reason = answer["reason"] or "; ".join(p["text"] for p in broken)
        return answer["verdict"], line, reason

    def complaints(self, name, batch, further=(), enough=False):
        """What is wrong with the models, as the two questions tell; `enough`: one answer will do."""
        found = []
        options = ["--property", batch.properties, *further]
        verdict, line, reason = self.ask(f"{name}.only", batch.language, batch.only(), options)
        if verdict != "safe":
            found.append((verdict, f"{batch.owner.get(line, name)} gives something else: {verdict} ({name}.only.c:{line} {reason})"))
        if enough and verdict == "unsafe":
            return found
        verdict, _, reason = self.ask(f"{name}.possible", batch.language, batch.possible(), options)
        if verdict != "unsafe":
            found.append((verdict, f"{name}: the native results are not among those of the model: {verdict} ({name}.possible.c {reason})"))
        return found


def in_parallel(work, items):
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(work, items))


def compare(asker, rows, cases):
    """All rows in few programs; row by row where one of these fails, so that every row with a mistake is named."""
    complaints = [f"{name}: natively broken: {text}" for name, list in cases.items() for case in list for text in case.broken]

    def look(part):
        number, some = part
        if asker.complaints(f"part{number}", Batch(some, cases)):
            for row in some:
                complaints.extend(text for _, text in asker.complaints(row.name, Batch([row], cases)))

    size = 12
    together = [row for row in rows if not row.alone]
    kinds = [[row for row in together if (row.misuse, row.language) == kind] for kind in KINDS]
    parts = [some[start : start + size] for some in kinds for start in range(0, len(some), size)]
    parts += [[row] for row in rows if row.alone]
    in_parallel(look, enumerate(parts))
    return complaints


# --- mutants ----------------------------------------------------------------------------------------------------------


def defining_file(name):
    for path in sorted(LIBRARY.glob("*.c")):
        if re.search(rf"(?<![\w.>]){re.escape(name)}\([^;{{}}]*\)\s*{{", path.read_text()):
            return path
    raise ValueError(f"{name}: no model defines it")


def mutant_of(row):
    *elsewhere, old, new = row.mutant
    return mutate(defining_file(row.function).read_text(), elsewhere[0] if elsewhere else row.function, old, new)


def run_mutant(asker, row, cases):
    name = f"mutant.{row.name}"
    changed = asker.folder / f"{name}.model.c"
    try:
        changed.write_text(row.own or mutant_of(row))
    except ValueError as problem:
        return str(problem)
    flags = [f"-I{LIBRARY}"] + ["-fexceptions"] * (row.language == "cpp")  # as models are compiled
    found = asker.complaints(name, Batch([row], cases), [str(changed), *flags], enough=True)
    if any(verdict in ("unsafe", "safe") for verdict, _ in found):
        return None
    return f"{row.name}: its mutant is not found {found}"


# --- what there is ----------------------------------------------------------------------------------------------------


def model_symbols(bitcode):
    """Functions and variables that the models define, by file."""
    found = {}
    for path in sorted(bitcode.glob("*.64.bc")):
        if path.name.startswith("models."):
            continue
        out = subprocess.run(["llvm-nm-19", "--defined-only", str(path)], capture_output=True, text=True, check=True).stdout
        for line in out.split("\n"):
            words = line.split()
            if len(words) >= 2 and words[-2] in "TDRBVW":
                found[words[-1]] = path.name.split(".")[0]
    return found


def printers():
    """Functions that the front end knows by name."""
    text = (SOURCE / "printing.c").read_text()
    table = text[text.index("static const printer list[]") :]
    return re.findall(r'{"(\w+)"', table[: table.index("};")])


def symbols(table, bitcode):
    there = model_symbols(bitcode)
    there.update((name, "printing.c") for name in printers())
    rows = {row.function for row in table.rows.values()}
    complaints = [
        f"{name} ({where}) has no row, and no reason for having none"
        for name, where in sorted(there.items())
        if name not in rows and name not in table.exempt and where not in table.exempt_files
    ]
    complaints += [f"{name} has a row or a reason, but no model" for name in [*rows, *table.exempt] if name not in there]
    complaints += [f"{file}.c has a reason, but is no model" for file in table.exempt_files if file not in there.values()]
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle")
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--factor", type=int, default=1)
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--symbols", action="store_true")
    parser.add_argument("--keep")
    given = parser.parse_intermixed_args()
    table = load_table()
    rows = [table.rows[name] for name in given.functions] or list(table.rows.values())
    if given.symbols:
        complaints = symbols(table, Path(given.heddle).resolve().parent / "library")
    else:
        folder = Path(given.keep or tempfile.mkdtemp(prefix="heddle-library-"))
        folder.mkdir(exist_ok=True)
        asker = Asker(given.heddle, folder)
        cases = {row.name: row.make_cases(given.seed, given.factor) for row in rows}
        try:
            for language in sorted({row.language for row in rows}):
                record(Batch([row for row in rows if row.language == language], cases), folder, COMPILER)
            if given.mutants:
                complaints = [text for text in in_parallel(lambda row: run_mutant(asker, row, cases), rows) if text]
            else:
                complaints = compare(asker, rows, cases)
        finally:
            if not given.keep:
                shutil.rmtree(folder)
    for text in complaints:
        print(text)
    print(f"{len(rows)} functions, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks every bundled model against the verdicts its header promises.

    run_models.py HEDDLE [PATTERN [OPTION...]]

A model carries one or more lines `// expect: safe|unsafe|unknown [OPTION...]`; each one is a run of `heddle check OPTION... FILE`. The JSON
result must fit docs/result.schema.json; an unsafe one must come with a counterexample that could be followed. A line
`// note: WORDS` below says that one of the notes of that run, or `assumes: ` and one of its assumptions, contains the words, `// note: none` that it has no notes. A line
`// traces: NUMBER [OPTION...]` says how many executions engine dpor with optimal reduction explores. HEDDLE_SLOW multiplies the time limit,
for builds with sanitizers.

With OPTIONs, which name an engine that does not answer everything, every run has them as well and 3 s: the verdict must be the promised one or
unknown. Runs that choose an explorer themselves, and properties that only some engines look for, are left out.
"""

import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import schema  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECT = re.compile(r"^\s*//\s*expect:\s*(safe|unsafe|unknown)\b(.*)((?:\n\s*//\s*note:.*)*)$", re.MULTILINE)
NOTE = re.compile(r"^\s*//\s*note:\s*(.*\S)\s*$", re.MULTILINE)
TRACES = re.compile(r"^\s*//\s*traces:\s*(\d+)\b(.*)$", re.MULTILINE)
OPTIMAL = ["--engine", "dpor", "--por", "optimal"]
LANGUAGES = (".ivl", ".dl", ".c", ".cpp")
STATUS = {"safe": 0, "unsafe": 1, "unknown": 3}
SLOW = float(os.environ.get("HEDDLE_SLOW", "1"))
SECONDS = 60 * SLOW
OF_OTHER_EXPLORERS = ("--engine", "--por", "--match", "--order", "--stops", "--check-reduction", "--visited", "--chain", "--time", "--deterministic")
OF_SOME_ENGINES = ("deadlock", "race", "leak")


def expectations(path):
    """(verdict, options, number of executions or None, notes) for each run."""
    text = path.read_text(encoding="utf-8")
    runs = [(verdict, shlex.split(rest.split("//")[0]), None, NOTE.findall(notes)) for verdict, rest, notes in EXPECT.findall(text)]
    return runs + [("safe", OPTIMAL + shlex.split(rest.split("//")[0]), int(n), []) for n, rest in TRACES.findall(text)]


def missing_note(result, notes):
    """The first of the promised notes that the result does not have, or None."""
    said = [note["text"] for note in result["notes"]]
    if notes == ["none"]:
        return f"no notes, but there is: {said[0]}" if said else None
    said += ["assumes: " + assumption["text"] for assumption in result["assumes"]]
    return next((words for words in notes if not any(words in text for text in said)), None)


def describe(path, options):
    return " ".join([str(path.relative_to(ROOT)), *options])


def fits_any_engine(options):
    return not any(o.startswith(OF_OTHER_EXPLORERS) or any(p in o for p in OF_SOME_ENGINES) for o in options)


def complaint(heddle, rules, asked, path, verdict, options, executions, notes):
    """What is wrong with this run, or None."""
    command = [heddle, "check", "--json", *asked, *options, str(path)]
    try:
        run = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer after {SECONDS:.0f} s"
    errors = run.stderr.decode(errors="replace").strip()
    if asked and run.returncode == STATUS["unknown"]:
        verdict = "unknown"
    if run.returncode != STATUS[verdict]:
        return f"expected {verdict}, exit status {run.returncode} {errors}"
    if errors:
        return f"unexpected output on standard error: {errors}"
    result = json.loads(run.stdout)
    misfits = schema.validate(result, rules)
    if misfits:
        return "JSON does not fit the schema: " + misfits[0]
    if result["verdict"] != verdict:
        return f"exit status says {verdict}, JSON says {result['verdict']}"
    if verdict == "unsafe":
        trace = result["trace"]
        if not trace or not trace["steps"] or not trace["followed"]:
            return "unsafe without a counterexample that can be followed"
        shrunk = trace["shrunk"]
        if any(shrunk["to"][what] > shrunk["from"][what] for what in ("steps", "context_switches")):
            return "the shrunk counterexample is larger than the one found"
    missing = missing_note(result, notes) if not asked else None
    if missing:
        return f"expected this note: {missing}"
    counted = result["statistics"]["executions"]
    if executions is not None and counted != executions:
        return f"{counted} executions instead of {executions}"
    return None


def main():
    heddle = os.path.abspath(sys.argv[1])
    pattern = sys.argv[2] if len(sys.argv) > 2 else "*"
    asked = sys.argv[3:] and [*sys.argv[3:], "--time", "3s"]
    rules = json.loads((ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8"))
    failures, runs = [], []
    for path in sorted(p for p in (ROOT / "models").rglob("*") if p.suffix in LANGUAGES):
        if not fnmatch.fnmatch(str(path.relative_to(ROOT)), f"*{pattern}*"):
            continue
        wanted = expectations(path)
        if not wanted:
            failures.append(f"{path.relative_to(ROOT)}: no line '// expect: ...'")
        runs += [(path, *run) for run in wanted if not asked or (run[2] is None and fits_any_engine(run[1]))]
    if asked:  # C++ takes clang and the front end most of its time: some will do
        designs = [run for run in runs if run[0].suffix == ".cpp"]
        runs = [run for run in runs if run[0].suffix != ".cpp"][::5] + designs[::10]
    if asked and SLOW > 1:
        runs = runs[::2]
    elif SLOW > 1:  # one variant of every third C++ program, a quarter of those of C
        runs = [run for k, run in enumerate(runs) if run[0].suffix != ".cpp" or k == 0 or runs[k - 1][0] != run[0]]
        runs = [run for k, run in enumerate(runs) if k % {".c": 4, ".cpp": 3}.get(run[0].suffix, 1) == 0]
    if not runs:
        failures.append("no models found")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda run: complaint(heddle, rules, asked, *run), runs)
        for (path, _, options, _, _), answer in zip(runs, answers):
            if answer:
                failures.append(f"{describe(path, options)}: {answer}")
    for line in failures:
        print(line)
    print(f"{len(runs)} runs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

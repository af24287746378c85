#!/usr/bin/env python3
"""The four tables of Metzler, "Lazy Partial Order Reduction" (chapter 6, appendix B), against Heddle.

    dpor.py [--heddle build/heddle] [--programs 'indexer*' ...] [--most-threads N] [--time 1200] [--engines lazypor,optimal,source]

dpor-published.tsv has the published figures: ZPOR is LazyPOR, DPOR is Flanagan and Godefroid's algorithm, both in Python on a 3.6 GHz i7.
Our columns: executions (blocked ones after a +), seconds of one core, executions per second. `traces` is the number of Mazurkiewicz traces where a
closed form is known. filesystem and lastzero are not in the document; they are the usual further examples.

An engine that does not finish one row in time is not tried on larger ones of the same program. Exit status 1 if a verdict is not safe, if
optimal does not explore exactly the traces, or if lazypor explores more executions than published.
"""

import argparse
import csv
import fnmatch
import json
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ENGINES = {
    "lazypor": ["--engine", "lazypor"],
    "optimal": ["--engine", "dpor", "--por", "optimal"],
    "source": ["--engine", "dpor", "--por", "source"],
    "persistent": ["--engine", "dpor", "--por", "persistent"],
}
BRANCHING = {1: 1, 2: 11, 3: 28, 4: 103, 5: 311}

# program: (parameter of the model, its value for a number of threads, number of traces or None)
PROGRAMS = {
    "readers-writers": ("N", lambda t: t - 1, lambda t: 2 ** (t - 1)),
    "indexer": ("N", lambda t: t, lambda t: 8 ** max(0, t - 11)),
    "indexer-small": ("N", lambda t: t, lambda t: 2 ** max(0, t - 2)),
    "branching": ("length", lambda t: t, BRANCHING.get),
    "filesystem": ("N", lambda t: t, lambda t: 2 ** max(0, t - 13)),
    "lastzero": ("N", lambda t: t - 1, lambda t: (t + 2) * 2 ** (t - 1) // 4),
}
FURTHER = [("filesystem", t) for t in range(10, 22, 2)] + [("lastzero", t) for t in range(2, 15, 2)]


def read_rows():
    with open(ROOT / "bench" / "dpor-published.tsv", encoding="utf-8", newline="") as f:
        rows = [{**row, "threads": int(row["threads"])} for row in csv.DictReader(f, delimiter="\t")]
    blank = {"zpor_seconds": "", "zpor_executions": "", "dpor_seconds": "", "dpor_executions": ""}
    return rows + [{"program": program, "threads": threads, **blank} for program, threads in FURTHER]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(arguments, engine, row):
    """(cell, executions or None, what is wrong or None) of one engine on one row."""
    parameter, value, _ = PROGRAMS[row["program"]]
    command = [arguments.heddle, "check", "--json", "--time", f"{arguments.time}s", *ENGINES[engine],
               "--set", f"{parameter}={value(row['threads'])}", str(ROOT / "models" / "dlang" / f"{row['program']}.dl")]
    before = cpu_seconds()
    try:
        done = subprocess.run(command, capture_output=True, timeout=arguments.time + 60, check=False)
    except subprocess.TimeoutExpired:
        return "killed", None, None
    if done.returncode not in (0, 1, 3):
        return "error", None, done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["crash"]
    result = json.loads(done.stdout)
    if result["verdict"] != "safe":
        wrong = None if result["reason"] == "time limit" else f"{result['verdict']}: {result['reason']}"
        return result["reason"] or result["verdict"], None, wrong
    counts = result["statistics"]
    complete = counts["executions"] - counts["blocked_executions"]
    shown = f"{complete:.0f}" + (f"+{counts['blocked_executions']:.0f}" if counts["blocked_executions"] else "")
    seconds = max(cpu_seconds() - before, 1e-6)
    return f"{shown:>12} {seconds:9.3f} {counts['executions'] / seconds:9.0f}", complete, None


def judge(engine, row, executions, traces):
    """What is wrong with a count, or None."""
    if engine == "optimal" and traces is not None and executions != traces:
        return f"{executions} executions instead of {traces}"
    published = row["zpor_executions"]
    if engine == "lazypor" and published and executions > int(published):
        return f"{executions} executions, published {published}"
    return None


def main():
    parser = argparse.ArgumentParser(description="The tables of the LazyPOR document against Heddle.")
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--programs", action="append", metavar="PATTERN", help="only these (repeatable)")
    parser.add_argument("--most-threads", type=int, default=99)
    parser.add_argument("--time", type=float, default=1200, help="seconds on the clock for each run")
    parser.add_argument("--engines", default="lazypor,optimal,source")
    arguments = parser.parse_args()
    engines = arguments.engines.split(",")
    patterns = arguments.programs or ["*"]
    complaints, slow, program = [], set(), None
    for row in read_rows():
        if row["threads"] > arguments.most_threads or not any(fnmatch.fnmatch(row["program"], p) for p in patterns):
            continue
        if row["program"] != program:
            program = row["program"]
            print(f"\n{program}\n{'':7} {'published':^45} {'':9}  " + " ".join(f"{e:^32}" for e in engines))
            print(f"{'threads':>7} {'ZPOR s':>11} {'executions':>10} {'DPOR s':>11} {'executions':>10} {'traces':>9}  "
                  + " ".join(f"{'executions':>12} {'s':>9} {'per s':>9}" for _ in engines))
        traces = PROGRAMS[program][2](row["threads"])
        cells = []
        for engine in engines:
            if (program, engine) in slow:
                cells.append("-")
                continue
            cell, executions, wrong = run(arguments, engine, row)
            if executions is None:
                slow.add((program, engine))
            else:
                wrong = judge(engine, row, executions, traces)
            if wrong:
                complaints.append(f"{program} with {row['threads']} threads, {engine}: {wrong}")
            cells.append(cell)
        print(f"{row['threads']:>7} {row['zpor_seconds']:>11} {row['zpor_executions']:>10} {row['dpor_seconds']:>11} "
              f"{row['dpor_executions']:>10} {'?' if traces is None else traces:>9}  "
              + " ".join(f"{cell:>32}" for cell in cells), flush=True)
    print()
    for complaint in complaints:
        print(f"WRONG: {complaint}")
    print("all counts as they should be" if not complaints else f"{len(complaints)} wrong")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Work of two builds on the rows of bench-dpor, bench-sissi and bench-states, one run of each after the other.

    against.py --old OLD/heddle [--heddle build/heddle] [--time 10] [--least 0.1] [--every N] [--instructions] [--limit 1.05]

Rows that one build does not finish in --time seconds of a processor are left out, and so are those that take both less than --least. What
is compared is the least of two runs in seconds of a processor, or with --instructions what they execute: counted by `perf stat` where the
machine has such counters, else by valgrind (fifty times slower; rows of at most --time/50 seconds). Shows rows that differ by more than
the limit, each family's sum, and ends with 1 if a sum is above the limit.
"""

import argparse
import csv
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

import dpor

ROOT = pathlib.Path(__file__).resolve().parents[1]
NO_VALGRIND = 50


def dpor_rows():
    for row in dpor.read_rows():
        parameter, value, _ = dpor.PROGRAMS[row["program"]]
        for engine in ("lazypor", "optimal", "source"):
            yield (f"{row['program']} {row['threads']} {engine}",
                   [*dpor.ENGINES[engine], "--set", f"{parameter}={value(row['threads'])}",
                    str(ROOT / "models" / "dlang" / f"{row['program']}.dl")])


def sissi_rows():
    with open(ROOT / "bench" / "sissi.tsv", encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f, delimiter="\t"):
            yield row["row"], ["--jobs", "1", "--deterministic", *shlex.split(row["parameters"]), str(ROOT / row["model"])]


def states_rows():
    yield "ring", ["--por", "none", "--match", "ceq", str(ROOT / "bench" / "ring.ivl")]


FAMILIES = {"bench-dpor": dpor_rows, "bench-sissi": sissi_rows, "bench-states": states_rows}


def run(prefix, heddle, options, seconds):
    """Seconds of a processor, or None: it did not end in time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*prefix, heddle, "check", "--no-shrink", *options]
    done = subprocess.run(command, capture_output=True, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime if done.returncode in (0, 1, 3) else None


def has_counters():
    try:
        seen = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return False
    return seen.returncode == 0 and "not supported" not in seen.stderr and "<not counted>" not in seen.stderr


def count_instructions(heddle, options, seconds, by_perf):
    """Billions, of the process and its children; None: it did not end in time."""
    with tempfile.TemporaryDirectory() as folder:
        if by_perf:
            prefix, found = ["perf", "stat", "-x,", "-e", "instructions:u", "-o", f"{folder}/all"], r"^(\d+),"
        else:
            prefix = ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={folder}/%p"]
            found = r"^totals: (\d+)"
        if run(prefix, heddle, options, seconds) is None:
            return None
        texts = [said.read_text(encoding="utf-8") for said in pathlib.Path(folder).iterdir()]
        return sum(int(n) for text in texts for n in re.findall(found, text, re.MULTILINE)) / 1e9


def measure(given, options, by_perf):
    """What the old and the new build need; None: not comparable."""
    builds = (given.old, given.heddle)
    seconds = [run([], build, options, given.time) for build in builds]
    if None in seconds or max(seconds) < given.least:
        return None
    if not given.instructions:
        again = [run([], build, options, given.time) for build in builds]
        return None if None in again else [min(pair) for pair in zip(seconds, again)]
    if not by_perf and max(seconds) * NO_VALGRIND > given.time:
        return None
    counted = [count_instructions(build, options, given.time, by_perf) for build in builds]
    return None if None in counted else counted


def compare(given, family, by_perf):
    sums, rows = [0.0, 0.0], 0
    for name, options in list(FAMILIES[family]())[:: given.every]:
        needed = measure(given, options, by_perf)
        if needed is None:
            continue
        rows += 1
        sums = [total + one for total, one in zip(sums, needed)]
        if needed[1] > needed[0] * given.limit:
            print(f"    {name}: {needed[0]:.3f} -> {needed[1]:.3f} ({100 * (needed[1] / needed[0] - 1):+.1f} %)", flush=True)
    ratio = sums[1] / sums[0] if rows else 1.0
    unit = "billion instructions" if given.instructions else "s"
    print(f"{family}: {rows} rows, {sums[0]:.2f} -> {sums[1]:.2f} {unit} ({100 * (ratio - 1):+.2f} %)", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", required=True)
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--least", type=float, default=0.1)
    parser.add_argument("--every", type=int, default=1, help="one row of so many")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--limit", type=float, default=1.05)
    parser.add_argument("--families", default=",".join(FAMILIES))
    given = parser.parse_args()
    by_perf = given.instructions and has_counters()
    ratios = [compare(given, family, by_perf) for family in given.families.split(",")]
    return 1 if max(ratios) > given.limit else 0


if __name__ == "__main__":
    sys.exit(main())

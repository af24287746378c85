#!/usr/bin/env python3
"""Are limits of time and memory kept?

    limits.py [--heddle build/heddle] [--time 4] [--memory 100M] [--engines LIST]

Runs some bundled programs with large parameters with each engine under a limit of time, and under one of
memory, and compares with what the whole process, its children included, really took: seconds on the clock from start to end, and the largest sum of
resident memory of the processes (shared pages counted once) that was seen, looking fifty times a second. Only runs that were stopped by the
limit count. Prints the worst and every one beyond 5 %, and then has exit status 1.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
HARD = [("bench/ring.ivl", ["--set", "N=7", "--set", "K=9"]), ("models/symcpp/pbx.cpp", ["-DTELEPHONES=3"]), ("models/c/unbounded-balance.c", []),
        ("models/ivl/token-ring.ivl", ["--set", "N=60"]), ("models/systemc/token-ring.cpp", ["-DSTATIONS=40"]), ("models/dlang/indexer.dl", ["--set", "N=18"])]
ALLOWED = 1.05


def engines_of(heddle):
    printed = subprocess.run([heddle, "--help=engines"], capture_output=True, check=True, text=True).stdout
    return re.findall(r"^\| \[`(\w+)`\]", printed, re.MULTILINE)


def bytes_of(text):
    return int(text[:-1]) * {"K": 2**10, "M": 2**20, "G": 2**30}[text[-1]] if text[-1] in "KMG" else int(text)


def processes_below(pid):
    found, todo = [], [pid]
    while todo:
        now = todo.pop()
        found.append(now)
        try:
            for task in os.listdir(f"/proc/{now}/task"):
                with open(f"/proc/{now}/task/{task}/children", encoding="ascii") as f:
                    todo += map(int, f.read().split())
        except OSError:
            pass
    return found


def memory_of(pid):
    """Proportional: a page that three processes share counts a third for each. Of Heddle's own processes; compilers are not its memory."""
    total = 0
    for one in processes_below(pid):
        try:
            if "heddle" not in os.readlink(f"/proc/{one}/exe"):
                continue
            with open(f"/proc/{one}/smaps_rollup", encoding="ascii") as f:
                total += next(int(line.split()[1]) * 1024 for line in f if line.startswith("Pss:"))
        except (OSError, StopIteration):
            pass
    return total


def run(heddle, options, file):
    begin, most = time.monotonic(), 0
    with subprocess.Popen([heddle, "check", "--json", *options, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT) as child:
        while True:
            try:
                out, _ = child.communicate(timeout=0.02)
                break
            except subprocess.TimeoutExpired:
                most = max(most, memory_of(child.pid))
    seconds = time.monotonic() - begin
    return (json.loads(out)["reason"] if out else "", seconds, most)


def main():
    parser = argparse.ArgumentParser(description="Are limits of time and memory kept?")
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--time", type=float, default=4)
    parser.add_argument("--memory", default="100M")
    parser.add_argument("--engines", help="of a list with commas; all of them unless given")
    arguments = parser.parse_args()
    engines = arguments.engines.split(",") if arguments.engines else engines_of(arguments.heddle)
    limits = {"time": (["--time", f"{arguments.time * 1000:.0f}ms"], "time limit", 1, arguments.time),
              "memory": (["--memory", arguments.memory, "--time", "60s"], "memory limit", 2, bytes_of(arguments.memory))}
    beyond = 0
    for name, (options, reason, index, limit) in limits.items():
        worst, count = 0.0, 0
        for file, further in HARD:
            for engine in engines:
                result = run(arguments.heddle, [*options, "--engine", engine, *further], file)
                if result[0] != reason:
                    continue
                share = result[index] / limit
                worst, count = max(worst, share), count + 1
                if share > ALLOWED:
                    beyond += 1
                    print(f"{name}: {file} {' '.join(further)} --engine {engine}: {100 * share:.1f} %", flush=True)
        print(f"{name}: {count} runs came to their limit, the worst took {100 * worst:.1f} % of it")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())

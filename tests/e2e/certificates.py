#!/usr/bin/env python3
"""Every `safe` of the engines that abstract must be certified.

    certificates.py HEDDLE [PATTERN]

Runs `heddle check --certify` with engines cegar and esst on each bundled model that is safe, for a few seconds each; without PATTERN one of the
two takes each run in turns, and of C++ programs some. A certificate that is refused, or a violation, is a failure; a run that does not get through
in time is not, except for the models of MUST, which only abstraction proves. The certificates of MUST are also written, and confirmed by another
process. HEDDLE_SLOW, for builds with sanitizers, multiplies their time limit, and takes only some of the runs.
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
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECT = re.compile(r"^\s*//\s*expect:\s*safe\b(.*)$", re.MULTILINE)
ENGINES = ("cegar", "esst")
MUST = ("models/c/unbounded-counters.c", "models/c/unbounded-loop.c", "models/c/unbounded-producer.c", "models/c/unbounded-state-machine.c")
SLOW = float(os.environ.get("HEDDLE_SLOW", "1"))
SECONDS, MUST_SECONDS = 2, 60 * SLOW
EVERY = 1 if SLOW == 1 else 8  # of the runs, where each takes long
OF_ENGINES = ("--engine", "--heap", "--por", "--match", "--order", "--weight", "--guide", "--visited", "--chain", "--stops", "--jobs", "--max-transitions", "--max-states", "--max-depth")
NOT_ASKED = ("deadlock", "race", "leak", "--all", "--check-reduction")
REFUSED = "certificate could not be confirmed"


def of_program(options):
    """Without those that choose an engine."""
    return [o for i, o in enumerate(options) if o not in OF_ENGINES and (not i or options[i - 1] not in OF_ENGINES)]


def runs(pattern):
    """(file, options, engine) for each line `// expect: safe` that abstraction can be asked about."""
    for path in sorted((ROOT / "models").rglob("*")):
        name = str(path.relative_to(ROOT))
        if path.suffix not in (".ivl", ".dl", ".c", ".cpp") or not fnmatch.fnmatch(name, f"*{pattern}*"):
            continue
        for rest in sorted(set(EXPECT.findall(path.read_text(encoding="utf-8")))):
            if not any(word in rest for word in NOT_ASKED):
                yield from ((name, of_program(shlex.split(rest.split("//")[0])), engine) for engine in ENGINES)


def check(heddle, options, files, seconds):
    command = [heddle, "check", "--json", "--certify", "--time", f"{seconds:.0f}s", *options, *files]
    run = subprocess.run(command, capture_output=True, timeout=10 * seconds + 60, check=False, cwd=ROOT)
    if run.returncode not in (0, 1, 3):
        raise ValueError(f"exit status {run.returncode} {run.stderr.decode(errors='replace').strip()}")
    return json.loads(run.stdout)


def complaint(heddle, name, options, engine):
    """(what is wrong or None, whether there was a proof)"""
    with tempfile.TemporaryDirectory() as folder:
        proof = os.path.join(folder, "proof.json")
        seconds = MUST_SECONDS if name in MUST else SECONDS
        try:
            result = check(heddle, ["--engine", engine, "--certificate", proof, *options], [name], seconds)
            if result["verdict"] == "unsafe" or any(d["reason"] == REFUSED for d in result["doubts"]):
                return f"{result['verdict']}: {[d['reason'] for d in result['doubts']]}", True
            proved = result["verdict"] == "safe"
            if proved and result["certified"] is not True:
                return "safe and not certified", True
            if name not in MUST:
                return None, proved
            if not proved:
                return f"no proof: {result['reason']}", False
            again = check(heddle, options, [name, proof], seconds)
            return (None if again["certified"] else f"refused by another process: {again['reason']}"), True
        except (subprocess.TimeoutExpired, ValueError) as error:
            return str(error), False


def main():
    heddle = os.path.abspath(sys.argv[1])
    pattern = sys.argv[2] if len(sys.argv) > 2 else "*"
    wanted = list(runs(pattern))
    if pattern == "*":  # one engine each, in turns; of designs, where clang takes most of the time, some
        wanted = [run for k, run in enumerate(wanted) if run[0] in MUST or k // 2 % 2 == k % 2]
        designs = [run for run in wanted if run[0].endswith(".cpp")]
        others = [run for run in wanted if run not in designs]
        wanted = [run for k, run in enumerate(others) if run[0] in MUST or k % 3 == 1] + designs[::7]
    wanted = wanted[::EVERY]
    failures, proofs = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, options, engine), (wrong, proved) in zip(wanted, pool.map(lambda run: complaint(heddle, *run), wanted)):
            proofs += proved
            if wrong:
                failures.append(f"{name} {' '.join(options)} --engine {engine}: {wrong}")
    for line in failures:
        print(line)
    print(f"{len(wanted)} runs, {proofs} proofs, {len(failures)} failures")
    return 1 if failures or not proofs else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Verdict and counts of every bundled model, with every engine, each reduction with one matcher and each matcher with
one reduction, beside those that are stored.

    counts.py [--heddle HEDDLE] [--models PATTERN] [--every N] [--store] [--stored FILE] [--old HEDDLE] [--jobs N]

Shows each row that differs from what is stored (bench/counts.tsv), or with --old from what another build gives in the
same run, and ends with 1 if there is one; --store writes the present ones down instead. Limits are counted
(--deterministic, so many transitions), so that a slower machine gives the same rows. A run that takes more than 2 s of a
processor all the same is written as `time` and differs from nothing.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXPECT = re.compile(r"^\s*//\s*expect:\s*(?:safe|unsafe|unknown)\b(.*)$", re.MULTILINE)
LANGUAGES = (".ivl", ".dl", ".c", ".cpp")
PREEMPTIVE = ("none", "ample")
COOPERATIVE = ("none", "ct", "stub", "stub2", "stub-min", "dpor", "dpor-hbr", "dpor-stub")
MATCHERS = ("none", "ceq", "pesm", "esm", "esm-hash", "sbc-eq", "sbc-cv", "ess", "approximate", "auto")
STATELESS = ("none", "persistent", "source", "optimal")
ABSTRACTING = ("none", "persistent", "sleep", "persistent+sleep", "aware")
OF_EXPLORER = ("--engine", "--por", "--match", "--order", "--stops", "--check-reduction", "--visited", "--chain", "--time", "--jobs",
               "--deterministic", "--max-", "--guide", "--weight", "--heap", "--state-tracking", "--domain", "--prune", "--scope",
               "--blocks", "--context-bound", "--seed")
LIMITS = ["--deterministic", "--jobs", "1", "--memory", "2G", "--max-transitions", "3000", "--max-states", "3000"]
SECONDS = 2
COUNTS = ("states", "transitions", "executions", "blocked_executions", "matched", "nodes", "refinements", "depth")


def is_cooperative(path):
    return path.suffix == ".ivl" or path.parent.name == "systemc"


def configurations(path):
    """Lists of options that choose an explorer, each once."""
    reductions = COOPERATIVE if is_cooperative(path) else PREEMPTIVE
    chosen = [["search", "--por", por, "--match", "ceq"] for por in reductions]
    chosen += [["search", "--por", reductions[-1], "--match", match] for match in MATCHERS]
    if not is_cooperative(path):
        chosen += [["dpor", "--por", por] for por in STATELESS]
        chosen += [["lazypor"]]
    chosen += [[engine, "--por", por] for engine in ("cegar", "esst") for por in ABSTRACTING]
    return [["--engine", *options] for options in dict.fromkeys(map(tuple, chosen))]


def unknown_values(heddle):
    """What engines have, as `heddle --help=engines` says, and the lists above do not."""
    known = {"search": (PREEMPTIVE, COOPERATIVE, MATCHERS), "dpor": (STATELESS,), "cegar": (ABSTRACTING, ABSTRACTING),
             "esst": (ABSTRACTING, ABSTRACTING)}
    printed = subprocess.run([heddle, "--help=engines"], capture_output=True, check=True, text=True).stdout
    all_engines = re.findall(r"^\| \[`(\w+)`\]", printed, re.MULTILINE)
    yield from (f"engine {engine}" for engine in all_engines if engine not in (*known, "auto", "lazypor"))
    for engine, lists in known.items():
        row = next(line for line in printed.splitlines() if line.startswith(f"| `{engine}` | **"))
        for cell, values in zip(row.strip("| ").split(" | ")[1:], lists):
            yield from (f"{engine}: {name}" for name in cell.replace("*", "").split(", ") if name not in values)


def own_options(path):
    """Those of the model's first run, but for what chooses an explorer."""
    found = EXPECT.search(path.read_text(encoding="utf-8"))
    words = shlex.split(found.group(1).split("//")[0]) if found else []
    kept, skip = [], False
    for word, following in zip(words, [*words[1:], "-"]):
        if skip:
            skip = False
        elif word.startswith(OF_EXPLORER):
            skip = "=" not in word and not following.startswith("-")
        else:
            kept.append(word)
    return kept


def ask(heddle, path, options):
    command = [heddle, "check", "--json", "--no-shrink", *LIMITS, *own_options(path), *options, str(path)]
    run = subprocess.run(command, capture_output=True, check=False,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)))
    if run.returncode == 2:  # perhaps it was the compiler that came to the limit
        run = subprocess.run(command, capture_output=True, check=False)
    if run.returncode == -signal.SIGKILL or b"ended by signal 9" in run.stderr:
        return "time"
    if run.returncode not in (0, 1, 3):
        return f"status {run.returncode}" if run.returncode != 2 else "refused"
    result = json.loads(run.stdout)
    reason = result["reason"] or ""
    counts = " ".join(str(result["statistics"].get(name, 0)) for name in COUNTS)
    return f"{result['verdict']} {counts}" + (f" {reason.split(' (')[0]}" if reason else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--models", default="*")
    parser.add_argument("--every", type=int, default=1, help="one run of so many")
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--stored", default=str(ROOT / "bench" / "counts.tsv"))
    parser.add_argument("--old", help="another build, to be asked instead of what is stored")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once")
    given = parser.parse_args()
    unknown = list(unknown_values(given.heddle))
    if unknown:
        parser.error(f"values that are in no list here: {'; '.join(unknown)}")
    paths = sorted(p for p in (ROOT / "models").rglob("*") if p.suffix in LANGUAGES)
    paths = [p for p in paths if fnmatch.fnmatch(str(p.relative_to(ROOT / "models")), given.models)]
    runs = [(path, options) for path in paths for options in configurations(path)][:: given.every]
    stored = {}
    if not given.store and not given.old:
        for line in pathlib.Path(given.stored).read_text(encoding="utf-8").splitlines():
            model, options, answer = line.split("\t")
            stored[model, options] = answer

    def both(run):
        path, options = run
        key = (str(path.relative_to(ROOT / "models")), " ".join(options))
        before = ask(given.old, path, options) if given.old else stored.get(key)
        return key, before, ask(given.heddle, path, options)

    rows, differences = [], 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for key, before, now in pool.map(both, runs):
            rows.append((*key, now))
            if not given.store and before != now and "time" not in (before, now):
                differences += 1
                print(f"{key[0]} {key[1]}\n    before: {before}\n    now:    {now}", flush=True)
    if given.store:
        pathlib.Path(given.stored).write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    times = sum(row[2] == "time" for row in rows)
    print(f"{len(rows)} runs of {len(paths)} models, {times} of them ended by time, {differences} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

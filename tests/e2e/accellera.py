#!/usr/bin/env python3
"""Compiles and runs every bundled SystemC design, and those of tests/systemc_rules, with Accellera's library.

    accellera.py [PATTERN] [--heddle HEDDLE] [--quick] [--output FOLDER]

A design with a line `// expect: safe [OPTION...]` must run without a failing assertion, whatever its inputs: with all of
them 0, with the values of its lines `// stimulus: NAME VALUE...`, and with random ones. One that is unsafe must compile
and may fail, as the library tries one order of processes and we do not choose the inputs. `// simulation: endless` says
that a run does not end by itself. With --heddle what a run prints is compared with what Heddle prints in the simulator's
order for the same inputs: then that schedule is one of those that Heddle knows, with the same values. A design of
tests/systemc_rules must fail in both or in neither. With --output it is
left in FOLDER, in a file for each variant of a design and each choice of inputs. With --quick one variant of every third
bundled design is enough, a safe one if there is any, and what random inputs lead to is not compared.

Exit status 77: there is no library.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECT = re.compile(r"^// expect:\s*(safe|unsafe|unknown)\b(.*)$", re.MULTILINE)
STIMULUS = re.compile(r"^// stimulus:\s*(\S+)\s+(.*)$", re.MULTILINE)
INPUT = re.compile(r'heddle::input<[^"]*>\("(\w+)"\)')
COMPILER = [os.environ.get("CXX", "c++"), "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", str(ROOT / "include" / "stimulus")]
# What the library reports on its own account.
REPORT = re.compile(r"^\n?(Info|Warning|Error|Fatal): [^\n]*\n( [^\n]*\n)*(In (file|process): [^\n]*\n)*", re.MULTILINE)
SKIPPED = 77
RULES = ROOT / "tests" / "systemc_rules"
VIOLATION = 1  # exit status of Heddle
BROKEN_ASSUMPTION = 3  # exit status of heddle::assume
RANDOM_RUNS = 3
SECONDS = 20
ENDLESS_SECONDS = 1


def library_is_there(folder):
    probe = folder / "probe.cpp"
    probe.write_text("#include <systemc>\nint sc_main(int, char *[]) { return 0; }\n", encoding="utf-8")
    command = [*COMPILER, str(probe), "-o", str(folder / "probe"), "-lsystemc"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def precompile_headers(folder):
    """Those of the library, for designs that include them first: reading them is most of what the compiler does."""
    header = folder / "systemc.h"
    header.write_text("#include_next <systemc.h>\n", encoding="utf-8")
    subprocess.run([*COMPILER, "-x", "c++-header", str(header), "-o", f"{header}.gch"], capture_output=True, check=False)


def variants(path, text):
    """(is safe, macro options): verdicts for other properties say nothing about a run."""
    found = {}
    for verdict, rest in EXPECT.findall(text):
        options = shlex.split(rest)
        macros = tuple(o for o in options if o.startswith("-D"))
        if len(macros) == len(options):
            found[macros] = verdict == "safe"
        else:
            found.setdefault(macros, False)
    return sorted(found.items())


def stimuli(path, text):
    """(what it is called, lines of the file) for each choice of inputs."""
    given = [f"{name} {value}" for name, values in STIMULUS.findall(text) for value in values.split()]
    yield "given" if given else "zero", given
    names = sorted(set(INPUT.findall(text)))
    generator = random.Random(path.name)
    for k in range(RANDOM_RUNS if names else 0):
        most = generator.choice((2, 16, 1 << 32))
        yield f"random-{k}", [f"{name} {generator.randrange(most)}" for name in names for _ in range(16)]


def run_once(program, lines, seconds):
    """(exit status or None if it went on for too long, what was printed, errors)"""
    stimulus = program.with_suffix(".stimulus")
    stimulus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    environment = {**os.environ, "HEDDLE_STIMULUS": str(stimulus), "SC_COPYRIGHT_MESSAGE": "DISABLE"}
    with subprocess.Popen([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        try:
            out, errors = process.communicate(timeout=seconds)
            return process.returncode, out, errors.decode(errors="replace").strip()
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None, b"", ""


def without_reports(printed):
    return [line for line in REPORT.sub("", printed.decode(errors="replace")).splitlines() if line]


def difference(heddle, path, macros, program, status, printed):
    """Where Heddle's run in the simulator's order prints something else, or ends otherwise; "": nowhere."""
    command = [heddle, "simulate", "--schedule=simulator", "--printed", f"--inputs={program.with_suffix('.stimulus')}", *macros, str(path)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=10 * SECONDS)
    ours, theirs = without_reports(run.stdout), without_reports(printed)
    for k, (a, b) in enumerate(zip(ours, theirs)):
        if a != b:
            return f"line {k + 1} is `{a}` and not `{b}`"
    if path.parent == RULES and run.returncode != (VIOLATION if status else 0):
        return f"exit status {run.returncode}, while the library's is {status}"
    return "" if len(ours) == len(theirs) else f"{len(ours)} lines and not {len(theirs)}"


def complaints(path, folder, asked, macros, is_safe):
    """What is wrong with this variant of a design."""
    text = path.read_text(encoding="utf-8")
    name = "".join([path.stem, *macros])
    program = folder / name
    built = subprocess.run([*COMPILER, "-I", str(folder), *macros, str(path), "-o", str(program), "-lsystemc"], capture_output=True, check=False)
    if built.returncode:
        return [f"{name}: does not compile: {built.stderr.decode(errors='replace').strip()}"]
    endless = "// simulation: endless" in text
    wrong = []
    for called, lines in stimuli(path, text):
        status, out, errors = run_once(program, lines, ENDLESS_SECONDS if endless else SECONDS)
        if asked.output and status is not None:
            (asked.output / f"{name}.{called}.out").write_bytes(out)
        compared = asked.heddle and not (asked.quick and called.startswith("random"))
        if compared and status is not None and status != BROKEN_ASSUMPTION:
            differs = difference(asked.heddle, path, macros, program, status, out)
            wrong += [f"{name}, inputs {called}: Heddle does something else in the simulator's order: {differs}"] if differs else []
        if status is None and not endless:
            wrong.append(f"{name}, inputs {called}: does not end")
        elif status == BROKEN_ASSUMPTION:
            if not called.startswith("random"):
                wrong.append(f"{name}, inputs {called}: {errors}")
        elif status and is_safe:
            wrong.append(f"{name}, inputs {called}: exit status {status} {errors}")
    return wrong


def tasks_of(path, folder, asked):
    text = path.read_text(encoding="utf-8")
    return [(path, folder, asked, macros, is_safe) for macros, is_safe in variants(path, text)]


def main():
    arguments = argparse.ArgumentParser(description="Runs the SystemC designs with Accellera's library.")
    arguments.add_argument("pattern", nargs="?", default="*")
    arguments.add_argument("--heddle")
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--output", type=pathlib.Path)
    asked = arguments.parse_args()
    failures, tasks = [], []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if not library_is_there(folder):
            print("no SystemC library: skipped")
            return SKIPPED
        if asked.output:
            asked.output.mkdir(parents=True, exist_ok=True)
        precompile_headers(folder)
        for path in sorted((ROOT / "models" / "systemc").glob(f"{asked.pattern}.cpp")):
            here = tasks_of(path, folder, asked)
            tasks += sorted(here, key=lambda task: not task[-1])[: 1 if asked.quick else None]
        if asked.quick:
            tasks = tasks[::3]
        for path in sorted(RULES.glob(f"{asked.pattern}.cpp")):
            tasks += tasks_of(path, folder, asked)
        if not tasks:
            failures.append("no designs found")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for wrong in pool.map(lambda task: complaints(*task), tasks):
                failures += wrong
    for line in failures:
        print(line)
    print(f"{len(tasks)} variants, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

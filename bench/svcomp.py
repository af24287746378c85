#!/usr/bin/env python3
"""Runs SV-COMP tasks (.yml) with Heddle and compares verdicts with the expected ones.

    svcomp.py [--heddle build/heddle] [--time 60] [--memory 4G] [--jobs N] [--property unreach-call] [--every K] [--out NAME]
              [--option=--engine=dpor ...] [--table] FOLDER_OR_TASK...

Folders are searched recursively. Prints one line per folder: right proofs, right bugs, wrong verdicts, unknown by reason, seconds; then all
of it together. Writes NAME.tsv with every task and NAME.svg with a quantile plot: for each number of right answers, the seconds of the
slowest of them. Tasks that create threads in a loop without bound (as their text says) are also counted apart, because no engine that keeps
threads apart can prove them. A wrong verdict is a task answered against its label; it is shown at once and makes the exit status 1.

With --table the tasks are run with every configuration of engine cegar that the document on abstraction-aware reduction compares (its
Figure 5.3: domain, pruning, blocks, reduction): solved tasks and actions (executed steps) of each, beside the published numbers of solved
tasks (of 763 tasks of a later collection, with 900 s each).
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Task:
    """What a task definition says of the wanted property."""

    def __init__(self, path, wanted):
        self.path = path
        self.spec = self.expected = None
        text = path.read_text(encoding="utf-8", errors="replace")
        for part in re.split(r"^\s*-\s+property_file:\s*", text, flags=re.MULTILINE)[1:]:
            name = part.split()[0].strip("'\"")
            verdict = re.search(r"^\s*expected_verdict:\s*(true|false)\b", part, re.MULTILINE)
            if verdict and pathlib.Path(name).stem == wanted:
                self.spec, self.expected = (path.parent / name), verdict.group(1)
                return

    def folder(self):
        return str(self.path.parent)


def without_comments(source):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL))


def has_no_end(condition):
    """Of a loop: `while (1)`, `for (;;)`, `while (nondet())`."""
    return re.fullmatch(r"\s*(1|true|[^;]*;\s*;.*)?\s*", condition, re.DOTALL) is not None or "nondet" in condition


def creates_threads_without_bound(task):
    """Whether some loop without an end creates threads, in the text of the task's own functions."""
    named = re.search(r"^input_files:\s*['\"]?([^'\"\n]+)", task.path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    file = task.path.parent / named.group(1).strip() if named else None
    if file is None or not file.is_file():
        return False
    source = without_comments(file.read_text(encoding="utf-8", errors="replace"))
    for loop in re.finditer(r"\b(?:while|for)\s*\(([^{}]*?)\)\s*(\{|pthread_create)", source):
        end, depth = loop.end(), 1
        while loop.group(2) == "{" and depth and end < len(source):
            depth += {"{": 1, "}": -1}.get(source[end], 0)
            end += 1
        if "pthread_create" in source[loop.end(1):end] and has_no_end(loop.group(1)):
            return True
    return False


class Answer:
    def __init__(self, verdict, reason="", seconds=0.0, memory=0, engine="", actions=0):
        self.verdict, self.reason, self.seconds, self.memory, self.engine = verdict, reason, seconds, memory, engine
        self.actions = actions

    def kind(self, task):
        """true, false: right answers; wrong; unknown."""
        said = self.verdict.split("(")[0]
        if said not in ("true", "false"):
            return "unknown"
        return said if said == task.expected else "wrong"


def without_place(reason):
    """The kind of a reason: its place in the program and the names in it do not matter."""
    return re.sub(r" \([^()]*:\d+:\d+\)$", "", reason)


def run(arguments, task, further=()):
    command = [arguments.heddle, "check", "--json", "--time", f"{arguments.time}s", "--memory", arguments.memory,
               "--jobs", str(max(1, os.cpu_count() // arguments.jobs)), "--spec", str(task.spec), *arguments.option, *further,
               str(task.path)]
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, timeout=arguments.time * 1.2 + 15, check=False)
    except subprocess.TimeoutExpired:
        return Answer("unknown", "killed: did not stop at its time limit", time.monotonic() - begin)
    seconds = time.monotonic() - begin
    if done.returncode not in (0, 1, 3):
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        message = next((line for line in lines if "error" in line), lines[0] if lines else "")
        message = re.sub(r"^\S+:\d+:\d+: ", "", message.replace(str(task.path.parent) + "/", ""))
        kinds = {2: "bad input", 4: "internal error"}
        return Answer("error", f"{kinds.get(done.returncode, f'status {done.returncode}')}: {message[:80]}", seconds)
    result = json.loads(done.stdout)
    return Answer(result["svcomp"], without_place(result["reason"]), seconds, result["statistics"]["peak_memory_bytes"],
                  result["engine"] or "", result["statistics"]["transitions"] or 0)


def find_tasks(arguments):
    tasks, skipped = [], 0
    for given in arguments.folders:
        paths = sorted(given.rglob("*.yml")) if given.is_dir() else [given]
        for number, path in enumerate(paths):
            task = Task(path, arguments.property)
            if task.expected is None:
                skipped += 1
            elif number % arguments.every == 0:
                tasks.append(task)
    return tasks, skipped


def print_table(results):
    folders = collections.defaultdict(list)
    for task, answer in results:
        folders[task.folder()].append((task, answer))
    common = os.path.commonpath(list(folders)) if len(folders) > 1 else ""
    print(f"\n{'folder':28} {'tasks':>5} {'true':>9} {'false':>9} {'wrong':>5} {'unknown':>7} {'seconds':>8}  unknown because")
    rows = [(os.path.relpath(name, common) if common else os.path.basename(name), folders[name]) for name in sorted(folders)]
    for name, rows_here in rows + ([("together", results)] if len(rows) > 1 else []):
        kinds = collections.Counter(answer.kind(task) for task, answer in rows_here)
        labels = collections.Counter(task.expected for task, _ in rows_here)
        reasons = collections.Counter(a.reason or a.verdict for t, a in rows_here if a.kind(t) == "unknown")
        shown = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common(6))
        right = {k: f"{kinds[k]}/{labels[k]}" for k in ("true", "false")}
        print(f"{name[-28:]:28} {len(rows_here):>5} {right['true']:>9} {right['false']:>9} {kinds['wrong']:>5} "
              f"{kinds['unknown']:>7} {sum(a.seconds for _, a in rows_here):>8.1f}  {shown}")


def print_bounded(results):
    bounded = [(task, answer) for task, answer in results if not creates_threads_without_bound(task)]
    solved = sum(answer.kind(task) in ("true", "false") for task, answer in bounded)
    if len(bounded) < len(results):
        print(f"\n{len(results) - len(bounded)} tasks create threads in a loop without bound. Of the other {len(bounded)}, {solved} were answered "
              f"rightly ({100 * solved / max(1, len(bounded)):.0f} %).")


def write_tsv(path, results):
    with open(path, "w", encoding="utf-8") as f:
        f.write("task\texpected\tverdict\tkind\tseconds\tmemory_bytes\tengine\treason\n")
        for task, a in results:
            f.write(f"{task.path}\t{task.expected}\t{a.verdict}\t{a.kind(task)}\t{a.seconds:.3f}\t{a.memory}\t{a.engine}\t{a.reason}\n")


def quantile_svg(results, limit):
    """Seconds (logarithmic) over the number of right answers, fastest first; proofs, bugs and both."""
    width, height, left, bottom, top = 720, 420, 60, 50, 20
    curves = [("all", "#222222", ("true", "false")), ("proofs", "#1b7837", ("true",)), ("bugs", "#b2182b", ("false",))]
    series = [(name, colour, sorted(max(a.seconds, 0.01) for t, a in results if a.kind(t) in kinds)) for name, colour, kinds in curves]
    most = max([len(values) for _, _, values in series] + [1])
    low, high = -2.0, max(math.log10(limit), 0.0)

    def x(n):
        return left + (width - left - 20) * n / most

    def y(seconds):
        return height - bottom - (height - bottom - top) * (min(math.log10(seconds), high) - low) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for exponent in range(int(low), int(high) + 1):
        at = y(10.0 ** exponent)
        out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{width - 20}" y2="{at:.1f}" stroke="#dddddd"/>'
                   f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0 ** exponent:g}</text>')
    step = max(1, 10 ** (len(str(most)) - 1) // (1 if most > 5 * 10 ** (len(str(most)) - 1) else 2))
    for n in range(0, most + 1, step):
        out.append(f'<text x="{x(n):.1f}" y="{height - bottom + 18}" text-anchor="middle">{n}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle">right answers, fastest first</text>')
    out.append(f'<text x="16" y="{height / 2}" text-anchor="middle" transform="rotate(-90 16 {height / 2})">seconds</text>')
    for row, (name, colour, values) in enumerate(series):
        points = " ".join(f"{x(n + 1):.1f},{y(seconds):.1f}" for n, seconds in enumerate(values))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{left + 12}" y="{top + 16 + 16 * row}" fill="{colour}">{name}: {len(values)}</text>')
    return "\n".join(out + ["</svg>", ""])


def say_answer(task, answer, quiet):
    wrong = answer.kind(task) == "wrong"
    if wrong or not quiet:
        print(f"{'WRONG ' if wrong else ''}{task.path}: {answer.verdict} {answer.reason} ({task.expected} expected, "
              f"{answer.seconds:.1f} s)", flush=True)
    return wrong


# --- every configuration of Figure 5.3 -------------------------------------------------------------------------------------------------

REDUCTIONS = ("none", "persistent", "aware")
PUBLISHED = {("explicit", "full", "small"): (79, 216, 217), ("explicit", "full", "large"): (194, 241, 249),
             ("explicit", "lazy", "small"): (79, 223, 216), ("explicit", "lazy", "large"): (198, 248, 251),
             ("cartesian", "full", "small"): (15, 36, 45), ("cartesian", "full", "large"): (54, 53, 52),
             ("cartesian", "lazy", "small"): (17, 76, 85), ("cartesian", "lazy", "large"): (60, 129, 130)}


def solved_by_all(columns, tasks):
    return [k for k in range(len(tasks)) if all(answers[k].kind(tasks[k]) in ("true", "false") for answers in columns)]


def print_configurations(tasks, table):
    print(f"\n{len(tasks)} tasks. Actions are of all tasks; `both`: of those that persistent and aware solve in that row.\n")
    print(f"{'domain':9} {'prune':5} {'blocks':6} |" + "".join(f" {por:>10} {'actions':>11}" for por in REDUCTIONS)
          + f" | {'both':>4} {'persistent':>11} {'aware':>11} | published")
    for row, published in PUBLISHED.items():
        columns = [table[row + (por,)] for por in REDUCTIONS]
        line = f"{row[0]:9} {row[1]:5} {row[2]:6} |"
        for answers in columns:
            solved = sum(a.kind(t) in ("true", "false") for t, a in zip(tasks, answers))
            line += f" {solved:>10} {sum(a.actions for a in answers):>11}"
        both = solved_by_all(columns[1:], tasks)
        line += f" | {len(both):>4}" + "".join(f" {sum(answers[k].actions for k in both):>11}" for answers in columns[1:])
        print(line + " | " + " ".join(f"{n:>3}" for n in published))


def compare_configurations(arguments, tasks):
    table, wrong = {}, 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, open(f"{arguments.out}.tsv", "w", encoding="utf-8") as out:
        out.write("domain\tprune\tblocks\treduction\ttask\texpected\tverdict\tkind\tseconds\tactions\treason\n")
        for row in PUBLISHED:
            for por in REDUCTIONS:
                further = ["--engine=cegar", f"--domain={row[0]}", f"--prune={row[1]}", f"--blocks={row[2]}", f"--por={por}"]
                answers = list(pool.map(lambda task: run(arguments, task, further), tasks))
                table[row + (por,)] = answers
                for task, a in zip(tasks, answers):
                    wrong += say_answer(task, a, arguments.quiet)
                    out.write("\t".join(map(str, (*row, por, task.path, task.expected, a.verdict, a.kind(task), f"{a.seconds:.3f}",
                                                  a.actions, a.reason))) + "\n")
                out.flush()
                print(f"{' '.join(further)}: {sum(a.kind(t) in ('true', 'false') for t, a in zip(tasks, answers))} solved", flush=True)
    print_configurations(tasks, table)
    print(f"\n{arguments.out}.tsv has every task of every configuration; {wrong} wrong verdicts")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description="SV-COMP tasks with Heddle.")
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER_OR_TASK")
    parser.add_argument("--heddle", default=str(ROOT / "build" / "heddle"))
    parser.add_argument("--time", type=float, default=60, help="seconds for each task")
    parser.add_argument("--memory", default="4G", help="for each task")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--property", default="unreach-call", help="name of the property file without .prp")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only every K-th task of a folder")
    parser.add_argument("--out", default="svcomp", help="results go to NAME.tsv and NAME.svg")
    parser.add_argument("--option", action="append", default=[], help="a further option of heddle check (repeatable)")
    parser.add_argument("--quiet", action="store_true", help="no line per task")
    parser.add_argument("--table", action="store_true", help="every configuration of engine cegar that was published")
    arguments = parser.parse_args()
    tasks, skipped = find_tasks(arguments)
    if not tasks:
        sys.exit(f"svcomp.py: no task with a verdict for {arguments.property} in {' '.join(map(str, arguments.folders))}")
    if arguments.table:
        return compare_configurations(arguments, tasks)
    results = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for task, answer in zip(tasks, pool.map(lambda task: run(arguments, task), tasks)):
            results.append((task, answer))
            say_answer(task, answer, arguments.quiet)
    print_table(results)
    print_bounded(results)
    write_tsv(f"{arguments.out}.tsv", results)
    pathlib.Path(f"{arguments.out}.svg").write_text(quantile_svg(results, arguments.time), encoding="utf-8")
    print(f"\n{arguments.out}.tsv has every task, {arguments.out}.svg the quantile plot"
          + (f"; {skipped} tasks say nothing of {arguments.property}" if skipped else ""))
    wrong = [(task, answer) for task, answer in results if answer.kind(task) == "wrong"]
    for task, answer in wrong:
        print(f"WRONG VERDICT: {task.path}: {answer.verdict}, but {task.expected} is expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

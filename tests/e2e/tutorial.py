#!/usr/bin/env python3
"""Documentation that runs: every ```sh block of the pages is executed, and what they show is compared.

    tutorial.py HEDDLE [PAGE...]

The blocks of a page run in order in one new folder, where `heddle` is on the PATH, `build/heddle` is the same program and
`models` are the bundled ones. What a page promises:

    ```sh
    heddle check race.c                 # exit status 1        (0 where nothing is said)
    ```
    ```text
    unsafe                              the output of the block above, from its first line to its last;
    ...                                 any lines, none included
      at race.c:... in main             within a line, any characters
    ```

```sh elsewhere blocks are not run: what they do is tested by e2e.install. A page without any block that runs is an error.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["docs/tutorial.md", "docs/engines.md", "README.md"]
SECONDS = 120  # for one command; none takes more than a few
FENCE = re.compile(r"^```(.*)$")
STATUS = re.compile(r"#.*\bexit status (\d+)\s*$")
HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


class Block:
    """A fenced block: its words behind the fence, its lines, the line of the page where it begins."""

    def __init__(self, words, line):
        self.words, self.line, self.lines = words, line, []


def blocks_of(text):
    block = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if block is None and fence:
            block = Block(fence[1].split(), number)
        elif fence:
            yield block
            block = None
        elif block is not None:
            block.lines.append(line)
    if block is not None:
        raise SystemExit(f"the block of line {block.line} does not end")


def commands_of(lines):
    """The commands of a block as (text, expected status): one a line, unless a here-document or a backslash goes on."""
    at = 0
    while at < len(lines):
        first, taken = at, [lines[at]]
        while taken[-1].endswith("\\"):
            at += 1
            taken.append(lines[at])
        here = HEREDOC.search(taken[-1])
        if here:
            while lines[at] != here[2]:
                at += 1
                taken.append(lines[at])
        at += 1
        if not lines[first].strip() or lines[first].lstrip().startswith("#"):
            continue
        status = next((STATUS.search(line) for line in taken if STATUS.search(line)), None)
        yield "\n".join(taken), int(status[1]) if status else 0


def line_fits(shown, printed):
    return re.fullmatch(".*".join(re.escape(part) for part in shown.rstrip().split("...")), printed.rstrip()) is not None


def misfit(shown, printed):
    """The first line of `shown` that does not fit, or None. A line `...` stands for any lines."""
    at, anywhere = 0, False
    for line in shown:
        if line.strip() == "...":
            anywhere = True
            continue
        while anywhere and at < len(printed) and not line_fits(line, printed[at]):
            at += 1
        if at == len(printed) or not line_fits(line, printed[at]):
            return line
        at, anywhere = at + 1, False
    return None if anywhere or at == len(printed) else "(the end, where there is more output)"


def run_page(text, folder, environment):
    """Runs a page and returns what is wrong with it, and how many commands ran."""
    wrong, ran, output = [], 0, None
    for block in blocks_of(text):
        kind = block.words[0] if block.words else ""
        if kind == "sh" and block.words[1:] == ["elsewhere"]:
            output = None
        elif kind == "sh":
            output = []
            for command, expected in commands_of(block.lines):
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                                      errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
                ran += 1
                output += done.stdout.splitlines()
                if done.returncode != expected:
                    wrong.append(f"{block.line}: exit status {done.returncode} instead of {expected}: {command.splitlines()[0]}\n"
                                 + done.stdout[-600:])
        elif kind == "text" and output is not None:
            line = misfit(block.lines, output)
            if line is not None:
                wrong.append(f"{block.line}: not as shown: {line}\nprinted:\n" + "\n".join(output[:60]))
    return wrong, ran


def check_the_checker():
    """Pages that lie are found out."""
    honest = "```sh\ncat <<'END'\none\ntwo 5 s\nthree\nEND\n```\n\n```text\none\ntwo ... s\n...\n```\n\n```sh\nfalse # exit status 1\n```\n"
    lies = {
        "status": "```sh\nfalse\n```\n",
        "another status": "```sh\nfalse # exit status 3\n```\n",
        "line": honest.replace("\n```text\none", "\n```text\nonce"),
        "line within": honest.replace("two ... s", "two ... m"),
        "order": honest.replace("one\ntwo ... s\n...", "...\nthree\none\n..."),
        "end": honest.replace("two ... s\n...", "two ... s"),
        "beginning": honest.replace("\n```text\none", "\n```text\nthree"),
    }
    with tempfile.TemporaryDirectory() as folder:
        wrong, ran = run_page(honest, folder, dict(os.environ))
        if wrong or ran != 2:
            raise SystemExit(f"the checker refuses an honest page: {wrong}")
        for name, page in lies.items():
            if not run_page(page, folder, dict(os.environ))[0]:
                raise SystemExit(f"the checker believes a lie: {name}")


# --- all of it ----------------------------------------------------------------------------------------------------------


def folder_for(work, heddle):
    """A folder with the program under its two names. Scripts, not links: the program looks for its module beside itself."""
    for place in (work / "bin", work / "page" / "build"):
        place.mkdir(parents=True)
        (place / "heddle").write_text(f'#!/bin/sh\nexec "{heddle}" "$@"\n')
        (place / "heddle").chmod(0o755)
    (work / "page" / "models").symlink_to(ROOT / "models")
    return work / "page"


def main():
    heddle = Path(sys.argv[1]).resolve()
    check_the_checker()
    failures, commands = 0, 0
    for page in sys.argv[2:] or [str(ROOT / name) for name in PAGES]:
        with tempfile.TemporaryDirectory() as work:
            folder = folder_for(Path(work), heddle)
            environment = dict(os.environ, PATH=f"{work}/bin:{os.environ['PATH']}", NO_COLOR="1")
            wrong, ran = run_page(Path(page).read_text(), folder, environment)
        if ran == 0:
            wrong.append("0: nothing on this page runs")
        for text in wrong:
            print(f"FAIL: {page}:{text}")
        failures += len(wrong)
        commands += ran
    print(f"{commands} commands of the documentation, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())

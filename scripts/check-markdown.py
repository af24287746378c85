#!/usr/bin/env python3
"""check-markdown.py [--wrap] [FILE...]: prose has at most 120 columns, and links, headings, files and pictures exist.

Without files all pages of the source tree. --wrap wraps paragraphs with longer lines. Tables, code and lines that are
one link stay as they are."""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 120
FENCE = re.compile(r"^\s*(```|~~~)")
APART = re.compile(r"^\s*(\||#|<!--|$)")  # tables, headings, comments and blank lines are no part of a paragraph
ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)])\s+")
ONE_LINK = re.compile(r"^\s*([-*+] +|\d+[.)] +)?!?\[[^]]*\]\([^)]*\)[.,;:]?$")
MEANS_SOMETHING = re.compile(r"^([-*+#>|=]+|\d+[.)])$")  # at the beginning of a line
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE_FILE = re.compile(r"`((?:[a-z_0-9]+/)+[a-z_0-9-]+\.(?:[ch]|def|py|sh|cmake))`")


# --- paragraphs ---------------------------------------------------------------------------------------------------------


def marked(lines):
    """Each line with whether it is prose: code is between fences, or indented behind a blank line."""
    fenced, indented, blank = False, False, True
    for line in lines:
        fence = bool(FENCE.match(line))
        indented = line.startswith("    ") and (blank or indented)
        yield line, not (fenced or fence or indented or APART.match(line))
        fenced ^= fence
        blank = not line.strip()


def paragraphs(lines):
    """Lists of lines, with whether they are prose. An item of a list is a paragraph of its own."""
    block = []
    for line, prose in marked(lines):
        if block and (not prose or ITEM.match(line)):
            yield block, True
            block = []
        if prose:
            block.append(line)
        else:
            yield [line], False
    if block:
        yield block, True


def too_long(line):
    return len(line) > COLUMNS and not ONE_LINK.match(line) and len(wrapped([line])) > 1


def words_of(text):
    """Words, of which code in back quotes is never divided, nor does one begin a line that would mean something there."""
    words = []
    for word in re.findall(r"(?:`[^`]*`|[^\s`])+|`", text):
        if words and MEANS_SOMETHING.match(word):
            words[-1] += " " + word
        else:
            words.append(word)
    return words


def wrapped(block):
    item = ITEM.match(block[0])
    first = item.group(0) if item else re.match(r"\s*", block[0]).group(0)
    lines, line = [], first
    for word in words_of(" ".join(block)[len(first):]):
        blank = "" if line.isspace() or line in ("", first) else " "
        if blank and len(line) + 1 + len(word) > COLUMNS:
            lines.append(line)
            line, blank = " " * len(first), ""
        line += blank + word
    return lines + [line]


def wrap(text):
    result = []
    for block, prose in paragraphs(text.split("\n")):
        result += wrapped(block) if prose and any(map(too_long, block)) else block
    return "\n".join(result)


def long_lines(text):
    number = 0
    for block, prose in paragraphs(text.split("\n")):
        for line in block:
            number += 1
            if prose and too_long(line):
                yield f"{number}: {len(line)} columns"


# --- links --------------------------------------------------------------------------------------------------------------


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def anchors_of(text):
    """Headings as a code host names them: in small letters, without punctuation, hyphens for blanks."""
    headings = re.findall(r"^#+ (.*)$", without_code(text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(page, text):
    for link in LINK.findall(re.sub(r"`[^`]*`", "", without_code(text))):
        name, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = page.parent / name if name else page
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target.read_text() if name else text):
            yield f"{link}: no such heading"


def missing_files(page, text):
    """Files of the source tree that a page names: from the top, below src, or beside the page."""
    for name in sorted(set(SOURCE_FILE.findall(without_code(text)))):
        if not any((folder / name).exists() for folder in (ROOT, ROOT / "src", page.parent)):
            yield f"{name}: no such file"


def missing_pictures():
    """Every picture has a place in the gallery."""
    gallery = (ROOT / "docs/gallery.md").read_text()
    for picture in sorted(ROOT.glob("docs/pictures/*")):
        if f"(pictures/{picture.name})" not in gallery:
            yield f"docs/gallery.md: {picture.name} is missing"


# --- all of it ----------------------------------------------------------------------------------------------------------


def check_the_checker():
    """Pages with faults are found out, and wrapping keeps what a page says."""
    page, long = ROOT / "README.md", "word `a b` - " * 12
    honest = f"# A heading!\n\n- item\n\n| {long} |\n\n```\n{long}\n```\n\n    {long}\n\n[x](#a-heading) [y](docs/manual.md#commands)\n"
    assert not list(long_lines(honest)) and not list(dead_links(page, honest)), "an honest page is refused"
    for fault in (long, f"- {long}", f"1. one\n   {long}"):
        assert list(long_lines(honest + fault)), f"not found: {fault}"
        again = wrap(honest + fault)
        assert not list(long_lines(again)) and again.split() == (honest + fault).split(), f"not wrapped: {again}"
        assert not re.search(r"^\s*- word|^\s*- `", again[len(honest) + 5:], re.M), f"became a list: {again}"
    assert not list(missing_files(page, "`machine/machine.h` `src/machine/machine.h`")), "files are not found"
    assert list(missing_files(page, "`machine/no_machine.h`")), "a missing file is not noticed"
    for fault in ("[x](#no-heading)", "[x](docs/no-page.md)", "[x](docs/manual.md#no-heading)"):
        assert list(dead_links(page, honest + fault)), f"not found: {fault}"


def all_pages():
    for page in sorted(ROOT.rglob("*.md")):
        if not any(part == "node_modules" or part.startswith(("build", ".")) for part in page.relative_to(ROOT).parts):
            yield page


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--wrap", action="store_true")
    arguments.add_argument("files", nargs="*", type=Path)
    given = arguments.parse_args()
    check_the_checker()
    faults = [] if given.files else list(missing_pictures())
    for page in given.files or all_pages():
        page = page.resolve()
        text = page.read_text()
        if given.wrap and wrap(text) != text:
            text = wrap(text)
            page.write_text(text)
        name = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
        faults += [f"{name}:{line}" for line in long_lines(text)]
        faults += [f"{name}: {what}" for what in (*dead_links(page, text), *missing_files(page, text))]
    print("\n".join(faults) or "all pages are in order")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

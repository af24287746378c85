#!/usr/bin/env python3
"""Transition counts against the published ones: one group per closed form or table of [1] in docs/algorithms.md.

    published_counts.py HEDDLE            check; a count above the published one fails, and so does a lower one without a reason
    published_counts.py HEDDLE --table    the same as a Markdown table for docs/algorithms.md

Only models whose text the document gives are held to its numbers; reconstructed ones are compared by `make bench-sissi`.
"""

import json
import os
import subprocess
import sys

HEDDLE = sys.argv[1] if len(sys.argv) > 1 else "build/heddle"
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models", "ivl")

# Why a count may be lower than the published one.
SETS = "path conditions are sets: orders of forks that give the same conjuncts match"
SORTED = "operands of commutative operators are sorted, so more states are equal up to renaming"
POINTER = "`*dst \\|= e` through a known pointer is a commuting update: fewer orders matter"
LENGTH = "the number of conjuncts of the path condition is part of the hash"

STATIC = ("ct", "stub", "stub2", "stub-min", "dpor", "dpor-hbr")

groups = []  # (title, [(model, parameters, por, match, published)], reason for lower counts or None, which counter)


def group(title, rows, reason=None, counter="transitions"):
    groups.append((title, rows, reason, counter))


def term_counter():
    reduced = {1: (3, 13), 2: (4, 33), 3: (5, 76), 4: (6, 167)}
    full = {1: (3, 15), 2: (6, 77), 3: (14, 562), 4: (34, 5811)}
    for threads in reduced:
        rows = []
        for n in (50, 100):
            a, b = reduced[threads]
            rows += [("term-counter", dict(T=threads, N=n), "stub", m, a * n + b) for m in ("none", "esm", "esm-hash")]
        group(f"term-counter-{threads}.n with STUB: {a}n+{b}", rows)
        a, b = full[threads]
        rows = [("term-counter", dict(T=threads, N=n), "none", m, a * n + b) for n in (50, 100) for m in ("esm", "esm-hash")]
        group(f"term-counter-{threads}.n without reduction: {a}n+{b}", rows, SETS)


def hash_matches():
    """Tables 7.2 to 7.4: pairs of states with equal hash that were compared."""
    structural = {1: ("1.5n²-3.5n+5", lambda n: (3 * n * n - 7 * n + 10) // 2), 2: ("2n²-5n+24", lambda n: 2 * n * n - 5 * n + 24),
                  3: ("2.5n²-6.5n+102", lambda n: (5 * n * n - 13 * n + 204) // 2), 4: ("3n²-8n+423", lambda n: 3 * n * n - 8 * n + 423)}
    full = {1: (0, 1, "1"), 2: (1, 29, "n+29"), 3: (5, 1042, "5n+1042"), 4: (17, 52887, "17n+52887")}
    for threads, (form, count) in structural.items():
        group(f"term-counter-{threads}.n with STUB, compared by renaming: {form}",
              [("term-counter", dict(T=threads, N=n), "stub", "esm", count(n)) for n in (50, 100)], LENGTH, "match_attempts")
        group(f"term-counter-{threads}.n with STUB, symbolic parts hashed too: 0",
              [("term-counter", dict(T=threads, N=n), "stub", "esm-hash", 0) for n in (50, 100)], None, "match_attempts")
        a, b, form = full[threads]
        group(f"term-counter-{threads}.n without reduction, symbolic parts hashed too: {form}",
              [("term-counter", dict(T=threads, N=n), "none", "esm-hash", a * n + b) for n in (50, 100)], SETS, "match_attempts")


def counter():
    forms, exact = {1: (3, 9), 2: (4, 25), 3: (5, 60), 4: (6, 135)}, {1: 154, 2: 214, 3: 286, 4: 382}
    for threads, (a, b) in forms.items():
        rows = [("counter", dict(T=threads, N=n), "stub", m, a * n + b) for n in (50, 100) for m in ("ceq", "esm-hash")]
        rows += [("counter", dict(T=threads, N=50), "stub", "sbc-cv", a * 50 + b)]
        group(f"counter-{threads}.n: {a}n+{b}", rows)
        group(f"counter-{threads}.50, exact subsumption", [("counter", dict(T=threads, N=50), "stub", "ess", exact[threads])])


def condition_builder():
    group("condition-builder.k, solver methods: 9k-8",
          [("condition-builder", dict(N=k), "stub", m, 9 * k - 8) for k in (8, 16, 32) for m in ("sbc-eq", "sbc-cv", "ess")])
    group("condition-builder, renaming", [("condition-builder", dict(N=k), "stub", "esm-hash", n) for k, n in ((8, 382), (16, 12286))], SORTED)


def rbuf():
    group("rbuf-2.n, renaming: 2^(n+3)-6", [("rbuf", dict(T=2, N=n), "stub", "esm-hash", 2 ** (n + 3) - 6) for n in (1, 3, 5)], POINTER)
    group("rbuf-4.1, renaming", [("rbuf", dict(T=4, N=1), "stub", "esm-hash", 114)], POINTER)
    group("rbuf-2.n, solver methods: 6n+2",
          [("rbuf", dict(T=2, N=n), "stub", m, 6 * n + 2) for n in (1, 3, 5) for m in ("sbc-eq", "sbc-cv", "ess")], POINTER)
    group("rbuf-4.n, solver methods: 34n+2",
          [("rbuf", dict(T=4, N=n), "stub", m, 34 * n + 2) for n in (1, 3, 5) for m in ("sbc-cv", "ess")], POINTER)
    group("rbuf without a limit", [("rbuf", dict(T=t, N=0), "stub", m, n) for t, m, n in (
        (2, "sbc-eq", 18), (2, "sbc-cv", 18), (2, "ess", 12), (4, "sbc-cv", 170), (4, "ess", 68))], POINTER)


def symbolic_counter():
    exact = {3: 21, 6: 40, 9: 58, 12: 76, 15: 94}
    group("symbolic-counter.1.M, renaming and SBC-EQ: 18M+1",
          [("symbolic-counter", dict(BOUND=1, MAX=m), "stub", k, 18 * m + 1) for m in exact for k in ("esm-hash", "sbc-eq")])
    group("symbolic-counter.1.M, SBC-CV: 6M+21", [("symbolic-counter", dict(BOUND=1, MAX=m), "stub", "sbc-cv", 6 * m + 21) for m in exact])
    group("symbolic-counter.1.M, exact subsumption", [("symbolic-counter", dict(BOUND=1, MAX=m), "stub", "ess", n) for m, n in exact.items()])
    bounds = range(2, 8)
    group("symbolic-counter.B.9, renaming",
          [("symbolic-counter", dict(BOUND=b, MAX=9), "stub", "esm-hash", n) for b, n in zip(bounds, (425, 671, 1023, 1447, 1947, 2439))], SETS)
    group("symbolic-counter.B.9, SBC-EQ",
          [("symbolic-counter", dict(BOUND=b, MAX=9), "stub", "sbc-eq", n) for b, n in zip(bounds, (284, 345, 382, 395, 384, 349))])
    group("symbolic-counter.B.9, SBC-CV: 12B+63", [("symbolic-counter", dict(BOUND=b, MAX=9), "stub", "sbc-cv", 12 * b + 63) for b in bounds])
    group("symbolic-counter.B.9, exact subsumption",
          [("symbolic-counter", dict(BOUND=b, MAX=9), "stub", "ess", n) for b, n in zip(bounds, (54, 48, 41, 35, 29, 23))])
    group("symbolic-counter.1.15 by reduction",
          [("symbolic-counter", dict(BOUND=1, MAX=15), p, "esm-hash", n) for p, n in zip(STATIC, (278, 271, 278, 271, 271, 271))])
    group("symbolic-counter.7.9 by reduction",
          [("symbolic-counter", dict(BOUND=7, MAX=9), p, "esm-hash", n) for p, n in zip(STATIC, (2446, 2439, 2446, 2439, 2439, 2439))], SETS)


def symmetric_accumulator():
    group("symmetric-accumulator.N, identity and renaming: 22*2^(N-1)-7",
          [("symmetric-accumulator", dict(N=n), "stub", m, 22 * 2 ** (n - 1) - 7) for n in (1, 2, 3, 5) for m in ("ceq", "esm-hash")], SORTED)
    group("symmetric-accumulator.N, SBC-CV: 7N+3",
          [("symmetric-accumulator", dict(N=n), "stub", "sbc-cv", 7 * n + 3) for n in (1, 2, 5, 10, 15)])
    group("symmetric-accumulator.1, exact subsumption", [("symmetric-accumulator", dict(N=1), "stub", "ess", 10)])
    group("symmetric-accumulator.5 by reduction",
          [("symmetric-accumulator", dict(N=5), p, "esm-hash", n) for p, n in zip(STATIC, (352, 345, 345, 344, 345, 345))], SORTED)
    group("symmetric-accumulator.8 by reduction",
          [("symmetric-accumulator", dict(N=8), p, "esm-hash", n) for p, n in zip(STATIC, (2816, 2809, 2809, 2808, 2809, 2809))], SORTED)


def the_rest():
    group("pressure-safe.T by reduction: 7T+1", [("pressure-safe", dict(N=t), p, "esm-hash", 7 * t + 1) for t in (25, 100) for p in STATIC])
    group("token-ring.1", [("token-ring", dict(N=1), "stub", m, 9) for m in ("esm-hash", "sbc-eq", "sbc-cv", "ess")])
    for threads, n, counts in ((2, 50, (377, 233, 237, 233, 233, 233)), (3, 100, (1962, 576, 582, 576, 576, 576)),
                               (4, 200, (12611, 1367, 1375, 1367, 1367, 1367))):
        rows = [("term-counter", dict(T=threads, N=n), p, "esm-hash", c) for p, c in zip(STATIC, counts)]
        group(f"term-counter-{threads}.{n} by reduction", rows[1:])
        group(f"term-counter-{threads}.{n} with CT", rows[:1], SETS)


def measure(model, parameters, por, match, counter):
    command = [HEDDLE, "check", os.path.join(MODELS, model + ".ivl"), "--json", "--por", por, "--match", match, "--max-transitions", "30000"]
    for name, value in parameters.items():
        command += ["--set", f"{name}={value}"]
    result = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return result["verdict"], result["statistics"][counter]


def row_name(model, parameters, por, match):
    return f"{model} {' '.join(f'{k}={v}' for k, v in parameters.items())} {por} {match}"


def check_group(rows, reason, counter):
    wrong, results = [], []
    for model, parameters, por, match, published in rows:
        verdict, ours = measure(model, parameters, por, match, counter)
        results.append((published, ours))
        if verdict != "safe":
            wrong.append(f"{row_name(model, parameters, por, match)}: {verdict}")
        elif ours > published or (ours < published and not reason):
            wrong.append(f"{row_name(model, parameters, por, match)}: {ours} instead of {published}")
    return wrong, results


def main():
    for collect in (term_counter, hash_matches, counter, condition_builder, rbuf, symbolic_counter, symmetric_accumulator, the_rest):
        collect()
    as_table, failures = "--table" in sys.argv, 0
    if as_table:
        print("| published | counts | ours | why lower |\n|---|---|---|---|")
    for title, rows, reason, what in groups:
        wrong, results = check_group(rows, reason, what)
        failures += bool(wrong)
        lower = any(ours < published for published, ours in results)
        if as_table:
            published = ", ".join(str(p) for p, _ in results)
            ours = ", ".join(str(o) for _, o in results) if lower else "equal"
            print(f"| {title} | {published} | {ours} | {reason if lower else ''} |")
        else:
            print(f"{'FAIL' if wrong else 'ok  '} {title}")
        for line in wrong:
            print("     " + line, file=sys.stderr if as_table else sys.stdout)
    if not as_table:
        print(f"{len(groups) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

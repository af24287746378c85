#!/bin/sh
# Kernels are told apart by their traits (src/program/kernel.h): only who makes a program, or guesses which one it will be,
# and the two tables, may name one.
cd "$(dirname "$0")/../src" || exit 2
found=$(grep -rnE 'KERNEL_(IVL|SYSTEMC|PREEMPTIVE)\b' --include='*.[ch]' . |
        grep -vE '^\./(program/kernel\.[ch]|machine/kernel\.c):|program_create\(|^\./frontend/.*return .*KERNEL_')
[ -z "$found" ] && exit 0
echo "These name a kernel instead of asking for a trait:"
echo "$found"
exit 1

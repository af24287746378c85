#!/usr/bin/env bash
# compare with a table and with a matrix.   laboratory.sh HEDDLE
. "$(dirname "$0")/shell.sh"
# csv EXPRESSION: holds for the rows of r.csv
csv() { "$python" -c "import csv; rows = list(csv.DictReader(open('r.csv'))); assert $1, rows" 2>log || fail "not true of r.csv: $1: $(tail -n 1 log)"; }

mkdir -p programs/deep
cat >programs/counter.ivl <<'END'
param N = 2;
int x = 0;
thread A[i : N] { x = x + 1; wait_time 0; x = x + 1; }
main { start; assert x == 2 * N; }
END
cat >programs/deep/odd,name.ivl <<'END'
param N = 2;
int x = 0;
thread A { x = N; }
thread B { assert x < 3; }
main { start; }
END
cat >programs/endless.ivl <<'END'
param N = 2;
int x = 0;
thread A { while (true) { x = x + 1; wait_time 1; } }
main { start; }
END
echo nothing >programs/notes.txt

# --- the table --------------------------------------------------------------------------------------------------

expect 0 compare programs/counter.ivl
for engine in search cegar esst; do has out "^$engine +.* safe "; done
has out '#'
expect 0 compare --json --engine search,cegar --por none programs/counter.ivl
"$python" -c "import json; r = json.load(open('out'))['rows']; assert [x['engine'] for x in r] == ['search', 'cegar'], r" || fail "rows of compare"
expect 2 compare --engine sideways programs/counter.ivl

# --- the matrix -------------------------------------------------------------------------------------------------

cat >matrix.toml <<'END'
[options]
max-transitions = 200
[configuration.plain]
por = "none"
[configuration.stubborn]
por = "stub-min"
[sweep]
N = [1, 2, 3]
[repetitions]
count = 2
END
expect 0 compare programs --matrix matrix.toml --out r
# 3 programs x 3 values x 2 configurations x 2 repetitions
csv "len(rows) == 36 and len({(r['program'], r['configuration'], r['parameters'], r['repetition']) for r in rows}) == 36"
csv "all(r['verdict'] == 'safe' for r in rows if 'counter' in r['program'])"
csv "{r['parameters'] for r in rows if r['verdict'] == 'unsafe'} == {'N=3'}"
csv "all(r['reason'] == 'transition limit' for r in rows if 'endless' in r['program']) and any('odd,name' in r['program'] for r in rows)"
for picture in r-quantile.svg r-scatter.svg r-scaling.svg; do
    "$python" -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" $picture || fail "$picture is no picture"
done
has r.tex 'counter.ivl, N=3 & [0-9.]+ & [0-9.]+'
has r.tex 'endless.ivl, N=1 & -- & --'

# It goes on where it was: nothing is run again, lost and torn lines are.
cp r.csv before.csv
expect 0 compare programs --matrix matrix.toml --out r
cmp -s r.csv before.csv || fail "runs are repeated"
head -n 20 before.csv >r.csv
printf 'programs/endless.ivl,plain,N=1,1,unk' >>r.csv
expect 0 compare programs --matrix matrix.toml --out r
csv "len(rows) == 36 and len({(r['program'], r['configuration'], r['parameters'], r['repetition']) for r in rows}) == 36"
head -n 20 r.csv | cmp -s - <(head -n 20 before.csv) || fail "lines that were there have changed"

# --- what is wrong ----------------------------------------------------------------------------------------------

echo 'x,y' >other.csv
expect 2 compare programs --matrix matrix.toml --out other
has err 'not a table that Heddle has begun'
printf '[options]\ntime = "1s"\n' >empty.toml
expect 2 compare programs --matrix empty.toml --out e
has err 'there is no configuration'
printf '[configuration.a]\nporr = "none"\n' >wrong.toml
expect 2 compare programs --matrix wrong.toml --out e
has err '^wrong.toml:2:1: error: heddle check has no such option'
printf '[configuration.a]\nengine = "serach"\n' >wrong.toml
expect 2 compare programs --matrix wrong.toml --out e
has err '^wrong.toml:2:1: error: .*serach'
printf '[configuration.a]\n[options]\ntime = "ten"\n' >wrong.toml
expect 2 compare programs --matrix wrong.toml --out e
has err '^wrong.toml:3:1: error: '
printf '[configuration.a]\nengine = ["search", "dpor"]\n' >wrong.toml
expect 2 compare programs --matrix wrong.toml --out e
has err 'takes one value'
expect 2 compare programs --matrix none.toml --out e
mkdir nothing
{ # 4096 to the sixth is 0 in 64 bits: there would be nothing to do
    printf '[configuration.plain]\npor = "none"\n[sweep]\n'
    for name in A B C D E F; do echo "$name = [$(seq -s, 4096)]"; done
} >many.toml
expect 2 compare programs --matrix many.toml --out e
has err 'too many combinations'
expect 2 compare nothing --matrix matrix.toml --out e
has err 'no program'
# A configuration that does not fit is a line with an error, not the end.
printf '[programs]\nmatch = ["counter.ivl"]\n[configuration.fits]\n[configuration.not]\nengine = "dpor"\n' >some.toml
expect 0 compare programs --matrix some.toml --out r
has out '1 error: r.csv'
grep -q 'counter.ivl,not,,1,error,bad input' r.csv || fail "a configuration that does not fit has no line"

# A list of properties is all of them.
mkdir both
printf 'int a[2]; int main(void) { return a[2]; }\n' >both/bounds.c
printf '[configuration.all]\nproperty = ["memory", "assert"]\n' >both.toml
expect 0 compare both --matrix both.toml --out both-results
grep -q 'bounds.c,all,,1,unsafe' both-results.csv || fail "only the last property of a list counts"

finish "the laboratory"

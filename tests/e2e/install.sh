#!/usr/bin/env bash
# Installed, packaged and moved: does it still work?   install.sh BUILD-DIRECTORY
set -uo pipefail
build=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
version=$(grep -m 1 -oP '^## \[\K[0-9.]+' "$source/CHANGELOG.md") # the newest that has a number
failures=0

fail() {
    echo "FAIL: $*"
    [ -s log ] && tail -n 5 log
    failures=$((failures + 1))
}

# verifies HEDDLE: finds the lost update, proves the model, and says its version; nothing of this machine's build is used
verifies() {
    local status
    cp "$source/models/c/lost-update.c" "$source/models/ivl/token-ring.ivl" .
    env -i PATH=/usr/bin:/bin "$1" check --quiet lost-update.c >log 2>&1
    status=$?
    [ $status -eq 1 ] || fail "$1: status $status for lost-update.c"
    env -i PATH=/usr/bin:/bin "$1" check --quiet token-ring.ivl >log 2>&1 || fail "$1: token-ring.ivl is not proved"
    cp "$source/models/c/thread-identity.cpp" "$source/models/systemc/same-delta.cpp" .
    env -i "$1" check --quiet thread-identity.cpp >log 2>&1 || fail "$1: C++ without an environment"
    env -i "$1" check --replay-binary lost-update.c >log 2>&1
    grep -q '^Native replay: the compiled program fails' log || fail "$1: no native replay without an environment"
    env -i "$1" check --replay-binary same-delta.cpp >log 2>&1 # it includes heddle_stimulus.h
    [ $? -eq 1 ] || fail "$1: a SystemC design without an environment"
    [ ! -e /usr/include/systemc ] || grep -q "^Native replay: Accellera's simulator" log || fail "$1: no simulator"
    [ "$("$1" --version)" = "heddle $version" ] || fail "$1: not version $version"
}

# --- make install, and programs on top of the library -----------------------------------------------------------

cmake --install "$build" --prefix "$work/prefix" >log 2>&1 || fail "cmake --install"
mv prefix moved # nothing may remember where it was
verifies "$work/moved/bin/heddle"
[ -f moved/share/man/man1/heddle-check.1 ] || fail "no manual page"
[ -f moved/share/bash-completion/completions/heddle ] || fail "no completion"

cp -r "$source/examples/embed" by_make
sed -i "s|^prefix=.*|prefix=$work/moved|" moved/lib/pkgconfig/heddle.pc
PKG_CONFIG_PATH=$work/moved/lib/pkgconfig make --directory by_make >log 2>&1 || fail "the example with pkg-config"
by_make/embed >log 2>/dev/null && grep -q 'says: unsafe' log || fail "the example with pkg-config gives no verdict"
cp -r "$source/examples/embed" by_cmake
cmake -S by_cmake -B by_cmake/build -DCMAKE_PREFIX_PATH="$work/moved" >log 2>&1 && cmake --build by_cmake/build >log 2>&1 ||
    fail "the example with CMake"
by_cmake/build/embed >log 2>/dev/null && grep -q 'says: unsafe' log || fail "the example with CMake gives no verdict"
cp by_make/embed moved/bin/ # the module is looked for around the program
moved/bin/embed lost-update.c >log 2>/dev/null && grep -q 'says: unsafe' log || fail "the example gives no verdict on C"

# --- names: the library gives a program those of heddle.h and no others ------------------------------------------

# only_declared LIBRARY NM-ARGUMENT...: what it exports are functions of heddle.h, and there are some
only_declared() {
    nm "${@:2}" --extern-only --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort >names
    grep -oE '\<heddle_[a-z0-9_]+' moved/include/heddle.h | sort -u | comm -13 - names >log
    [ -s names ] && [ ! -s log ] || fail "$1 exports $(wc -l <log) names of $(wc -l <names) that heddle.h does not declare"
}

only_declared moved/lib/libheddle.a
[ ! -e moved/lib/libheddle.so ] || only_declared moved/lib/libheddle.so --dynamic # with HEDDLE_SHARED

# --- the Debian package, into a clean root ----------------------------------------------------------------------

(cd "$build" && cpack -G DEB -B "$work/packages") >log 2>&1 || fail "cpack -G DEB"
package=$(echo packages/heddle_*.deb)
dpkg-deb --field "$package" Depends >log
grep -q clang-19 log && grep -q libjansson4 log && grep -q libc6 log || fail "the package does not say what it needs"
mkdir -p root/var/lib/dpkg/{updates,info} root/var/log
touch root/var/lib/dpkg/{status,available}
if [ "$(id -u)" -eq 0 ]; then
    dpkg --root="$work/root" --force-depends --force-script-chrootless --install "$package" >log 2>&1 || fail "the package cannot be installed"
    verifies "$work/root/usr/bin/heddle"
    dpkg --root="$work/root" --force-script-chrootless --remove heddle >log 2>&1 || fail "the package cannot be removed"
    [ -z "$(find root/usr -type f 2>/dev/null)" ] || fail "the package leaves files behind"
else
    dpkg-deb --extract "$package" root && verifies "$work/root/usr/bin/heddle"
fi

# --- the relocatable folder -------------------------------------------------------------------------------------

"$source/scripts/make-tarball.sh" "$build" --folder "$work/first" >log 2>&1 || fail "make-tarball.sh"
mkdir "a place with blanks" && mv first "a place with blanks/heddle"
here="$work/a place with blanks/heddle"
verifies "$here/bin/heddle"
llvm=$(find "$here" -path '*heddle/llvm' -type d)
env -i LD_DEBUG=libs "$here/bin/heddle" check --quiet lost-update.c 2>&1 | grep -E 'calling init: .*lib(LLVM|clang-cpp|jansson|xml2|icu)' |
    grep -v "calling init: $here" >log && fail "libraries of the machine are used"
env -i PATH=/nowhere "$here/bin/heddle" check --quiet lost-update.c >log 2>&1
[ $? -ne 127 ] || fail "it needs a path"
[ -x "$llvm/bin/clang-19" ] || fail "clang is not there"

# --- the module for BenchExec -----------------------------------------------------------------------------------

python3 - "$source/examples/benchexec" "$work/moved/bin/heddle" >log 2>&1 <<'END' || fail "the module for BenchExec"
import subprocess, sys, types

# What BenchExec offers to a module, as far as this one uses it.
result = types.SimpleNamespace(RESULT_DONE="done", RESULT_TIMEOUT="TIMEOUT", RESULT_ERROR="ERROR")
template = types.SimpleNamespace(BaseTool2=object)
packages = {name: types.ModuleType(name) for name in ("benchexec", "benchexec.result", "benchexec.tools", "benchexec.tools.template")}
vars(packages["benchexec.result"]).update(vars(result))
vars(packages["benchexec.tools.template"]).update(vars(template))
packages["benchexec"].result = packages["benchexec.result"]
packages["benchexec"].tools = packages["benchexec.tools"]
packages["benchexec.tools"].template = packages["benchexec.tools.template"]
sys.modules.update(packages)
sys.path.insert(0, sys.argv[1])
import heddle

tool, space = heddle.Tool(), types.SimpleNamespace
task = space(property_file=None, options={"data_model": "LP64"}, input_files_or_identifier=["lost-update.c"])
command = tool.cmdline(sys.argv[2], [], task, space(cputime=60, memory=2_000_000_000))
done = subprocess.run(command, capture_output=True, text=True)
said = tool.determine_result(space(output=done.stdout.splitlines(), was_timeout=False, exit_code=space(value=done.returncode)))
assert said == "false(unreach-call)", (said, done)
assert tool.determine_result(space(output=[], was_timeout=True, exit_code=space(value=None))) == "TIMEOUT"
assert tool.determine_result(space(output=["heddle: error"], was_timeout=False, exit_code=space(value=2))) == "ERROR (bad input)"
END

# --- the example workflow is YAML and uses options that exist ----------------------------------------------------

workflow=$source/examples/ci/heddle.yml
"$work/moved/bin/heddle" check --help=all >help
for option in $(grep -oE -- 'heddle check .*' "$workflow" | grep -oE -- '--[a-z-]+'); do
    grep -q -- "^  $option" help || fail "the workflow uses $option, which does not exist"
done

[ $failures -eq 0 ] && echo "all tests of installations passed"
exit $((failures > 0))

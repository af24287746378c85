#!/usr/bin/env bash
# make-tarball.sh BUILD-DIRECTORY [--folder FOLDER]: a relocatable archive of Heddle with all that it needs but the C library and its headers:
# unpack it anywhere, without root, without a network. With --folder only that folder is made, without an archive.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
version=$(sed -n 's/^#define HEDDLE_VERSION "\(.*\)"/\1/p' include/heddle.h)
name=heddle-$version-linux-$(uname -m)
if [ "${2:-}" = --folder ]; then
    folder=$3
else
    folder=$(mktemp -d)/$name
    trap 'rm -rf "$(dirname "$folder")"' EXIT
fi

cmake --install "$build" --prefix "$folder" --strip >/dev/null
module=$(find "$folder" -name 'heddle-llvm-*.so')
llvm=$(dirname "$module")/llvm
clang=$(realpath "$(command -v clang-19)")
resources=$(clang-19 -print-resource-dir)
mkdir -p "$llvm/bin" "$llvm/lib/clang"
cp "$clang" "$llvm/bin/clang"
cp -rL "$resources" "$llvm/lib/clang/"
rm -rf "$llvm/lib/clang/$(basename "$resources")/lib" # run-times of sanitizers

# Everything that they are linked with, except the C library, which belongs to the machine.
ldd "$folder/bin/heddle" "$module" "$clang" | awk '/=> \// { print $3 }' | sort -u |
    grep -vE '/(ld-linux|libc\.so|libm\.so|libdl\.so|libpthread\.so|librt\.so)' | while read -r library; do
    cp -L "$library" "$llvm/lib/"
done
strip --strip-unneeded "$llvm"/lib/*.so* 2>/dev/null || true

# Its libraries find theirs only through the environment; Heddle itself has a path that holds for them, too.
cat >"$llvm/bin/clang-19" <<'END'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH="$here/../lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/clang" "$@"
END
chmod +x "$llvm/bin/clang-19"
if [ "${2:-}" != --folder ]; then
    tar czf "$build/$name.tar.gz" --directory "$(dirname "$folder")" "$name"
    echo "$build/$name.tar.gz"
fi

#!/bin/sh
# coverage.sh BUILD OUTPUT: what the tests of a build with coverage reached of the libraries.
set -eu
profile=$(find "$1" -name default.profdata | head -n 1)
program=$(find "$1"/debug/ -maxdepth 1 -name '*PackageTests.xctest' | head -n 1)
mkdir -p "$2"
tools=$(dirname "$(readlink -f "$(command -v swift)")")
cov=$(command -v llvm-cov || echo "$tools/llvm-cov")
"$cov" report "$program" -instr-profile="$profile" Sources > "$2/report.txt"
# Lines with a count of 0, under the name of their file.
"$cov" show "$program" -instr-profile="$profile" Sources | awk '
    /^\/.*:$/ { file = $0 }
    /^ *[0-9]+\| *0\|/ { if (file != shown) { print file; shown = file } print }' > "$2/missed.txt"
awk '/^Filename|^TOTAL/ { print }' "$2/report.txt" | cut -c 1-400
echo "every file: $2/report.txt; lines never reached: $2/missed.txt ($(grep -c '|' "$2/missed.txt"))"

#!/bin/sh
# coverage.sh BUILD OUTPUT: what the tests of a build with coverage, the replayed fuzz corpus among them, reached of the
# libraries.
#
#   report.txt   every file, with its lines and functions
#   missed.txt   the lines never reached, with their source, under the name of their file and how many they are
set -eu
profile=$(find "$1" -name default.profdata | head -n 1)
program=$(find "$1"/debug/ -maxdepth 1 -name '*PackageTests.xctest' | head -n 1)
mkdir -p "$2"
# The toolchain's own first: profiles of another version are not read.
cov="$(dirname "$(readlink -f "$(command -v swift)")")/llvm-cov"
test -x "$cov" || cov=$(command -v llvm-cov)
"$cov" report "$program" -instr-profile="$profile" Sources > "$2/report.txt"
# A generic function counts as reached where one of its instances was.
"$cov" show "$program" -instr-profile="$profile" -show-instantiations=false Sources | awk -v root="$PWD/" '
    function close_file() { if (count) printf "%s: %d lines never reached\n%s\n", file, count, lines }
    /^\/.*:$/ {
        close_file()
        file = substr($0, 1, length($0) - 1)
        sub(root, "", file)
        count = last = 0
        lines = ""
    }
    /^ *[0-9]+\| *0\|/ {
        number = $0 + 0
        text = $0
        sub(/^ *[0-9]+\| *0\|/, "", text)
        # A gap in the numbers is a gap in the list.
        if (last && number > last + 1) lines = lines "        …\n"
        lines = lines sprintf("%6d  %s\n", number, text)
        last = number
        count++
    }
    END { close_file() }' > "$2/missed.txt"
awk '/^Filename|^TOTAL/ { print }' "$2/report.txt" | cut -c 1-400
awk '/: [0-9]+ lines never reached$/ { print $(NF - 3), substr($1, 1, length($1) - 1) }' "$2/missed.txt" | sort -rn |
    head -n 20
echo "every file: $2/report.txt; lines never reached: $2/missed.txt ($(grep -c '^ *[0-9]' "$2/missed.txt"))"

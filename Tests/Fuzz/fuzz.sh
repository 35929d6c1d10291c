#!/bin/sh
# Runs fuzz targets and keeps the account of what was run.
#
#   fuzz.sh run TARGET SECONDS    one target for so many seconds
#   fuzz.sh all SECONDS           every target, one after another
#   fuzz.sh figures               executions, processor time, coverage and findings so far
#
# FUZZ_HOME keeps corpus, findings and the account; FUZZER is the program built with libFuzzer, PROGRAM the plain one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
targets="FuzzParse FuzzRoundTrip FuzzEvaluate FuzzAgreement FuzzLike FuzzFold FuzzArchive FuzzPropertyList FuzzModel FuzzXMLStore FuzzStore FuzzRules FuzzCommand"
targets="$targets FuzzLint FuzzLanguageServer"
account="$FUZZ_HOME/account.tsv"

# Findings are inputs that broke a property, took a second of processor time or 30 of the clock, asked the allocator
# for 256 MiB at once, or let the process, corpus and coverage tables included, grow past 512 MiB.
run() {
    case " $targets " in
    *" $1 "*) ;;
    *)
        echo "no fuzz target is called '$1'; there are $targets" >&2
        return 2
        ;;
    esac
    corpus="$FUZZ_HOME/corpus/$1" seeds="$FUZZ_HOME/seeds/$1" found="$FUZZ_HOME/findings/$1"
    log="$FUZZ_HOME/$1.log" times="$FUZZ_HOME/$1.times"
    mkdir -p "$corpus" "$found"
    test -d "$seeds" || "$PROGRAM" seeds "$here/../Conformance" "$1" "$seeds"
    "$PROGRAM" dictionary > "$FUZZ_HOME/$1.dictionary"
    status=0
    # The crash is libFuzzer's to report: it keeps the input.
    SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$1 bash -c 'time "$@" 2> "$0"' "$log" "$FUZZER" "$corpus" "$seeds" -dict="$FUZZ_HOME/$1.dictionary" \
        -max_len="$("$PROGRAM" length "$1")" -max_total_time="$2" -timeout=30 -malloc_limit_mb=256 \
        -rss_limit_mb=512 -print_final_stats=1 -artifact_prefix="$found/" 2> "$times" || status=$?
    executions=$(grep -a -o '^#[0-9][0-9]*' "$log" | tail -n 1 | tr -d '#')
    edges=$(grep -a -o 'cov: [0-9]*' "$log" | tail -n 1 | tr -dc 0-9)
    features=$(grep -a -o 'ft: [0-9]*' "$log" | tail -n 1 | tr -dc 0-9)
    seconds=$(awk '/^(user|sys)/ { split($2, t, "[ms]"); s += t[1] * 60 + t[2] } END { printf "%.0f", s }' "$times")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "${executions:-0}" "$seconds" "${edges:-0}" "${features:-0}" \
        "$(test $status -eq 0 && echo 0 || echo 1)" >> "$account"
    if [ $status -ne 0 ]; then
        grep -a -E 'Fatal error|ERROR: libFuzzer' "$log" | cut -c 1-600
        echo "$1: the input lies in $found; its place among the replayed inputs is $here/Replay/Inputs/$1"
        return 1
    fi
}

figures() {
    printf '%-14s %14s %12s %8s %9s %9s\n' target executions "CPU minutes" edges features findings
    for target in $targets; do
        awk -F '\t' -v target="$target" '$1 == target {
            e += $2; s += $3; f += $6; if ($4 > c) c = $4; if ($5 > t) t = $5
        } END { printf "%-14s %14d %12.1f %8d %9d %9d\n", target, e, s / 60, c, t, f }' "$account"
    done
}

mkdir -p "$FUZZ_HOME"
touch "$account"
case "$1" in
run) run "$2" "$3" && figures ;;
all)
    status=0
    for target in $targets; do run "$target" "$2" || status=1; done
    figures
    exit $status
    ;;
figures) figures ;;
esac

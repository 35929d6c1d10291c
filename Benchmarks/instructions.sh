#!/bin/sh
# Counts the instructions of small works and compares them with the budget.
#
#     instructions.sh PROGRAM FOLDER BUDGET [--update] [--optional]
#
# PROGRAM is InstructionCounts as it was built for release; profiles are written into FOLDER. With --optional, what
# keeps the machine from counting is reported and is no failure.
set -u
program=$1 folder=$2 budget=$3
shift 3

# The same words to hash, the same functions of the C library on every processor, and nothing of the user's.
counted() {
    env -i PATH="$PATH" ${LD_LIBRARY_PATH:+LD_LIBRARY_PATH="$LD_LIBRARY_PATH"} LC_ALL=C TZ=UTC \
        SWIFT_DETERMINISTIC_HASHING=1 \
        GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX_Usable,-AVX2,-AVX2_Usable,-AVX512F,-ERMS,-FSRM,-BMI2,-LZCNT,-MOVBE \
        valgrind --quiet "$@"
}

skip() {
    echo
    echo "********************************************************************************"
    echo "INSTRUCTIONS NOT COUNTED: $1"
    echo "Nothing guards the speed of this build. Count where valgrind runs: make instructions"
    echo "********************************************************************************"
    echo
    case " $* " in *" --optional "*) exit 0 ;; *) exit 1 ;; esac
}

rm -rf "$folder" && mkdir -p "$folder" || exit 2
command -v valgrind > "$folder/probe.log" 2>&1 || skip "there is no valgrind." "$@"
counted --tool=none "$program" probe > "$folder/probe.log" 2>&1 || {
    tail -n 5 "$folder/probe.log"
    skip "valgrind cannot run the program here (its last words are above)." "$@"
}
counted --tool=callgrind --toggle-collect=counted_region --dump-after=counted_region \
    --callgrind-out-file="$folder/callgrind.out.works" "$program" count "$folder" 2> "$folder/count.log"
status=$?
[ $status -eq 0 ] || tail -n 5 "$folder/count.log"
# The program itself ends with 2, and then a work is wrong; anything else is valgrind's.
[ $status -ne 2 ] || exit 2
[ $status -eq 0 ] || skip "callgrind gave up (its last words are above)." "$@"
exec "$program" check "$folder" "$budget" "$@"

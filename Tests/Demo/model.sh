#!/bin/sh
# Builds the ToDo model, fills a store, asks, compares the versions, migrates; then does the same with the command.
# Usage: model.sh PATH-OF-THE-PROGRAM PATH-OF-THE-COMMAND
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
demo=$1 command=$2

# Prints a command line and runs it.
run() {
    printf '\n$ predicate'
    for word; do
        case $word in
        *[\ \"\*]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$command" "$@"
}

"$demo" fill "$folder"
cd "$folder"
run model diff ToDo.xcdatamodeld
"$demo" migrate "$folder"
run filter 'ANY items.name BEGINSWITH[c] %@' ToDo.sqlite --entity Category --object-ids --arg b

# The same migration without Swift: a rule in the place of the policy.
echo 'ToDo, name BEGINSWITH[c] "a", doNotAlert = YES' > quiet.rules
run migrate ToDo.sqlite --to ToDo.xcdatamodeld --rules quiet.rules -o ToDo3.sqlite
run filter 'doNotAlert == YES' ToDo3.sqlite --entity ToDo --keys name,due,lastAlertDate
run update 'lastAlertDate == nil AND doNotAlert == NO' ToDo3.sqlite --entity ToDo \
    --set lastAlertDate=2026-05-09T06:15:00Z --once 'alerts are set' --result ids
run update 'lastAlertDate == nil AND doNotAlert == NO' ToDo3.sqlite --entity ToDo \
    --set lastAlertDate=2026-05-09T06:15:00Z --once 'alerts are set' --result ids || test $? -eq 1

#!/bin/sh
# Builds the ToDo model, fills a store of the XML type, asks, compares the versions, migrates; then does the same with the
# command, and ends with the same store in SQLite.
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
run filter 'ANY items.name BEGINSWITH[c] %@' ToDo.xml --entity Category --object-ids --arg b

# The same migration without Swift: a rule in the place of the policy.
echo 'ToDo, name BEGINSWITH[c] "a", doNotAlert = YES' > quiet.rules
run store migrate ToDo.xml --to ToDo.xcdatamodeld --rules quiet.rules -o ToDo3.xml
run filter 'doNotAlert == YES' ToDo3.xml --entity ToDo --keys name,due,lastAlertDate
run store update 'lastAlertDate == nil AND doNotAlert == NO' ToDo3.xml --entity ToDo \
    --set lastAlertDate=2026-05-09T06:15:00Z --once 'alerts are set' --result ids
run store update 'lastAlertDate == nil AND doNotAlert == NO' ToDo3.xml --entity ToDo \
    --set lastAlertDate=2026-05-09T06:15:00Z --once 'alerts are set' --result ids || test $? -eq 1

# The store in SQLite, which answers as the one in XML does.
"$demo" convert "$folder"
run store migrate ToDo3.xml --to ToDo3.xml --type sqlite -o ToDo3.sqlite
run store metadata ToDo3.sqlite NSStoreType
for store in ToDo3.xml ToDo3.sqlite; do
    run filter 'lastAlertDate != nil' "$store" --entity ToDo --keys name,due,doNotAlert --sort name > "$store.answer"
done
tail -n +3 ToDo3.xml.answer > xml.rows
tail -n +3 ToDo3.sqlite.answer > sqlite.rows
cat xml.rows
cmp xml.rows sqlite.rows
test -s xml.rows

#!/bin/sh
# Filters real data: the tables of countries, languages and currencies in Debian's iso-codes.
# Usage: demo.sh PATH-OF-THE-COMMAND
predicate=$1
cd /usr/share/iso-codes/json || exit 1

# Prints a command as it is typed, and runs it.
run() {
    echo
    printf '$ predicate'
    for word; do
        case $word in
        *[!A-Za-z0-9.,_/-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    echo
    "$predicate" "$@"
}

echo "The seven countries whose names end in stan:"
run filter --path 3166-1 'name ENDSWITH "stan"' --keys alpha_2,name --output jsonl iso_3166-1.json

echo
echo "With [cd], accents and case are ignored:"
run filter --path 3166-1 'name CONTAINS[cd] %@ OR name BEGINSWITH[cd] %@' --arg "cote d" --arg aland \
    --keys alpha_2,name --output jsonl iso_3166-1.json

echo
echo "Francs of three countries, by their codes:"
run filter --path 4217 'name ENDSWITH "Franc" AND alpha_3 IN {"CHF", "DJF", "XOF", "BIF"}' \
    --keys alpha_3,name --output jsonl iso_4217.json

echo
echo "How many of the languages have a code of two letters:"
run filter --path 639-2 'alpha_2 != nil AND alpha_2.length == 2' --count iso_639-2.json

echo
echo "An error:"
run filter --path 4217 'alpha_3 NOT IN {"EUR"}' iso_4217.json
test $? -eq 2

#!/bin/sh
# Installs the command, its manual page and the completions of bash, zsh and fish.
# sh Sources/Command/predicate/Packaging/install.sh PROGRAM PREFIX
set -eu
program=$1
prefix=$2

install -D -s "$program" "$prefix/bin/predicate"
# put FOLDER NAME ARGUMENT...: what the command prints for these arguments
put() {
    file=$prefix/share/$1/$2
    shift 2
    mkdir -p "$(dirname "$file")"
    "$program" "$@" > "$file"
    chmod 644 "$file"
}
put man/man1 predicate.1 help --man
put bash-completion/completions predicate completion bash
put zsh/site-functions _predicate completion zsh
put fish/vendor_completions.d predicate.fish completion fish

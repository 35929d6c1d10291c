#!/bin/sh
# Makes what a release contains: sh Sources/Command/predicate/Packaging/release.sh PROGRAM LINTER FOLDER writes into FOLDER
#   predicate_VERSION_ARCHITECTURE.deb           the package for Debian and Ubuntu
#   predicate-VERSION-TRIPLE.tar.gz              the command with its manual page and completions
#   predicate-lint-plugins-VERSION-TRIPLE.tar.gz a Swift package of the plugins, whose linter is already built
#   SHA256SUMS
# It needs no network.
set -eu
program=$1
linter=$2
folder=$3
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "$here/../../.." && pwd)

version=$("$program" --version | cut -d' ' -f2)
triple=$("${SWIFT:-swift}" -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",$/\1/p' | head -1)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
rm -rf "$folder"
mkdir -p "$folder"
# archive NAME: the folder NAME of the root, with the licence in it
archive() {
    cp "$sources/../LICENSE" "$root/$1/"
    tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner -czf "$folder/$1.tar.gz" "$1"
}

sh "$here/deb.sh" "$program" "$folder"

command=predicate-$version-$triple
sh "$here/install.sh" "$program" "$root/$command"
archive "$command"

plugins=predicate-lint-plugins-$version-$triple
bundle=$root/$plugins/predicate-lint.artifactbundle
install -D -s "$linter" "$bundle/$triple/predicate-lint"
cat > "$bundle/info.json" <<JSON
{
  "schemaVersion": "1.0",
  "artifacts": {
    "predicate-lint": {
      "version": "$version",
      "type": "executable",
      "variants": [{"path": "$triple/predicate-lint", "supportedTriples": ["$triple"]}]
    }
  }
}
JSON
cp -R "$sources/Lint/PredicateLintPlugin" "$sources/Lint/PredicateLintCommand" "$root/$plugins/"
cp "$here/PluginsManifest.txt" "$root/$plugins/Package.swift"
archive "$plugins"

(cd "$folder" && sha256sum -- * > SHA256SUMS)

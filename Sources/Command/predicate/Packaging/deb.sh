#!/bin/sh
# Makes a package for Debian: sh Sources/Command/predicate/Packaging/deb.sh PROGRAM FOLDER writes FOLDER/predicate_VERSION_ARCHITECTURE.deb
set -eu
program=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)

version=$("$program" --version | cut -d' ' -f2)
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

sh "$here/install.sh" "$program" "$root/package/usr"
mkdir -p "$root/package/usr/share/zsh/vendor-completions" "$root/package/usr/share/doc/predicate" "$root/debian"
# Debian's zsh looks here.
mv "$root/package/usr/share/zsh/site-functions/_predicate" "$root/package/usr/share/zsh/vendor-completions/"
rmdir "$root/package/usr/share/zsh/site-functions"
gzip -9n "$root/package/usr/share/man/man1/predicate.1"
cp "$here/../../../../LICENSE" "$root/package/usr/share/doc/predicate/copyright"

# dpkg-shlibdeps names the packages of the libraries that the program needs; it asks for a source package around it.
printf 'Source: predicate\n\nPackage: predicate\nArchitecture: any\n' > "$root/debian/control"
depends=$(cd "$root" && dpkg-shlibdeps -O package/usr/bin/predicate 2>/dev/null | sed -n 's/^shlibs:Depends=//p')

mkdir "$root/package/DEBIAN"
cat > "$root/package/DEBIAN/control" <<CONTROL
Package: predicate
Version: $version
Architecture: $architecture
Maintainer: The authors of swift-predicates <noreply@example.org>
Depends: $depends
Installed-Size: $(du -sk "$root/package/usr" | cut -f1)
Section: utils
Priority: optional
Description: filter data with predicates in the format language of NSPredicate
 Prints the records of JSON, JSON Lines, CSV, TSV and SQLite files that match a
 predicate such as "age >= 21 AND name BEGINSWITH[cd] 'jo'", sorts and groups
 them, compiles predicates to SQL and finds mistakes in them.
CONTROL
mkdir -p "$folder"
dpkg-deb --root-owner-group --build "$root/package" "$folder/predicate_${version}_$architecture.deb"

#!/bin/sh
# Migrations of a Core Data store, and its export to plain tables, beside one INSERT … SELECT of the same rows, which sqlite3
# runs; and its opening.
#
#     migration.sh PREDICATE [OBJECTS [ROUNDS]]
#
# PREDICATE is the command as it was built for release. The store has OBJECTS items (1,000,000) in 1,000 categories, half of
# them with a tag; the second version renames an attribute, adds one with a default, and drops one. Every round runs all works one
# after another; the least wall clock and processor time of the rounds count, so that other work on the machine matters little.
set -eu
predicate=$1 objects=${2:-1000000} rounds=${3:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# model FILE VERSION NAME-OF-THE-TITLE MORE-ATTRIBUTES
model() {
    mkdir -p "$1"
    cat > "$1/contents" <<XML
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="$2">
<entity name="Item">
$3
<attribute name="due" optional="YES" attributeType="Date"/>
<attribute name="price" optional="YES" attributeType="Double"/>
<attribute name="isDone" attributeType="Boolean" defaultValueString="NO"/>
<relationship name="category" optional="YES" maxCount="1" destinationEntity="Category" inverseName="items" inverseEntity="Category"/>
<relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="items" inverseEntity="Tag"/>
</entity>
<entity name="Category">
<attribute name="name" attributeType="String"/>
<relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="category" inverseEntity="Item"/>
</entity>
<entity name="Tag">
<attribute name="name" attributeType="String"/>
<relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="tags" inverseEntity="Item"/>
</entity>
</model>
XML
}
model one.xcdatamodel 1 '<attribute name="name" attributeType="String"/><attribute name="count" attributeType="Integer 64" optional="YES"/>'
model two.xcdatamodel 2 '<attribute name="title" attributeType="String" elementID="name"/><attribute name="rank" attributeType="Integer 16" defaultValueString="3"/>'
"$predicate" store create one.sqlite --model one.xcdatamodel

# The numbers of the entities in the order of their names: Category 1, Item 2, Tag 3.
sqlite3 one.sqlite > /dev/null <<SQL
PRAGMA synchronous = OFF;
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO ZCATEGORY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'category ' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 3, 1, 'tag ' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $objects)
INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZCATEGORY, ZCOUNT, ZDUE, ZISDONE, ZNAME, ZPRICE)
SELECT i, 2, 1, 1 + i * 7919 % 1000, i, 700000000.5 + i, i % 2, 'item number ' || i, i * 0.25 FROM n;
INSERT INTO Z_2TAGS (Z_2ITEMS, Z_3TAGS) SELECT Z_PK, 1 + Z_PK * 31 % 100 FROM ZITEM WHERE Z_PK % 2 = 0;
UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_ENT WHEN 1 THEN 1000 WHEN 2 THEN $objects ELSE 100 END;
COMMIT;
PRAGMA wal_checkpoint(TRUNCATE);
SQL

cat > rows.sql <<SQL
PRAGMA synchronous = OFF;
PRAGMA journal_mode = MEMORY;
ATTACH 'one.sqlite' AS old;
BEGIN;
CREATE TABLE ZCATEGORY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCATEGORY INTEGER, ZDUE TIMESTAMP,
    ZISDONE INTEGER, ZPRICE FLOAT, ZRANK INTEGER, ZTITLE VARCHAR);
CREATE TABLE Z_2TAGS (Z_2ITEMS INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_2ITEMS, Z_3TAGS));
INSERT INTO ZCATEGORY SELECT * FROM old.ZCATEGORY;
INSERT INTO ZTAG SELECT * FROM old.ZTAG;
INSERT INTO ZITEM SELECT Z_PK, Z_ENT, Z_OPT, ZCATEGORY, ZDUE, ZISDONE, ZPRICE, 3, ZNAME FROM old.ZITEM;
INSERT INTO Z_2TAGS (Z_2ITEMS, Z_3TAGS) SELECT Z_2ITEMS, Z_3TAGS FROM old.Z_2TAGS;
SQL
cat > indexes.sql <<SQL
CREATE INDEX ZITEM_ZCATEGORY_INDEX ON ZITEM (ZCATEGORY);
CREATE INDEX Z_2TAGS_Z_3TAGS_INDEX ON Z_2TAGS (Z_3TAGS, Z_2ITEMS);
SQL

# The tables, keys, indexes and forms of an export, without its check that every link leads to an object.
cat > export.sql <<SQL
PRAGMA synchronous = OFF;
PRAGMA journal_mode = MEMORY;
ATTACH 'one.sqlite' AS old;
BEGIN;
CREATE TABLE Category (Z_PK INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE Item (Z_PK INTEGER PRIMARY KEY, name TEXT, count INTEGER, due TEXT, price REAL, isDone BOOLEAN DEFAULT 0,
    category INTEGER REFERENCES Category (Z_PK) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE Tag (Z_PK INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE Item_tags (Item INTEGER NOT NULL REFERENCES Item (Z_PK) DEFERRABLE INITIALLY DEFERRED,
    tags INTEGER NOT NULL REFERENCES Tag (Z_PK) DEFERRABLE INITIALLY DEFERRED, PRIMARY KEY (Item, tags));
INSERT INTO Category SELECT Z_PK, ZNAME FROM old.ZCATEGORY;
INSERT INTO Item SELECT Z_PK, ZNAME, ZCOUNT, strftime('%Y-%m-%dT%H:%M:%fZ', ZDUE + 978307200, 'unixepoch'), ZPRICE,
    ZISDONE, ZCATEGORY FROM old.ZITEM;
INSERT INTO Tag SELECT Z_PK, ZNAME FROM old.ZTAG;
INSERT INTO Item_tags SELECT Z_2ITEMS, Z_3TAGS FROM old.Z_2TAGS;
CREATE INDEX "Item.category" ON Item (category);
CREATE INDEX "Item_tags.tags" ON Item_tags (tags);
COMMIT;
SQL

# measure NAME COMMAND...: adds the wall clock, the processor time and the most memory of a command to times.txt.
measure() {
    name=$1
    shift
    /usr/bin/time -o time.txt -f '%e %U %S %M' "$@" > /dev/null
    awk -v name="$name" '{ print name "\t" $1 "\t" $2 + $3 "\t" $4 / 1024 }' time.txt >> times.txt
}

for round in $(seq "$rounds"); do
    for work in plain indexed; do
        rm -f plain.sqlite
        { cat rows.sql; test $work = plain || cat indexes.sql; echo 'COMMIT;'; } > work.sql
        measure "INSERT … SELECT, $work" sh -c 'sqlite3 plain.sqlite < work.sql'
    done
    rm -f two.sqlite
    measure 'inferred migration' "$predicate" store migrate --quiet one.sqlite --to two.xcdatamodel -o two.sqlite
    rm -f plain.sqlite
    measure 'INSERT … SELECT, export' sh -c 'sqlite3 plain.sqlite < export.sql'
    rm -f plain.sqlite
    measure 'export to SQLite' "$predicate" store export --quiet one.sqlite -o plain.sqlite
    measure 'opening, metadata' "$predicate" store metadata one.sqlite NSStoreType
    measure 'opening, one object' "$predicate" filter --entity Item --first 1 TRUEPREDICATE one.sqlite
done
test "$("$predicate" filter --entity Item --count 'rank == 3 AND category != nil' two.sqlite)" -eq "$objects"
echo "$objects objects; seconds of wall clock and of the processor, the least of $rounds rounds, and megabytes"
sort -t '	' -k1,1 -s times.txt | awk -F '\t' '
    !($1 in wall) { order[++count] = $1; wall[$1] = $2; cpu[$1] = $3; memory[$1] = $4 }
    { if ($2 < wall[$1]) wall[$1] = $2; if ($3 < cpu[$1]) cpu[$1] = $3; if ($4 < memory[$1]) memory[$1] = $4 }
    END {
        for (i = 1; i <= count; i++) {
            name = order[i]
            printf "%-26s %6.2f s %6.2f s %6.0f MB\n", name, wall[name], cpu[name], memory[name]
        }
        printf "the migration took %.2f times the plain INSERT … SELECT, %.2f times the one with the same indexes\n",
            wall["inferred migration"] / wall["INSERT … SELECT, plain"],
            wall["inferred migration"] / wall["INSERT … SELECT, indexed"]
        printf "the export took %.2f times the processor time of its INSERT … SELECT\n",
            cpu["export to SQLite"] / cpu["INSERT … SELECT, export"]
    }'

#!/bin/sh
# Builds the ToDo model, fills a store, asks, migrates; then asks the same stores with the command.
# Usage: model.sh PATH-OF-THE-PROGRAM PATH-OF-THE-COMMAND
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$1" "$folder" || exit 1

echo
echo '$ predicate filter "ANY items.name BEGINSWITH[c] %@" ToDo.sqlite --entity Category --object-ids --arg b'
"$2" filter 'ANY items.name BEGINSWITH[c] %@' "$folder/ToDo.sqlite" --entity Category --object-ids --arg b || exit 1

# The second version as Xcode writes it, and the same migration without Swift.
mkdir -p "$folder/ToDo.xcdatamodel"
cat > "$folder/ToDo.xcdatamodel/contents" <<'MODEL'
<?xml version="1.0" encoding="UTF-8"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="2">
    <entity name="ToDo">
        <attribute name="name" attributeType="String"/>
        <attribute name="due" optional="YES" attributeType="Date"/>
        <attribute name="isDone" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="lastAlertDate" optional="YES" attributeType="Date"/>
        <attribute name="doNotAlert" attributeType="Boolean" defaultValueString="NO"/>
        <relationship name="category" optional="YES" maxCount="1" deletionRule="Nullify"
            destinationEntity="Category" inverseName="items" inverseEntity="Category"/>
    </entity>
    <entity name="Category">
        <attribute name="name" attributeType="String"/>
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="ToDo"
            inverseName="category" inverseEntity="ToDo"/>
    </entity>
</model>
MODEL
echo 'ToDo, name BEGINSWITH[c] "a", doNotAlert = YES' > "$folder/quiet.rules"
echo
echo '$ predicate migrate ToDo.sqlite --to ToDo.xcdatamodel --rules quiet.rules -o ToDo3.sqlite'
"$2" migrate "$folder/ToDo.sqlite" --to "$folder/ToDo.xcdatamodel" --rules "$folder/quiet.rules" \
    -o "$folder/ToDo3.sqlite" || exit 1
echo
echo '$ predicate filter "doNotAlert == YES" ToDo3.sqlite --entity ToDo --keys name,due,lastAlertDate'
"$2" filter 'doNotAlert == YES' "$folder/ToDo3.sqlite" --entity ToDo --keys name,due,lastAlertDate

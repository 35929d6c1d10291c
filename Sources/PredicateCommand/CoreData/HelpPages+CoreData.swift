extension HelpPages {
    static var create: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate create [OPTION...] STORE --model MODEL"],
            purpose: "Create a Core Data store without objects, in the layout that Core Data gives the model. "
                + "It keeps the model, so that the other commands need none. Core Data on Apple's "
                + "platforms may refuse to open it.")
        page.add("Options", rows: rows(CreateOption.self))
        page.add("Exit status", rows: [("0", "the store was created"), ("2", "an error: there is no store")])
        page.add("Examples", lines: ["predicate create ToDo.sqlite --model ToDo.xcdatamodeld"])
        return page
    }

    static var insert: HelpLayout {
        var page = HelpLayout(
            usage: [
                "predicate insert [OPTION...] STORE --entity NAME --set KEY=VALUE...",
                "predicate insert [OPTION...] STORE FILE --entity NAME",
            ],
            purpose:
                "Insert an object into a Core Data store, or one for each record of a file of JSON, JSON Lines, CSV"
                + " or TSV, all in one transaction; '-' reads standard input. A key that is not set has the default of the"
                + " model; a value of --set is for every record that has none of its own. " + whichStores)
        page.add("Options", rows: rows(InsertOption.self))
        page.add("Values", rows: storedValues)
        page.add("Exit status", rows: changeStatus)
        page.add(
            "Examples",
            lines: [
                "predicate insert ToDo.sqlite --entity Category --set name=Home --result ids",
                "predicate insert ToDo.sqlite --entity ToDo --set name='Buy milk' --set due=2026-01-31T12:00:00Z",
                "predicate insert ToDo.sqlite items.csv --entity ToDo --set isDone=NO",
            ])
        return page
    }

    static var update: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate update [OPTION...] FORMAT STORE --entity NAME --set KEY=VALUE..."],
            purpose:
                "Change the objects of a Core Data store that match a predicate, in one transaction, and increment their"
                + " versions. " + whichStores)
        page.add("Options", rows: rows(UpdateOption.self))
        page.add("Values", rows: storedValues)
        page.add("Exit status", rows: changeStatus)
        page.add(
            "Examples",
            lines: [
                "predicate update 'due < %@' ToDo.sqlite --arg date:2026-01-31 --entity ToDo --set isDone=YES",
                "predicate update TRUEPREDICATE Photos.sqlite --entity Asset --set favorite=NO --allow-write Mine.sqlite",
                "predicate update 'isDone == NO' ToDo.sqlite --entity ToDo --set due=null --once 'dates are cleared'",
            ])
        return page
    }

    static var delete: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate delete [OPTION...] FORMAT STORE --entity NAME"],
            purpose: "Delete the objects of a Core Data store that match a predicate, in one transaction, by the delete"
                + " rules of the model: Cascade deletes related objects too, Deny stops the whole deletion. "
                + whichStores)
        page.add("Options", rows: rows(DeleteOption.self))
        page.add("Values", rows: values)
        page.add("Exit status", rows: changeStatus)
        page.add("Examples", lines: ["predicate delete 'isDone == YES' ToDo.sqlite --entity ToDo"])
        return page
    }

    static var metadata: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate metadata [OPTION...] STORE [KEY]", "predicate metadata STORE --set KEY=VALUE..."],
            purpose: "Print the metadata of a Core Data store as JSON, or the value of one key. Without --all, the keys"
                + " are those that every store has.")
        page.add("Options", rows: rows(MetadataOption.self))
        page.add("Values", rows: values)
        page.add(
            "Exit status", rows: [("0", "success"), ("1", "there is no such key"), ("2", "an error")])
        page.add(
            "Examples",
            lines: [
                "predicate metadata ToDo.sqlite", "predicate metadata ToDo.sqlite NSStoreModelVersionIdentifiers",
                "predicate metadata ToDo.sqlite --set lastSync=date:2026-01-31T12:00:00Z",
            ])
        return page
    }

    private static let whichStores =
        "The store is one that predicate created, migrated or copied; one of another program is copied first with"
        + " --allow-write. A store with a history of changes, with tables of CloudKit or with triggers is refused."

    private static let changeStatus = [
        ("0", "objects were changed"), ("1", "nothing matched, or the key of --once exists already"),
        ("2", "an error: nothing was changed or copied"),
    ]

    /// The notation of values that an attribute's type helps to read.
    private static var storedValues: [(String, String)] {
        [
            ("Buy milk, 18", "for an attribute of strings, the word itself"),
            ("YES, NO", "for a Boolean"),
            ("2026-01-31T12:00:00Z", "for a date; so do UUIDs, and data in base 64, need no prefix"),
            ("null", "nil; 'string:null' is the text"),
            ("x-coredata://…/Item/p1", "for a relationship, the URI of an object, as --object-ids prints it"),
        ] + values
    }

    static var migrate: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate migrate [OPTION...] STORE --to MODEL -o NEW"],
            purpose:
                "Migrate a Core Data store to another version of its model, into a new file. The old store is only read;"
                + " the new one is written under another name, checked and renamed.")
        page.add("Options", rows: rows(MigrateOption.self))
        page.add(
            "Exit status",
            rows: [
                ("0", "the store was migrated"), ("2", "an error: there is no new store"),
                ("3", "objects would be left behind: there is no new store"),
            ])
        page.add(
            "Examples",
            lines: [
                "predicate migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo2.sqlite",
                "predicate migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo2.sqlite --rules quiet.rules",
            ])
        return page
    }

    static var export: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate export [OPTION...] STORE -o NEW"],
            purpose:
                "Write the objects of a Core Data or SwiftData store into a new SQLite file that every tool reads: a table for each"
                + " entity under the names of the model, one for each relationship between many objects, and the history. Dates and"
                + " UUIDs are texts, elements of composite attributes columns. The store is only read.")
        page.add("Options", rows: rows(ExportOption.self))
        page.add(
            "Exit status", rows: [("0", "the objects are written"), ("2", "an error: there is no new file")])
        page.add(
            "Examples",
            lines: [
                "predicate export Photos.sqlite -o plain.sqlite",
                "predicate export default.store --entity Recipe -o recipes.sqlite",
            ])
        return page
    }
}

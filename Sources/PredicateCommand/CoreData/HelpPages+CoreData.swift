extension HelpPages {
    static var migrate: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate migrate [OPTION...] STORE --to MODEL -o NEW"],
            purpose:
                "Migrates a Core Data store to another version of its model, into a new file. The old store is only"
                + " read; the new one is written under another name, checked and renamed.")
        page.add("Options", rows: rows(MigrateOption.self))
        page.add(
            "Exit status", rows: [("0", "the new store is there"), ("2", "it is not, for the reason that is reported")])
        page.add(
            "Examples",
            lines: [
                "predicate migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo2.sqlite",
                "predicate migrate ToDo.sqlite --to ToDo.xcdatamodeld -o ToDo2.sqlite --rules quiet.rules",
            ])
        return page
    }
}

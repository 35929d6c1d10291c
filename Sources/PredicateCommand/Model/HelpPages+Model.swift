/// The page of `predicate help model`.
extension HelpPages {
    static var model: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate model VERB [OPTION...] FILE..."],
            purpose: "Read Core Data models: an .xcdatamodel, .xcdatamodeld, .mom or .momd, and the model that a store"
                + " keeps. Compare their versions, and say whether a migration can be inferred.")
        page.add("Verbs", rows: ModelVerb.allCases.map(\.summary))
        page.add("Options", rows: rows(ModelOption.self))
        page.add(
            "Exit status",
            rows: [
                ("0", "nothing is wrong; a migration can be inferred, or there is nothing to do"),
                ("1", "something is wrong or has changed; a mapping model is needed"), ("2", "an error"),
                ("3", "diff: a migration can be inferred, but may fail for some data"),
            ])
        page.add(
            "Examples",
            lines: [
                "predicate model show Library.xcdatamodeld --entity Book",
                "predicate model check Library.xcdatamodeld",
                "predicate model diff Library.xcdatamodeld",
                "predicate model unchanged Library.xcdatamodeld --since origin/main",
            ])
        return page
    }
}

/// The options of `predicate model`.
enum ModelOption: CommandOption {
    case entity
    case version
    case json
    case save
    case all
    case since
    case mapping
    case strict

    var declaration: OptionDeclaration {
        switch self {
        case .entity: OptionDeclaration("entity", value: .required("NAME"), help: "show: only this entity")
        case .version:
            OptionDeclaration(
                "version", value: .required("NAME"),
                help: "show, write: this version of a bundle (default: the current one)")
        case .json: OptionDeclaration("json", "j", help: "Print JSON, for programs")
        case .save:
            OptionDeclaration(
                "save", "o", value: .required("PATH"),
                help: "write: create this .xcdatamodel instead of printing its text")
        case .all: OptionDeclaration("all", help: "diff: every older version of a bundle with every newer one")
        case .since:
            OptionDeclaration(
                "since", value: .required("REF"), help: "unchanged: the commit, branch or tag of git to compare with")
        case .mapping:
            OptionDeclaration(
                "mapping", value: .required("FILE"),
                help:
                    "diff: a mapping model, checked against both; the verdict says whether it covers what inference does not"
            )
        case .strict: OptionDeclaration("strict", help: "check: treat warnings as errors")
        }
    }

    /// The verbs that take the option.
    var verbs: Set<ModelVerb> {
        switch self {
        case .entity: [.show]
        case .version: [.show, .write]
        case .json: [.list, .show, .check, .diff, .unchanged]
        case .save: [.write]
        case .all, .mapping: [.diff]
        case .since: [.unchanged]
        case .strict: [.check]
        }
    }
}

/// The verbs of `predicate model`.
enum ModelVerb: String, CaseIterable {
    case list, show, write, check, diff, unchanged

    /// The verb of a word; `dump` is another word for `show`.
    init?(word: String) {
        self.init(rawValue: word == "dump" ? "show" : word)
    }

    /// What it does, for the help page.
    var summary: (usage: String, help: String) {
        switch self {
        case .list: ("list FILE", "List the versions of a bundle, with the current one marked")
        case .show: ("show FILE", "Show the entities, properties and predicates of a model, or a mapping model")
        case .write: ("write FILE", "Print the model as the text of an .xcdatamodel")
        case .check:
            (
                "check FILE",
                "Find what is wrong in every version: predicates, inverses, indexes, default values"
            )
        case .diff:
            (
                "diff OLD NEW, diff BUNDLE",
                "Show what has changed between two models, or between the versions of a bundle, and whether a migration"
                    + " can be inferred"
            )
        case .unchanged:
            ("unchanged BUNDLE --since REF", "Verify that no version that git has at REF has changed since")
        }
    }
}

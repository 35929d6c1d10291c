/// What help, reports and the documentation say about a check.
package struct CheckPage: Hashable, Sendable {
    /// The evidence that it is a mistake.
    package enum Source: Hashable, Sendable {
        /// Documentation says so.
        case documented(String)
        /// People saw it and reported it.
        case reported(String)
        /// It follows from the meaning of the language, or it is a convention.
        case inferred

        /// `documented: https://…`
        package var words: String {
            switch self {
            case .documented(let address): "documented: \(address)"
            case .reported(let address): "reported: \(address)"
            case .inferred: "inferred from the meaning of the language"
            }
        }
    }

    /// The mistake, in one line without a full stop.
    package var summary: String
    /// What the mistake causes, in one line without a full stop.
    package var why: String
    /// The shortest example of the mistake, and its correction.
    package var wrong: String
    package var right: String
    package var source: Source

    package init(_ summary: String, _ why: String, wrong: String, right: String, _ source: Source) {
        (self.summary, self.why, self.wrong, self.right, self.source) = (summary, why, wrong, right, source)
    }

    /// The page in Markdown.
    package var markdown: String {
        "\(summary). \(why).\n\n- wrong: `\(wrong)`\n- right: `\(right)`\n- \(source.words)"
    }
}

extension CheckPage.Source {
    package static let (syntax, collections, store, kinds) = (
        documented(predicates + "pSyntax.html"),
        documented(
            "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/KeyValueCoding/CollectionOperators.html"
        ),
        documented(
            "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/CoreData/PersistentStoreFeatures.html"
        ),
        reported("https://github.com/magicalpanda/MagicalRecord/pull/649")
    )
    package static let accessors = documented(
        "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/KeyValueCoding/SearchImplementation.html"
    )
    package static let attributes = documented(
        "https://developer.apple.com/documentation/coredata/nsattributedescription/attributetype")
    package static let (expressions, use) = (
        documented("https://unicode-org.github.io/icu/userguide/strings/regexp.html"),
        documented(predicates + "pUsing.html")
    )
    private static let predicates =
        "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Predicates/Articles/"
}

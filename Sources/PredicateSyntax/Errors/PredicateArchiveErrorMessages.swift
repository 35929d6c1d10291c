extension PredicateArchiveError {
    public var title: String { code.title }
    public var label: String? { code.label }
    public var hints: [String] { code.hints }
}

/// The wording of errors of archives.
extension PredicateArchiveError.Code {
    /// One line that says what was expected.
    package var title: String {
        switch self {
        case .block(let name): "expected a predicate that a format says, found the block '\(name)'"
        }
    }

    /// The words next to the caret.
    package var label: String? {
        switch self {
        case .block: "a closure lives in its program only"
        }
    }

    /// Cures.
    package var hints: [String] {
        switch self {
        case .block: ["archive the rest, and join the block to it with && after decoding"]
        }
    }
}

import PredicateSyntax

/// What is known of the objects that predicates are about: a data model, by whatever means it was read.
package protocol LintSchema: Sendable {
    /// What is wrong with a predicate for the objects of an entity; empty for an entity that is not known.
    func mistakes(in predicate: FormatPredicate, entity: String) -> [LintSchemaMistake]
}

/// A key that an entity does not have.
package struct LintSchemaMistake: Hashable, Sendable {
    /// UTF-8 offsets into the format.
    package var range: Range<Int>
    package var message: String
    package var hints: [String]

    package init(range: Range<Int>, message: String, hints: [String] = []) {
        self.range = range
        self.message = message
        self.hints = hints
    }
}

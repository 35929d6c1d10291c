/// What is known of the objects that predicates are about: a data model, by whatever means it was read.
package protocol LintSchema: Sendable {
    /// The entity of a name, which may be that of its class; nil for one that is not known.
    func entity(named name: String) -> String?

    /// What a key of an entity leads to; nil for a key that it does not have.
    func property(_ key: String, of entity: String) -> LintProperty?

    /// The keys of an entity.
    func keys(of entity: String) -> [String]
}

/// What a key leads to.
package enum LintProperty: Hashable, Sendable {
    /// A value without keys of its own.
    case value
    /// A value of which nothing more is known: any key may follow.
    case open
    /// Objects of an entity.
    case objects(entity: String)
}

/// Reads the data models among the sources, whose own predicates are checked against them.
package protocol LintModelReader: Sendable {
    /// The model of the bytes of a `contents` file; nil if it cannot be read.
    func schema(ofModel contents: [UInt8]) -> (any LintSchema)?

    /// The predicates of a compiled model; empty if it cannot be read.
    func predicates(ofModel contents: [UInt8]) -> [LintModelPredicate]
}

/// A predicate that a compiled model keeps as a tree.
package struct LintModelPredicate: Hashable, Sendable {
    /// The tree as it prints.
    package var format: String
    package var entity: String?
    /// The entity whose fetched property it is.
    package var owner: String?

    package init(format: String, entity: String?, owner: String? = nil) {
        self.format = format
        self.entity = entity
        self.owner = owner
    }
}

extension SQLRelationship {
    /// The effect of deleting an object on the objects at the other end of a relationship.
    ///
    /// `SQLEntity("Person", …, deleteRules: ["phones": .cascade, "tasks": .nullify])`
    public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
        /// None but what the foreign keys of the file say.
        case noAction
        /// They do not lead to it any more: their column is NULL, pairs are removed.
        case nullify
        /// They are deleted too, by their own rules.
        case cascade
        /// The object is not deleted as long as there are any but those that are deleted with it.
        case deny
    }
}

extension SQLEntity {
    /// The rule of a relationship.
    package func deleteRule(of key: String) -> SQLRelationship.DeleteRule { deleteRules.exactly(key) ?? .noAction }
}

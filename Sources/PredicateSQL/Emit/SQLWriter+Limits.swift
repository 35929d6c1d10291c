extension SQLWriter {
    /// Throws for a statement that the database cannot read or has no words for.
    borrowing func checkLimits() throws(Fault) {
        if let obstacle = obstacle { throw Fault(obstacle, at: .root) }
        if let name = unusableName { throw Fault(.unusableName(name), at: .root) }
        let (limit, found) = (dialect.limits.parameters, bindings.count)
        if found > limit { throw Fault(.tooManyParameters(limit: limit, found: found), at: .root) }
    }

    /// A property of the statement that keeps the database from reading it; nil for a valid statement.
    private var obstacle: SQLCompilationError.Obstacle? {
        let limits = dialect.limits
        if let piece = missingPiece { return .function(piece, dialect: dialect.name) }
        if let unregistered { return .unregisteredFunction(unregistered) }
        if isTooLong { return .size(limit: limits.length) }
        if mostTables > limits.tables { return .joins(limit: limits.tables, dialect: dialect.name) }
        guard parserStack(atMost: limits.parserStack) > limits.parserStack else { return nil }
        return .depth(limit: limits.parserStack, dialect: dialect.name)
    }
}

import PredicateSyntax

/// Writes plain predicates as SQL text straight from the tree, in one pass.
///
/// `age >= 21 AND NOT (dept.name IN {"Sales", "Legal"})`
///
/// Plain is what most predicates are: columns, numbers of rows and sums of doubles beside constants, joined by AND, OR and
/// NOT. The text is the one that the typed form comes to, byte for byte; all else is refused, constants among the
/// conditions and whatever may be an error included, and takes the way through that form.
struct PlainWriter: ~Copyable {
    let schema: SchemaIndex
    let limits: Limits
    /// The row of which bare keys speak.
    let root: PlainRow
    /// The element of the SUBQUERY around, by its variable.
    var element: (variable: String, row: PlainRow)?
    var writer: SQLWriter
    /// The rows that to-one relationships lead to.
    private(set) var lookups: [PlainLookup] = []
    private var aliasCount = 1
    private var conditionCount = 0

    /// Chains that are longer come out in halves.
    private static let mostConditions = 64

    /// A writer that begins in memory of others, which outlives it.
    init(_ compiler: SQLCompiler, _ entity: EntityReference, _ scratch: UnsafeMutableBufferPointer<UInt8>) {
        schema = compiler.index
        limits = compiler.limits
        root = PlainRow(entity: entity, alias: 0)
        writer = SQLWriter(compiler.writing, scratch, bindings: 8)
    }

    var dialect: CompilerDialect { writer.dialect }
}

/// A predicate is not plain.
struct NotPlain: Error {}

/// A row at hand.
struct PlainRow {
    let entity: EntityReference
    let alias: Int
}

/// The row that a column leads to, looked up once.
struct PlainLookup {
    let key: ColumnReference
    /// The alias of the row that has the column.
    let owner: Int
    let destination: EntityReference
    let alias: Int
}

// MARK: - Statements

extension PlainWriter {
    /// `SELECT t0."id" FROM … WHERE …`
    mutating func writeSelect(where node: PredicateNode) throws(NotPlain) {
        guard let opening = root.entity.opening else { throw NotPlain() }
        writer.write(opening)
        let joins = writer.count
        writer.write(" WHERE ")
        _ = try write(node, isNegated: false)
        if !lookups.isEmpty { writeJoins(at: joins) }
        try check()
    }

    /// ` LEFT JOIN "dept" AS t1 ON t1."id" = t0."dept_id"`
    private mutating func writeJoins(at place: Int) {
        let end = writer.count
        for lookup in lookups {
            writer.write(" LEFT JOIN ")
            writer.write(lookup.destination.table)
            writer.write(" AS ")
            writer.writeAlias(lookup.alias)
            writer.write(" ON ")
            writer.write(lookup.destination.primaryKey, of: lookup.alias)
            writer.write(" = ")
            writer.write(lookup.key, of: lookup.owner)
        }
        writer.move(from: end, to: place)
    }

    /// What the database could not read is found, and told, on the other way.
    private func check() throws(NotPlain) {
        let most = dialect.limits
        guard writer.unusableName == nil, writer.bindings.count <= most.parameters,
            writer.nesting(atMost: most.nesting) <= most.nesting
        else { throw NotPlain() }
    }

    // MARK: Aliases

    mutating func newAlias() -> Int {
        defer { aliasCount += 1 }
        return aliasCount
    }

    /// The alias of the row that a column leads to: the same column of the same row leads to the same row of a table.
    mutating func lookUp(_ key: ColumnReference, of owner: Int, in destination: EntityReference) -> Int {
        for lookup in lookups
        where lookup.owner == owner && lookup.destination.table.isSame(as: destination.table)
            && lookup.key.name.isSame(as: key.name)
        {
            return lookup.alias
        }
        let alias = newAlias()
        lookups.append(PlainLookup(key: key, owner: owner, destination: destination, alias: alias))
        return alias
    }
}

// MARK: - Compounds

extension PlainWriter {
    mutating func write(_ node: PredicateNode, isNegated: Bool) throws(NotPlain) -> SQLText.Precedence {
        switch node {
        case .constant: throw NotPlain()
        case .compound(let compound): return try write(compound, isNegated: isNegated)
        case .comparison(let comparison):
            try count()
            return try write(comparison, isNegated: isNegated)
        case .string(let comparison):
            try count()
            return try write(comparison, isNegated: isNegated)
        }
    }

    /// Counts a condition, of which a range is two.
    mutating func count() throws(NotPlain) {
        conditionCount += 1
        if conditionCount > Self.mostConditions { throw NotPlain() }
    }

    /// Two negations cancel; a negated chain is asked whether it is TRUE.
    private mutating func write(
        _ compound: CompoundPredicate, isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        let parts = compound.subpredicates
        if parts.count == 1 { return try write(parts[0], isNegated: isNegated != (compound.type == .not)) }
        guard parts.count > 1, compound.type != .not else { throw NotPlain() }
        return try negating(isNegated) { (plain) throws(NotPlain) in try plain.writeChain(parts, compound.type) }
    }

    /// `a AND b AND c`
    private mutating func writeChain(
        _ parts: [PredicateNode], _ type: LogicalType
    ) throws(NotPlain) -> SQLText.Precedence {
        let precedence: SQLText.Precedence = type == .and ? .and : .or
        for index in parts.indices {
            if index > 0 { writer.write(type == .and ? " AND " : " OR ") }
            let start = writer.beginOperand()
            _ = writer.endOperand(start, try write(parts[index], isNegated: false), precedence)
        }
        return precedence
    }

    /// `(a AND b) IS NOT TRUE`: the opposite of what may be NULL.
    @inline(__always)
    mutating func negating(
        _ isNegated: Bool, _ condition: (inout PlainWriter) throws(NotPlain) -> SQLText.Precedence
    ) throws(NotPlain) -> SQLText.Precedence {
        guard isNegated else { return try condition(&self) }
        let start = writer.beginOperand()
        _ = writer.endOperand(start, try condition(&self), .bit)
        writer.write(" IS NOT TRUE")
        return .comparison
    }
}

// MARK: - Pieces

extension PlainWriter {
    /// What a dialect says of operands, which are written where they go; nothing is plain that it has no words for.
    mutating func write(
        _ template: SQLTemplate?, _ operand: (inout PlainWriter, Int) throws(NotPlain) -> SQLText.Precedence
    ) throws(NotPlain) -> SQLText.Precedence {
        guard let template else { throw NotPlain() }
        var position = 0
        var last = SQLText.Precedence.atom
        for hole in template.holes {
            writer.write(template, position..<hole.position)
            position = hole.position
            let start = writer.beginOperand()
            last = writer.endOperand(start, try operand(&self, hole.operand), hole.least)
        }
        writer.write(template, position..<template.bytes.count)
        return template.precedence ?? last
    }
}

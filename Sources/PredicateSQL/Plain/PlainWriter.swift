import PredicateSyntax

/// Writes plain predicates as SQL text straight from the tree, in one pass.
///
/// `age >= 21 AND NOT (dept.name IN {"Sales", "Legal"})`
///
/// Plain is what most predicates are: columns, numbers of rows and sums of doubles beside constants, joined by AND, OR and
/// NOT. The text is the one that the typed form comes to, byte for byte; all else is refused, constants among the
/// conditions and whatever may be an error included, and takes the way through that form.
struct PlainWriter: ~Copyable {
    /// How many keys a path may have.
    let nesting: Int
    /// The row of which bare keys speak.
    let root: PlainRow
    /// The element of the SUBQUERY around, by its variable.
    var element: (variable: String, row: PlainRow)?
    var writer: SQLWriter
    /// The rows that to-one relationships lead to.
    private let lookups: UnsafeMutableBufferPointer<PlainLookup>
    private var lookupCount = 0
    private var aliasCount = 1
    private var conditionCount = 0

    /// Chains that are longer come out in halves.
    private static let mostConditions = 64

    /// A writer that begins in memory of others, which outlives it, as the compiler does.
    init(_ compiler: borrowing SQLCompiler, _ entity: UnsafePointer<PlainEntity>, _ scratch: PlainScratch) {
        nesting = compiler.nesting
        root = PlainRow(entity: entity, alias: 0)
        lookups = scratch.lookups
        writer = SQLWriter(compiler.writing, scratch.text, scratch.bindings)
    }

    var dialect: CompilerDialect { writer.dialect }
}

/// A predicate is not plain.
struct NotPlain: Error {}

/// A row at hand.
struct PlainRow {
    let entity: UnsafePointer<PlainEntity>
    let alias: Int
}

/// The row that a column leads to, looked up once.
struct PlainLookup {
    let key: UnsafePointer<PlainColumnText>
    /// The alias of the row that has the column.
    let owner: Int
    let row: PlainRow
}

/// Memory on the stack that is enough for most predicates.
struct PlainScratch {
    let text: UnsafeMutableBufferPointer<UInt8>
    let bindings: UnsafeMutableBufferPointer<SQLBinding>
    let lookups: UnsafeMutableBufferPointer<PlainLookup>

    @inline(__always)
    static func with<Result>(_ body: (PlainScratch) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_024) { text in
            withUnsafeTemporaryAllocation(of: SQLBinding.self, capacity: 16) { bindings in
                withUnsafeTemporaryAllocation(of: PlainLookup.self, capacity: 8) { lookups in
                    body(PlainScratch(text: text, bindings: bindings, lookups: lookups))
                }
            }
        }
    }
}

// MARK: - Statements

extension PlainWriter {
    /// `SELECT t0."id" FROM … WHERE …`
    mutating func writeSelect(where node: PredicateNode) throws(NotPlain) {
        guard let opening = root.entity.pointee.opening else { throw NotPlain() }
        writer.write(opening)
        let joins = writer.count
        writer.write(" WHERE ")
        _ = try write(node, isNegated: false)
        if lookupCount > 0 { try writeJoins(at: joins) }
        try check()
    }

    /// ` LEFT JOIN "dept" AS t1 ON t1."id" = t0."dept_id"`
    private mutating func writeJoins(at place: Int) throws(NotPlain) {
        let end = writer.count
        for lookup in lookups[..<lookupCount] {
            guard let primaryKey = lookup.row.entity.pointee.primaryKey else { throw NotPlain() }
            try write(" LEFT JOIN ", lookup.row.entity.pointee.table, lookup.row.alias)
            writer.write(" ON ")
            writer.write(primaryKey, of: lookup.row.alias)
            writer.write(" = ")
            writer.write(lookup.key.pointee.bare, of: lookup.owner)
        }
        writer.move(from: end, to: place)
    }

    /// ` FROM "tag" AS t1`
    mutating func write(_ word: StaticString, _ table: KeptText?, _ alias: Int) throws(NotPlain) {
        guard let table else { throw NotPlain() }
        writer.write(word)
        writer.write(table)
        writer.write(" AS ")
        writer.writeAlias(alias)
    }

    /// What the database could not read is found, and told, on the other way.
    private func check() throws(NotPlain) {
        let most = dialect.limits
        guard writer.bindings.count <= most.parameters, writer.parserStack(atMost: most.parserStack) <= most.parserStack
        else {
            throw NotPlain()
        }
    }

    // MARK: Aliases

    mutating func newAlias() -> Int {
        defer { aliasCount += 1 }
        return aliasCount
    }

    /// The row that a column leads to: the same column of the same row leads to the same row of a table.
    mutating func lookUp(
        _ key: UnsafePointer<PlainColumnText>, of owner: Int, in destination: UnsafePointer<PlainEntity>
    ) throws(NotPlain) -> PlainRow {
        for lookup in lookups[..<lookupCount]
        where lookup.owner == owner && lookup.key.pointee.number == key.pointee.number
            && lookup.row.entity.pointee.tableNumber == destination.pointee.tableNumber
        {
            return PlainRow(entity: destination, alias: lookup.row.alias)
        }
        guard lookupCount < lookups.count else { throw NotPlain() }
        let row = PlainRow(entity: destination, alias: newAlias())
        lookups.initializeElement(at: lookupCount, to: PlainLookup(key: key, owner: owner, row: row))
        lookupCount += 1
        return row
    }
}

// MARK: - Compounds

extension PlainWriter {
    mutating func write(_ node: PredicateNode, isNegated: Bool) throws(NotPlain) -> SQLText.Precedence {
        switch node {
        case .constant: throw NotPlain()
        case .compound(let compound): return try write(compound.parts, isNegated)
        case .comparison(let comparison):
            try count()
            return try write(
                comparison.leftExpression, try Question(plain: comparison.operator), comparison.rightExpression,
                comparison.modifier, comparison.options.foldMode, isNegated)
        case .string(let comparison):
            try count()
            return try write(
                comparison.leftExpression, try Question(plain: comparison.operator), comparison.rightExpression,
                comparison.modifier, comparison.options.foldMode, isNegated)
        }
    }

    /// Counts a condition, of which a range is two.
    mutating func count() throws(NotPlain) {
        conditionCount += 1
        if conditionCount > Self.mostConditions { throw NotPlain() }
    }

    /// Two negations cancel; a negated chain is asked whether it is TRUE.
    private mutating func write(
        _ parts: CompoundPredicate.Parts, _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        switch parts {
        case .two(let type, let first, let second):
            guard type != .not else { throw NotPlain() }
            let start = beginNegation(isNegated)
            let precedence = type.precedence
            try writeLink(first, precedence)
            writeJoint(precedence)
            try writeLink(second, precedence)
            return endNegation(start, precedence)
        case .not(let nodes): return try write(.not, nodes, isNegated)
        case .and(let nodes): return try write(.and, nodes, isNegated)
        case .or(let nodes): return try write(.or, nodes, isNegated)
        }
    }

    private mutating func write(
        _ type: LogicalType, _ nodes: [PredicateNode], _ isNegated: Bool
    ) throws(NotPlain) -> SQLText.Precedence {
        if nodes.count == 1 { return try write(nodes[0], isNegated: isNegated != (type == .not)) }
        guard nodes.count > 1, type != .not else { throw NotPlain() }
        let start = beginNegation(isNegated)
        let precedence = type.precedence
        for index in nodes.indices {
            if index > 0 { writeJoint(precedence) }
            try writeLink(nodes[index], precedence)
        }
        return endNegation(start, precedence)
    }

    /// What stands between the parts of a compound: texts of which the compiler knows how long they are.
    @inline(__always)
    private mutating func writeJoint(_ precedence: SQLText.Precedence) {
        if precedence == .and { writer.write(" AND ") } else { writer.write(" OR ") }
    }

    private mutating func writeLink(_ node: PredicateNode, _ precedence: SQLText.Precedence) throws(NotPlain) {
        let start = writer.beginOperand()
        writer.endOperand(start, try write(node, isNegated: false), precedence)
    }

    /// Where a condition begins whose opposite is wanted; nil where it is wanted as it is.
    @inline(__always)
    mutating func beginNegation(_ isNegated: Bool) -> Int? { isNegated ? writer.beginOperand() : nil }

    /// `(a AND b) IS NOT TRUE`: the opposite of what may be NULL.
    @inline(__always)
    mutating func endNegation(_ start: Int?, _ precedence: SQLText.Precedence) -> SQLText.Precedence {
        guard let start else { return precedence }
        writer.endOperand(start, precedence, .bit)
        writer.write(" IS NOT TRUE")
        return .comparison
    }
}

extension LogicalType {
    /// How tightly a chain of AND or of OR binds.
    @inline(__always)
    fileprivate var precedence: SQLText.Precedence { self == .and ? .and : .or }
}

// MARK: - Pieces

extension PlainWriter {
    /// What a dialect says of operands, which are written where they go; nothing is plain that it has no words for.
    @inline(__always)
    mutating func write(
        _ template: PlainTemplate?, _ operand: (inout PlainWriter, Int) throws(NotPlain) -> SQLText.Precedence
    ) throws(NotPlain) -> SQLText.Precedence {
        guard let template else { throw NotPlain() }
        var position = 0
        var last = SQLText.Precedence.atom
        for hole in template.holes {
            writer.write(template.text[position..<hole.position])
            position = hole.position
            let start = writer.beginOperand()
            last = writer.endOperand(start, try operand(&self, hole.operand), hole.least)
        }
        writer.write(template.text[position..<template.text.count])
        return template.precedence ?? last
    }
}

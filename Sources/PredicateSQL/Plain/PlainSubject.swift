import PredicateSyntax

/// What a plain condition says something of.
enum PlainSubject {
    /// `age`, `dept.name`
    case column(PlainColumn)
    /// `tags.@count`, `SUBQUERY(tags, $t, $t.rank > 1).@count`
    case count(PlainRows)
    /// `score * 2 + 1`
    case real(FunctionExpression)

    /// What settles how it is compared.
    var kind: ValueKind {
        switch self {
        case .column(let column): column.kind
        case .count: .integer
        case .real: .double
        }
    }
}

/// A column of a row.
struct PlainColumn {
    let column: ColumnReference
    let alias: Int
    let kind: ValueKind
    /// Whether NULL may stand there.
    let isNullable: Bool
}

/// The rows that a to-many relationship of the root leads to.
///
/// A class, so that a subject is small.
final class PlainRows {
    let relationship: PropertyReference
    let row: PlainRow
    /// The alias of the table of pairs, where there is one.
    let pairs: Int?
    /// What a SUBQUERY asks of them.
    let filter: SubqueryExpression?

    init(_ relationship: PropertyReference, _ row: PlainRow, pairs: Int?, filter: SubqueryExpression?) {
        self.relationship = relationship
        self.row = row
        self.pairs = pairs
        self.filter = filter
    }
}

// MARK: - Reading

extension PlainWriter {
    /// What an expression beside a constant says.
    mutating func subject(_ node: ExpressionNode) throws(NotPlain) -> PlainSubject {
        switch node {
        case .keyPath(let path):
            if let key = path.singleKey { return .column(try column(key, of: root)) }
            if path.isCount { return .count(try countedRows(path)) }
            return .column(try column(path))
        case .function(let call): return .real(call)
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .fetch:
            throw NotPlain()
        }
    }

    /// A key that holds a value of a row at hand.
    func column(_ key: String, of row: PlainRow) throws(NotPlain) -> PlainColumn {
        guard let attribute = row.entity.plainAttribute(key) else { throw NotPlain() }
        return PlainColumn(
            column: attribute.column, alias: row.alias, kind: attribute.kind,
            isNullable: attribute.isNullable && !attribute.isPrimaryKey)
    }

    /// `dept.name`, `$t.name`: to-one relationships and a value at their end.
    mutating func column(_ path: KeyPathExpression) throws(NotPlain) -> PlainColumn {
        let components = path.components
        guard components.count <= limits.nesting, case .key(let last)? = components.last else { throw NotPlain() }
        if let base = path.base {
            guard case .variable(let name) = base, let element, element.variable.hasSameCodePoints(as: name),
                components.count == 1
            else { throw NotPlain() }
            return try column(last, of: element.row)
        }
        var owner = root
        for component in components.dropLast(2) { owner = try row(component, of: owner) }
        guard components.count > 1, case .key(let key) = components[components.count - 2],
            case .toOne(let name, let column)? = owner.entity.plainRelationship(key),
            let destination = schema.entity(name), let attribute = destination.plainAttribute(last)
        else { throw NotPlain() }
        // The primary key of the destination stands in the column that leads there.
        if attribute.isPrimaryKey, attribute.kind == destination.primaryKeyKind {
            return PlainColumn(column: column, alias: owner.alias, kind: attribute.kind, isNullable: true)
        }
        let alias = lookUp(column, of: owner.alias, in: destination)
        return PlainColumn(column: attribute.column, alias: alias, kind: attribute.kind, isNullable: true)
    }

    /// The row that a to-one relationship leads to.
    private mutating func row(_ component: KeyPathComponent, of owner: PlainRow) throws(NotPlain) -> PlainRow {
        guard case .key(let key) = component, case .toOne(let name, let column)? = owner.entity.plainRelationship(key),
            let destination = schema.entity(name)
        else { throw NotPlain() }
        return PlainRow(entity: destination, alias: lookUp(column, of: owner.alias, in: destination))
    }
}

extension KeyPathExpression {
    /// `tags.@count`
    fileprivate var isCount: Bool {
        if case .key("@count")? = components.last { true } else { false }
    }
}

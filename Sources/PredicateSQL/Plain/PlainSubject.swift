import PredicateSyntax

/// What a plain condition says something of: what there is to know beside the expression.
enum PlainSubject {
    /// `age`, `dept.name`
    case column(PlainColumn)
    /// `tags.@count`, `SUBQUERY(tags, $t, $t.rank > 1).@count`
    case count(PlainRows)
    /// `score * 2 + 1`
    case real

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
    let text: UnsafePointer<PlainColumnText>
    let alias: Int
    let kind: ValueKind
    /// Whether NULL may stand there.
    let isNullable: Bool

    var isText: Bool {
        if case .string = kind { true } else { false }
    }
}

/// The rows that a to-many relationship of the root leads to.
struct PlainRows {
    let row: PlainRow
    let pairing: UnsafePointer<PlainPairing>
    /// The alias of the table of pairs, where there is one.
    let pairs: Int
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
        case .function: return .real
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .fetch:
            throw NotPlain()
        }
    }

    /// A key that holds a value of a row at hand.
    func column(_ key: String, of row: PlainRow) throws(NotPlain) -> PlainColumn {
        guard case .attribute(let attribute)? = row.entity.pointee.properties[key] else { throw NotPlain() }
        return PlainColumn(attribute, of: row, isNullable: attribute.pointee.isNullable)
    }

    /// `dept.name`, `$t.name`: to-one relationships and a value at their end.
    private mutating func column(_ path: KeyPathExpression) throws(NotPlain) -> PlainColumn {
        let components = path.components
        guard components.count <= nesting, case .key(let last)? = components.last else { throw NotPlain() }
        if let base = path.base {
            guard case .variable(let name) = base, let element, element.variable.hasSameCodePoints(as: name),
                components.count == 1
            else { throw NotPlain() }
            return try column(last, of: element.row)
        }
        guard components.count > 1 else { throw NotPlain() }
        var owner = root
        for index in 0..<components.count - 2 {
            let (destination, key) = try toOne(components[index], of: owner)
            owner = try lookUp(key, of: owner.alias, in: destination)
        }
        return try column(last, behind: components[components.count - 2], of: owner)
    }

    /// A value of the row that a to-one relationship leads to.
    private mutating func column(
        _ key: String, behind component: KeyPathComponent, of owner: PlainRow
    ) throws(NotPlain) -> PlainColumn {
        let (destination, leading) = try toOne(component, of: owner)
        guard case .attribute(let attribute)? = destination.pointee.properties[key] else { throw NotPlain() }
        // The primary key of the destination stands in the column that leads there.
        if attribute.pointee.isPrimaryKey, attribute.pointee.kind == destination.pointee.primaryKeyKind {
            return PlainColumn(text: leading, alias: owner.alias, kind: attribute.pointee.kind, isNullable: true)
        }
        return PlainColumn(attribute, of: try lookUp(leading, of: owner.alias, in: destination), isNullable: true)
    }

    /// Where a to-one relationship leads, and the column that does.
    private func toOne(
        _ component: KeyPathComponent, of owner: PlainRow
    ) throws(NotPlain) -> (UnsafePointer<PlainEntity>, UnsafePointer<PlainColumnText>) {
        guard case .key(let key) = component,
            case .toOne(let destination, let column)? = owner.entity.pointee.properties[key]
        else { throw NotPlain() }
        return (destination, column)
    }
}

extension PlainColumn {
    fileprivate init(_ attribute: UnsafePointer<PlainAttribute>, of row: PlainRow, isNullable: Bool) {
        text = attribute.pointee.column
        alias = row.alias
        kind = attribute.pointee.kind
        self.isNullable = isNullable
    }
}

extension KeyPathExpression {
    /// `tags.@count`
    fileprivate var isCount: Bool {
        if case .key("@count")? = components.last { true } else { false }
    }
}

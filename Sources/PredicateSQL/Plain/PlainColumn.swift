import PredicateSyntax

/// A column of a row.
struct PlainColumn {
    let text: UnsafePointer<PlainColumnText>
    private let shortAlias: Int32
    let kind: ValueKind
    /// Whether NULL may stand there.
    let isNullable: Bool

    var alias: Int { Int(shortAlias) }

    init(_ text: UnsafePointer<PlainColumnText>, alias: Int, _ kind: ValueKind, isNullable: Bool) {
        self.text = text
        shortAlias = Int32(truncatingIfNeeded: alias)
        self.kind = kind
        self.isNullable = isNullable
    }

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
    /// A key that holds a value of a row at hand.
    func column(_ key: String, of row: PlainRow) throws(NotPlain) -> PlainColumn {
        guard case .attribute(let attribute)? = row.entity.pointee.properties[key] else { throw NotPlain() }
        let column = attribute.pointee
        return PlainColumn(column.column, alias: row.alias, column.kind, isNullable: column.isNullable)
    }

    /// `dept.name`, `$t.name`: to-one relationships and a value at their end.
    mutating func column(_ steps: KeyPathExpression.Steps) throws(NotPlain) -> PlainColumn {
        switch steps {
        case .key(let key): return try column(key, of: root)
        case .keys(let first, let second):
            guard nesting >= 2 else { throw NotPlain() }
            return try column(second, behind: first, of: root)
        case .basedKey(let base, let key):
            guard case .variable(let name) = base, let element, element.variable.hasSameCodePoints(as: name)
            else { throw NotPlain() }
            return try column(key, of: element.row)
        case .components(let components): return try column(components)
        case .based: throw NotPlain()
        }
    }

    private mutating func column(_ components: [KeyPathExpression.Component]) throws(NotPlain) -> PlainColumn {
        guard components.count <= nesting, components.count > 1, case .key(let last)? = components.last,
            case .key(let leading) = components[components.count - 2]
        else { throw NotPlain() }
        var owner = root
        for index in 0..<components.count - 2 {
            guard case .key(let key) = components[index] else { throw NotPlain() }
            let (destination, column) = try toOne(key, of: owner)
            owner = try lookUp(column, of: owner.alias, in: destination)
        }
        return try column(last, behind: leading, of: owner)
    }

    /// A value of the row that a to-one relationship leads to.
    private mutating func column(
        _ key: String, behind relationship: String, of owner: PlainRow
    ) throws(NotPlain) -> PlainColumn {
        let (destination, leading) = try toOne(relationship, of: owner)
        guard case .attribute(let attribute)? = destination.pointee.properties[key] else { throw NotPlain() }
        let (column, kind) = (attribute.pointee.column, attribute.pointee.kind)
        // The primary key of the destination stands in the column that leads there.
        if attribute.pointee.isPrimaryKey, kind == destination.pointee.primaryKeyKind {
            return PlainColumn(leading, alias: owner.alias, kind, isNullable: true)
        }
        let row = try lookUp(leading, of: owner.alias, in: destination)
        return PlainColumn(column, alias: row.alias, kind, isNullable: true)
    }

    /// Where a to-one relationship leads, and the column that does.
    private func toOne(
        _ key: String, of owner: PlainRow
    ) throws(NotPlain) -> (UnsafePointer<PlainEntity>, UnsafePointer<PlainColumnText>) {
        guard case .toOne(let destination, let column)? = owner.entity.pointee.properties[key] else {
            throw NotPlain()
        }
        return (destination, column)
    }
}

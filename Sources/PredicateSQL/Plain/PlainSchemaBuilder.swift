/// Puts the texts of a schema together.
struct PlainSchemaBuilder {
    private let numbers: NameTable
    private let templates: DialectTemplates
    private let arena: Arena
    private var names: [[UInt8]: Int] = [:]

    init(_ numbers: NameTable, _ templates: DialectTemplates, _ arena: Arena) {
        self.numbers = numbers
        self.templates = templates
        self.arena = arena
    }

    /// An entity without its properties.
    mutating func names(_ entity: EntityReference) -> PlainEntity {
        PlainEntity(
            opening: opening(entity), table: entity.table.quoted.map(arena.keep), tableNumber: number(entity.table),
            primaryKey: text(entity.primaryKey), primaryKeyKind: entity.primaryKeyKind)
    }

    private func opening(_ entity: EntityReference) -> KeptText? {
        guard let table = entity.table.quoted, let primaryKey = entity.primaryKey.rootName else { return nil }
        let parts = [Array("SELECT ".utf8), primaryKey, Array(" FROM ".utf8), table, Array(" AS t0".utf8)]
        return arena.keep(text: Array(parts.joined()))
    }

    mutating func properties(
        _ entity: EntityReference, among entities: UnsafePointer<PlainEntity>
    ) -> PlainProperties {
        let properties = entity.plainProperties.map { key, property in
            (key: key, property: plain(property, entities))
        }
        return PlainProperties(properties, arena)
    }

    private mutating func plain(
        _ property: PropertyReference, _ entities: UnsafePointer<PlainEntity>
    ) -> PlainProperty? {
        switch property {
        case .attribute(let attribute): return plain(attribute)
        case .toOne(let name, let column):
            guard let destination = numbers.number(of: name).map({ entities + $0 }),
                let text = texts(of: column, isText: destination.pointee.primaryKeyKind == .string)
            else { return nil }
            return .toOne(destination, kept(text))
        case .toMany(let name, let inverse):
            guard let destination = numbers.number(of: name), let owner = text(inverse) else { return nil }
            return .toMany(entities + destination, kept(PlainPairing(owner: owner, pairs: nil)))
        case .manyToMany(let name, let table, let source, let target):
            guard let destination = numbers.number(of: name), let owner = text(source), let row = text(target),
                let table = table.quoted.map(arena.keep)
            else { return nil }
            return .toMany(entities + destination, kept(PlainPairing(owner: owner, pairs: (table, row))))
        }
    }

    private mutating func plain(_ attribute: AttributeReference) -> PlainProperty? {
        if case .any = attribute.kind { return nil }
        return texts(of: attribute.column, isText: attribute.kind == .string).map { column in
            let attribute = PlainAttribute(
                column: kept(column), kind: attribute.kind, isNullable: attribute.isNullable && !attribute.isPrimaryKey,
                isPrimaryKey: attribute.isPrimaryKey)
            return .attribute(kept(attribute))
        }
    }

    private mutating func texts(of column: ColumnReference, isText: Bool) -> PlainColumnText? {
        guard let bare = text(column) else { return nil }
        let forms = isText ? column.name.quoted.map { AliasedForms(column, $0, templates, arena) } : nil
        return PlainColumnText(bare: bare, forms: forms, number: number(column.name))
    }

    private func text(_ column: ColumnReference) -> AliasedText? {
        column.name.quoted.map { AliasedText($0, arena) }
    }

    /// The same number for equal names.
    private mutating func number(_ name: QuotedName) -> Int {
        let bytes = Array(name.text.utf8)
        if let number = names[bytes] { return number }
        names[bytes] = names.count
        return names.count - 1
    }

    private func kept<Element>(_ element: Element) -> UnsafePointer<Element> { UnsafePointer(arena.keep([element])) }
}

import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The statements of an inferred migration: one `INSERT … SELECT` for every entity, then what rows cannot carry themselves.
struct InferredStatements {
    let match: VersionMatch
    let source: StoreLayout
    let destination: StoreLayout
    let keys: KeyMap
    /// The names that tables of pairs have in the old file.
    let file: FileTables

    /// `INSERT INTO "ZITEM" (…) SELECT … FROM old."ZITEM" AS s`
    func rows(of passage: KeyMap.Passage) -> SQLFragment {
        var builder = StatementBuilder()
        let new = passage.destination
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        let offset = passage.offset == 0 ? "" : " + \(builder.place(passage.offset))"
        var values = ["s.Z_PK\(offset)", builder.place(new.number), "s.Z_OPT"]
        for attribute in destination.model.storedAttributes(of: new.name) {
            guard let column = new.columns[attribute.name] else { continue }
            columns.append(column)
            values.append(value(of: attribute, passage, &builder))
        }
        for relationship in destination.model.relationships(of: new.name) where !relationship.isTransient {
            add(relationship, passage, &columns, &values, &builder)
        }
        let names = columns.map(\.quotedName).joined(separator: ", ")
        let condition =
            keys.isAlone(passage.source) ? "" : " WHERE s.Z_ENT = \(builder.place(passage.source.number))"
        return builder.fragment(
            "INSERT INTO main.\(new.table.quotedName) (\(names)) SELECT \(values.joined(separator: ", "))"
                + " FROM old.\(passage.source.table.quotedName) AS s\(condition)")
    }

    // MARK: - Attributes

    private func value(
        of attribute: AttributeDescription, _ passage: KeyMap.Passage, _ builder: inout StatementBuilder
    ) -> String {
        let standard = defaultBinding(attribute)
        guard let old = match.sourceAttribute(attribute, of: passage.destination.name), old.isStored,
            let column = passage.source.columns[old.name]
        else { return builder.place(standard) }
        var text = "s.\(column.quotedName)"
        switch (old.allowsExternalBinaryDataStorage, attribute.allowsExternalBinaryDataStorage) {
        case (false, true): text = "CASE WHEN \(text) IS NOT NULL THEN CAST(x'01' || \(text) AS BLOB) END"
        case (true, false): text = "CASE WHEN substr(\(text), 1, 1) = x'01' THEN substr(\(text), 2) ELSE \(text) END"
        case (true, true), (false, false): break
        }
        guard !attribute.isOptional, standard != .null else { return text }
        return "COALESCE(\(text), \(builder.place(standard)))"
    }

    private func defaultBinding(_ attribute: AttributeDescription) -> SQLBinding {
        guard let value = attribute.defaultValue else { return .null }
        let binding = attribute.type.binding(of: value) ?? .null
        guard attribute.allowsExternalBinaryDataStorage, case .blob(let data) = binding else { return binding }
        return .blob([1] + data)
    }

    // MARK: - Relationships in columns

    /// Adds the columns of a to-one relationship that was one before.
    private func add(
        _ relationship: RelationshipDescription, _ passage: KeyMap.Passage, _ columns: inout [String],
        _ values: inout [String], _ builder: inout StatementBuilder
    ) {
        guard
            case .toOne(let column, let entityColumn, let orderColumn)? =
                passage.destination.relationships[relationship.name],
            let old = match.sourceRelationship(relationship, of: passage.destination.name),
            case .toOne(let oldColumn, _, let oldOrder)? = passage.source.relationships[old.name],
            let table = old.destinationEntityName.flatMap({ source.entities[$0]?.table })
        else { return }
        let link = "s.\(oldColumn.quotedName)"
        columns.append(column)
        values.append(keys.key(link, in: table, &builder))
        if let entityColumn {
            columns.append(entityColumn)
            values.append(keys.entityNumber(link, in: table, &builder))
        }
        if let orderColumn, let oldOrder {
            columns.append(orderColumn)
            values.append("s.\(oldOrder.quotedName)")
        }
    }
}

extension AttributeType {
    /// A value as a column of this type has it.
    func binding(of value: PredicateValue) -> SQLBinding? {
        switch self {
        case .integer16, .integer32, .integer64: SQLType.integer.binding(of: value)
        case .boolean: SQLType.boolean.binding(of: value)
        case .decimal, .double, .float:
            if case .decimal(let number) = value {
                .double(number.nearestDouble)
            } else {
                SQLType.double.binding(of: value)
            }
        case .string: SQLType.string.binding(of: value)
        case .uri:
            if case .url(let url) = value { .text(url.absoluteString) } else { SQLType.string.binding(of: value) }
        case .date: SQLType.date.binding(of: value)
        case .uuid: SQLType.uuid.binding(of: value)
        case .binaryData, .transformable: SQLType.data.binding(of: value)
        case .undefined, .objectID, .composite, .unknown: nil
        }
    }
}

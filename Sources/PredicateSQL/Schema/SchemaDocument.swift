import PredicateSyntax

/// A schema in JSON.
struct SchemaDocument: Codable {
    var entities: [String: EntityDocument]

    enum CodingKeys: String, CodingKey, CaseIterable { case entities }
}

struct EntityDocument: Codable {
    var table: String?
    var primaryKey: String?
    var primaryKeyType: String?
    var attributes: [String: AttributeDocument]?
    var relationships: [String: RelationshipDocument]?
    var versionKey: String?
    var discriminator: DiscriminatorDocument?
    var numbersRows: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case table, primaryKey, primaryKeyType, attributes, relationships, versionKey, discriminator, numbersRows
    }
}

struct DiscriminatorDocument: Codable {
    var column: String
    var value: Int64?
    var descendants: [Int64]?

    enum CodingKeys: String, CodingKey, CaseIterable { case column, value, descendants }
}

struct AttributeDocument: Codable {
    var column: String?
    var type: String
    var storage: String?
    var nullable: Bool?
    var collation: String?
    var affinity: String?
    var indexedFolds: [String]?
    var externalFolder: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case column, type, storage, nullable, collation, affinity, indexedFolds, externalFolder
    }
}

struct RelationshipDocument: Codable {
    var to: String
    var toMany: Bool?
    var column: String?
    var inverseColumn: String?
    var joinTable: String?
    var sourceColumn: String?
    var targetColumn: String?
    var deleteRule: String?
    var orderColumn: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case to, toMany, column, inverseColumn, joinTable, sourceColumn, targetColumn, deleteRule, orderColumn
    }
}

// MARK: Reading

extension SchemaDocument {
    /// The entities, each of whose relationships leads to one of them.
    func schema() throws(SQLSchemaError) -> SQLSchema {
        var list: [SQLEntity] = []
        for (name, document) in entities.sorted(by: { $0.key < $1.key }) {
            list.append(try document.entity(name, path: "entities.\(name)"))
        }
        let schema = SQLSchema(list)
        try schema.check()
        return schema
    }
}

extension EntityDocument {
    fileprivate func entity(_ name: String, path: String) throws(SQLSchemaError) -> SQLEntity {
        var keyType = SQLType.integer
        if let primaryKeyType { keyType = try SQLType(primaryKeyType, storage: nil, path: "\(path).primaryKeyType") }
        var attributes: [String: SQLAttribute] = [:]
        for (key, document) in self.attributes ?? [:] {
            let attributePath = "\(path).attributes.\(key)"
            attributes[key] = SQLAttribute(
                try SQLType(document.type, storage: document.storage, path: attributePath), column: document.column,
                isNullable: document.nullable ?? true, collation: document.collation,
                affinity: try document.affinity.map { (word) throws(SQLSchemaError) in
                    try SQLAffinity(word, path: attributePath)
                },
                indexedFolds: try ComparisonOptions.folds(document.indexedFolds ?? [], path: attributePath),
                externalFolder: document.externalFolder)
        }
        var relationships: [String: SQLRelationship] = [:]
        var deleteRules: [String: SQLRelationship.DeleteRule] = [:]
        var orderColumns: [String: String] = [:]
        for (key, document) in self.relationships ?? [:] {
            relationships[key] = try document.relationship(path: "\(path).relationships.\(key)")
            deleteRules[key] = try document.rule(path: "\(path).relationships.\(key)")
            orderColumns[key] = document.orderColumn
        }
        return SQLEntity(
            name, table: table, primaryKey: primaryKey ?? "id", primaryKeyType: keyType, attributes: attributes,
            relationships: relationships, deleteRules: deleteRules, versionKey: versionKey,
            discriminator: discriminator.map {
                SQLDiscriminator(column: $0.column, value: $0.value, descendants: $0.descendants ?? [])
            }, orderColumns: orderColumns, numbersRows: numbersRows ?? false)
    }
}

extension RelationshipDocument {
    fileprivate func relationship(path: String) throws(SQLSchemaError) -> SQLRelationship {
        switch (toMany ?? false, column, inverseColumn, joinTable, sourceColumn, targetColumn) {
        case (false, let column?, nil, nil, nil, nil):
            return .toOne(to, column: column)
        case (true, nil, let column?, nil, nil, nil):
            return .toMany(to, inverseColumn: column)
        case (true, nil, nil, let table?, let source?, let target?):
            return .manyToMany(to, joinTable: table, sourceColumn: source, targetColumn: target)
        default: throw SQLSchemaError(.ambiguousRelationship, path: path)
        }
    }

    /// The delete rule; nil where none is stated.
    fileprivate func rule(path: String) throws(SQLSchemaError) -> SQLRelationship.DeleteRule? {
        guard let deleteRule else { return nil }
        guard let rule = SQLRelationship.DeleteRule(rawValue: deleteRule) else {
            let words = SQLRelationship.DeleteRule.allCases.map(\.rawValue)
            throw SQLSchemaError(.unknownWord(deleteRule, expected: words), path: "\(path).deleteRule")
        }
        return rule
    }
}

// MARK: Writing

extension SchemaDocument {
    init(_ schema: SQLSchema) {
        entities = schema.entities.mapValues(EntityDocument.init)
    }
}

extension EntityDocument {
    fileprivate init(_ entity: SQLEntity) {
        table = entity.table
        primaryKey = entity.primaryKey
        primaryKeyType = entity.primaryKeyType == .integer ? nil : entity.primaryKeyType.word
        attributes = entity.attributes.mapValues { attribute in
            AttributeDocument(
                column: attribute.column, type: attribute.type.word, storage: attribute.type.storageWord,
                nullable: attribute.isNullable ? nil : false, collation: attribute.collation,
                affinity: attribute.affinity?.rawValue,
                indexedFolds: attribute.indexedFolds.isEmpty ? nil : attribute.indexedFolds.map(\.foldWord).sorted(),
                externalFolder: attribute.externalFolder)
        }
        versionKey = entity.versionKey
        numbersRows = entity.numbersRows ? true : nil
        discriminator = entity.discriminator.map {
            DiscriminatorDocument(
                column: $0.column, value: $0.value, descendants: $0.descendants.isEmpty ? nil : $0.descendants)
        }
        if entity.relationships.isEmpty { return }
        relationships = [:]
        for (key, relationship) in entity.relationships {
            relationships?[key] = RelationshipDocument(relationship, entity.deleteRule(of: key))
            relationships?[key]?.orderColumn = entity.orderColumns[key]
        }
    }
}

extension RelationshipDocument {
    fileprivate init(_ relationship: SQLRelationship, _ rule: SQLRelationship.DeleteRule) {
        deleteRule = rule == .noAction ? nil : rule.rawValue
        to = relationship.destination
        toMany = relationship.isToMany ? true : nil
        switch relationship {
        case .toOne(_, let column): self.column = column
        case .toMany(_, let column): inverseColumn = column
        case .manyToMany(_, let table, let source, let target):
            (joinTable, sourceColumn, targetColumn) = (table, source, target)
        }
    }
}

import PredicateSyntax

/// A search for fields that the format of schemas does not have, such as a mistyped `colum`.
struct FieldCheck: Decodable {
    private var fields: [String: FieldCheck] = [:]

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: Key.self) else { return }
        for key in container.allKeys { fields[key.stringValue] = try container.decode(FieldCheck.self, forKey: key) }
    }

    static func check(_ document: FieldCheck) throws(SQLSchemaError) {
        try document.check(SchemaDocument.CodingKeys.self, "")
        for (name, entity) in document.fields["entities"]?.fields ?? [:] {
            let path = "entities.\(name)"
            try entity.check(EntityDocument.CodingKeys.self, path)
            try entity.fields["discriminator"]?.check(DiscriminatorDocument.CodingKeys.self, "\(path).discriminator")
            for (key, attribute) in entity.fields["attributes"]?.fields ?? [:] {
                try attribute.check(AttributeDocument.CodingKeys.self, "\(path).attributes.\(key)")
            }
            for (key, relationship) in entity.fields["relationships"]?.fields ?? [:] {
                try relationship.check(RelationshipDocument.CodingKeys.self, "\(path).relationships.\(key)")
            }
        }
    }

    private func check<Keys: CodingKey & CaseIterable>(_ keys: Keys.Type, _ path: String) throws(SQLSchemaError) {
        let names = keys.allCases.map(\.stringValue)
        guard let unknown = fields.keys.filter({ !names.contains($0) }).min() else { return }
        let nearMisses = NearMiss.candidates(for: unknown, among: names)
        throw SQLSchemaError(.unknownField(unknown, nearMisses: nearMisses), path: path)
    }
}

import PredicateModel

/// Finds the format strings of a Core Data model in XML.
///
/// `<fetchRequest entity="Person" predicateString="age &gt; 18"/>`
enum DataModelScanner {
    private struct Attribute {
        let name: StaticString
        let kind: FoundCall.Kind
        /// True if the element of the attribute names the entity that it fetches; false if the attribute is about the entity
        /// that contains it.
        let isFetch: Bool
    }

    private static let attributes = [
        Attribute(name: "predicateString=", kind: .stored, isFetch: true),
        Attribute(name: "partialIndexPredicate=", kind: .stored, isFetch: false),
        Attribute(name: "derivationExpression=", kind: .storedExpression, isFetch: false),
    ]

    /// The maximum length of an element's attributes in bytes.
    private static let elementReach = 4096

    static func texts(in bytes: Bytes) -> [StoredFormat] {
        let parts = XMLText.parts(of: bytes)
        let entities = entities(bytes)
        return attributes.flatMap { attribute in
            parts.flatMap { texts(of: attribute, in: $0, entities, bytes) }
        }
    }

    /// The `entity` elements with their names, in document order.
    private static func entities(_ bytes: Bytes) -> [(offset: Int, name: String)] {
        var result: [(offset: Int, name: String)] = []
        var offset = 0
        while let start = bytes.firstOffset(of: "<entity ", from: offset) {
            offset = start + 8
            let end = min(start + elementReach, bytes.count)
            guard let name = bytes.firstOffset(of: " name=\"", in: start..<end).map({ $0 + 7 }),
                let close = bytes.firstOffset(of: "\"", from: name, to: end)
            else { continue }
            result.append((start, bytes.text(name..<close)))
        }
        return result
    }

    /// The name of the last entity that begins before an offset.
    private static func owner(of offset: Int, _ entities: [(offset: Int, name: String)]) -> String? {
        entities[..<entities.firstIndex(from: offset, \.offset)].last?.name
    }

    private static func texts(
        of attribute: Attribute, in part: Range<Int>, _ entities: [(offset: Int, name: String)], _ bytes: Bytes
    ) -> [StoredFormat] {
        var result: [StoredFormat] = []
        var offset = part.lowerBound
        while let start = bytes.firstOffset(of: attribute.name, from: offset, to: part.upperBound) {
            let quote = start + attribute.name.utf8CodeUnitCount
            offset = quote + 1
            guard bytes[start - 1].isSpace, bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'"),
                let end = bytes.firstOffset(ofByte: bytes[quote], from: quote + 1, reach: 1 << 16)
            else { continue }
            offset = end + 1
            var text = XMLText.text(of: quote + 1..<end, bytes)
            text.literal = quote..<end + 1
            guard !text.bytes.isEmpty else { continue }
            let owner = owner(of: start, entities)
            result.append(
                StoredFormat(
                    text: text, kind: attribute.kind, name: start..<quote - 1,
                    entity: attribute.isFetch ? entity(ofElementAt: start, bytes) : owner, owner: owner,
                    isFetch: attribute.isFetch))
        }
        return result
    }

    /// The `entity` attribute of the element that contains an offset.
    private static func entity(ofElementAt offset: Int, _ bytes: Bytes) -> String? {
        var start = offset
        while start > 0, offset - start < elementReach, bytes[start] != UInt8(ascii: "<") { start -= 1 }
        let limit = min(offset + elementReach, bytes.count)
        let end = bytes.firstOffset(of: ">", from: offset, to: limit) ?? limit
        guard let found = bytes.firstOffset(of: " entity=\"", from: start, to: end) else { return nil }
        let name = found + 9
        return bytes.firstOffset(of: "\"", from: name, to: limit).map { bytes.text(name..<$0) }
    }
}

/// Finds the predicates of a compiled model. They are stored as trees, so they have no places in the file.
enum CompiledModelScanner {
    static func texts(in model: ManagedObjectModel) -> [StoredFormat] {
        model.fetchRequestTemplates.compactMap { text(of: $0, owner: nil) }
            + model.entities.flatMap { entity in
                entity.fetchedProperties.compactMap { property in
                    property.fetchRequest.flatMap { text(of: $0, owner: entity.name) }
                }
            }
    }

    private static func text(of request: FetchRequestTemplate, owner: String?) -> StoredFormat? {
        request.predicate.map { predicate in
            StoredFormat(
                text: FormatText(predicate.format.utf8, at: 0..<0), kind: .stored, name: 0..<0,
                entity: request.entityName, owner: owner)
        }
    }
}

/// A format string outside code: in a script, a property list or a data model.
struct StoredFormat {
    var text: FormatText
    var kind: FoundCall.Kind
    /// The place of the word that introduces the format: `--predicate`, `installable_condition`, `predicateString`.
    var name: Range<Int>
    /// True if this is a format only if it parses as one.
    var isUncertain = false
    /// The entity of the objects, if the source shows it.
    var entity: String?
    /// The entity that has the fetched property, which is the entity of `$FETCH_SOURCE`.
    var owner: String?
    /// False for a predicate that no store evaluates: a condition of an index, a derived value.
    var isFetch = true
}

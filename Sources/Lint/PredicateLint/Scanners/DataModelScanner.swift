import PredicateModel

/// Finds the format strings of a Core Data model in XML.
///
/// `<fetchRequest entity="Person" predicateString="age &gt; 18"/>`
enum DataModelScanner {
    private struct Attribute {
        let name: StaticString
        let kind: FoundCall.Kind
        /// True if the element of the attribute names the entity that it fetches; false if the attribute is about the entity
        /// that contains the element.
        let isFetch: Bool
    }

    private static let attributes = [
        Attribute(name: "predicateString", kind: .stored, isFetch: true),
        Attribute(name: "partialIndexPredicate", kind: .stored, isFetch: false),
        Attribute(name: "derivationExpression", kind: .storedExpression, isFetch: false),
    ]

    static func texts(in bytes: Bytes) -> [StoredFormat] {
        var owner: String?
        return XMLText.elements(of: bytes).flatMap { element in
            if bytes.matches("<entity ", at: element.lowerBound) { owner = text(of: "name", in: element, bytes) }
            return attributes.compactMap { texts(of: $0, in: element, owner, bytes) }
        }
    }

    private static func text(of attribute: StaticString, in element: Range<Int>, _ bytes: Bytes) -> String? {
        XMLText.attribute(attribute, of: element, bytes).map { bytes.text($0.value) }
    }

    /// `owner` is the entity whose element began last.
    private static func texts(
        of attribute: Attribute, in element: Range<Int>, _ owner: String?, _ bytes: Bytes
    ) -> StoredFormat? {
        guard let (name, value) = XMLText.attribute(attribute.name, of: element, bytes), !value.isEmpty else {
            return nil
        }
        var text = XMLText.text(of: value, bytes)
        text.literal = value.lowerBound - 1..<value.upperBound + 1
        return StoredFormat(
            text: text, kind: attribute.kind, name: name,
            entity: attribute.isFetch ? self.text(of: "entity", in: element, bytes) : owner, owner: owner,
            isFetch: attribute.isFetch)
    }
}

/// Finds the predicates of a compiled model. They are stored as trees, so they have no positions in the file.
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
    /// The position of the word before the format: `--predicate`, `installable_condition`, `predicateString`.
    var name: Range<Int>
    /// True if this is a format only if it parses as one.
    var isUncertain = false
    /// The entity of the objects, if the source shows it.
    var entity: String?
    /// The entity of `$FETCH_SOURCE`, which has the fetched property.
    var owner: String?
    /// False for a predicate that no store evaluates: a condition of an index, a derived value.
    var isFetch = true
}

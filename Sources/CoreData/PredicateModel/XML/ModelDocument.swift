import Foundation
import PredicateSyntax

/// A model as the XML of a model file, the `contents` of an `.xcdatamodel`.
///
///     let document = ModelDocument(model)
///     try Data(document.text.utf8).write(to: folder.appending(path: "contents"))
///     for omission in document.omissions { print("left out: \(omission)") }
///
/// Reading it gives an equal model, except for the ``omissions``, which such a file cannot express: sort keys of
/// fetch requests, validation rules that are not bounds, and default values of types that have none in the file.
public struct ModelDocument: Sendable {
    /// The XML, for a file in UTF-8.
    public let text: String
    /// The parts of the model that are left out, each with its place.
    public let omissions: [String]

    static let type = "com.apple.IDECoreDataModeler.DataModel"
    static let version = "1.0"

    /// Writes a model.
    public init(_ model: ManagedObjectModel) {
        var writer = ModelXMLWriter()
        writer.write(model)
        text = writer.text
        omissions = writer.omissions
    }
}

/// Writes a model with elements and attributes in Xcode's order.
private struct ModelXMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private(set) var omissions: [String] = []
    private var level = 0
    private var path: [String] = []

    typealias Fields = [(name: String, value: String?)]

    private mutating func omit(_ what: String) {
        omissions.append((path + [what]).joined(separator: ", "))
    }

    private mutating func element(_ name: String, _ fields: Fields, _ isEmpty: Bool, _ body: (inout Self) -> Void) {
        text += String(repeating: " ", count: 4 * level) + "<" + name
        for (name, value) in fields {
            guard let value else { continue }
            text += " \(name)=\"\(escaped(value))\""
        }
        guard !isEmpty else {
            text += "/>\n"
            return
        }
        text += ">\n"
        level += 1
        body(&self)
        level -= 1
        text += String(repeating: " ", count: 4 * level) + "</\(name)>\n"
    }

    private mutating func empty(_ name: String, _ fields: Fields) { element(name, fields, true) { _ in } }

    private mutating func escaped(_ value: String) -> String {
        var result = ""
        var isWhole = true
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": result += "&quot;"
            case "\n", "\r", "\t": result += "&#\(scalar.value);"
            case _ where !scalar.isXML: isWhole = false
            default: result += scalar.xmlEntity ?? String(scalar)
            }
        }
        if !isWhole { omit("control characters in a string") }
        return result
    }

    private static func flag(_ value: Bool) -> String? { value ? "YES" : nil }

    private static func editor(_ attributes: [String: String]) -> Fields {
        attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    mutating func write(_ model: ManagedObjectModel) {
        var own = model.editorAttributes
        let type = own.removeValue(forKey: "type") ?? ModelDocument.type
        let version = own.removeValue(forKey: "documentVersion") ?? ModelDocument.version
        if model.versionIdentifiers.count > 1 { omit("version identifiers except the first") }
        let fields: Fields =
            [("type", type), ("documentVersion", version)] + Self.editor(own)
            + [("userDefinedModelVersionIdentifier", model.versionIdentifiers.first ?? "")]
        element("model", fields, false) { writer in
            for entity in model.entities { writer.write(entity) }
            for request in model.fetchRequestTemplates { writer.write(request, in: "fetch request \(request.name)") }
            for composite in model.composites { writer.write(composite) }
            for configuration in model.configurations { writer.write(configuration) }
        }
    }

    private mutating func write(_ configuration: ConfigurationDescription) {
        let fields = [("name", configuration.name)] + Self.editor(configuration.editorAttributes)
        element("configuration", fields, configuration.entityNames.isEmpty) { writer in
            for name in configuration.entityNames { writer.empty("memberEntity", [("name", name)]) }
        }
    }

    private mutating func write(_ composite: CompositeDescription) {
        element("composite", [("name", composite.name)], composite.attributes.isEmpty) { writer in
            for attribute in composite.attributes { writer.write(attribute) }
        }
    }

    private mutating func write(_ entity: EntityDescription) {
        path = ["entity \(entity.name)"]
        defer { path = [] }
        let fields: Fields =
            [
                ("name", entity.name), ("representedClassName", entity.managedObjectClassName),
                ("parentEntity", entity.superentityName), ("isAbstract", Self.flag(entity.isAbstract)),
                ("elementID", entity.renamingIdentifier), ("versionHashModifier", entity.versionHashModifier),
            ] + Self.editor(entity.editorAttributes)
        element("entity", fields, false) { writer in
            for attribute in entity.attributes { writer.write(attribute) }
            for relationship in entity.relationships { writer.write(relationship) }
            for property in entity.fetchedProperties { writer.write(property) }
            for index in entity.indexes { writer.write(index) }
            writer.write(entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index")
            writer.write(entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
            writer.write(userInfo: entity.userInfo)
        }
    }

    private mutating func write(_ lists: [[String]], _ outer: String, _ middle: String, _ inner: String) {
        guard !lists.isEmpty else { return }
        element(outer, [], false) { writer in
            for list in lists {
                writer.element(middle, [], list.isEmpty) { writer in
                    for name in list { writer.empty(inner, [("value", name)]) }
                }
            }
        }
    }

    private mutating func write(userInfo: [String: PredicateValue]) {
        guard !userInfo.isEmpty else { return }
        element("userInfo", [], false) { writer in
            for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
                if case .string(let text) = value {
                    writer.empty("entry", [("key", key), ("value", text)])
                } else {
                    writer.omit("the value of \(key) in userInfo, which is not a string")
                }
            }
        }
    }

    // MARK: Properties

    private mutating func write(_ attribute: AttributeDescription) {
        path.append("attribute \(attribute.name)")
        defer { path.removeLast() }
        if !attribute.validations.isEmpty { omit("validation rules that are not bounds") }
        if let name = attribute.opaqueDefaultClassName { omit("the default value, an object of \(name)") }
        var fields: Fields = [
            ("name", attribute.name), ("optional", Self.flag(attribute.isOptional)),
            ("transient", Self.flag(attribute.isTransient)),
            ("attributeType", attribute.type == .undefined ? nil : attribute.type.name),
        ]
        fields += bounds(of: attribute)
        fields += [
            ("regularExpressionString", attribute.regularExpression), ("derived", Self.flag(attribute.isDerived)),
            ("derivationExpression", attribute.derivation?.format), ("composite", attribute.compositeName),
            ("valueTransformerName", attribute.valueTransformerName), ("customClassName", attribute.valueClassName),
            ("allowsExternalBinaryDataStorage", Self.flag(attribute.allowsExternalBinaryDataStorage)),
            ("preserveAfterDeletion", Self.flag(attribute.preservesValueInHistoryOnDeletion)),
            ("allowsCloudEncryption", Self.flag(attribute.allowsCloudEncryption)),
            ("indexed", Self.flag(attribute.isIndexed)), ("elementID", attribute.renamingIdentifier),
            ("versionHashModifier", attribute.versionHashModifier),
        ]
        element("attribute", fields + Self.editor(attribute.editorAttributes), attribute.userInfo.isEmpty) { writer in
            writer.write(userInfo: attribute.userInfo)
        }
    }

    /// The default value, the bounds and the lengths.
    private mutating func bounds(of attribute: AttributeDescription) -> Fields {
        var fields: Fields = []
        let isDate = attribute.type == .date
        let values = [
            (attribute.defaultValue, "default"), (attribute.minimumValue, "min"), (attribute.maximumValue, "max"),
        ]
        for (value, name) in values {
            guard let value else { continue }
            if isDate, case .date(let date) = value {
                fields.append(("\(name)DateTimeInterval", Self.number(date.timeIntervalSinceReferenceDate)))
            } else if !isDate, let text = Self.text(of: value), attribute.type.value(fromModelFile: text) == value {
                fields.append(("\(name)ValueString", text))
            } else {
                omit("the \(name) value, which a model file cannot express")
            }
        }
        guard attribute.type == .string else { return fields }
        return fields + [
            ("minValueString", attribute.minimumLength.map(String.init)),
            ("maxValueString", attribute.maximumLength.map(String.init)),
        ]
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func text(of value: PredicateValue) -> String? {
        switch value {
        case .bool(let flag): flag ? "YES" : "NO"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text): text
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .null, .nullObject, .date, .data, .type, .array, .set, .orderedSet, .dictionary, .object, .expression,
            .predicate:
            nil
        }
    }

    private mutating func write(_ relationship: RelationshipDescription) {
        path.append("relationship \(relationship.name)")
        defer { path.removeLast() }
        let maximum = relationship.maximumCount
        let fields: Fields = [
            ("name", relationship.name), ("optional", Self.flag(relationship.isOptional)),
            ("transient", Self.flag(relationship.isTransient)), ("toMany", Self.flag(relationship.isToMany)),
            ("minCount", relationship.minimumCount == 0 ? nil : "\(relationship.minimumCount)"),
            ("maxCount", maximum == 0 ? nil : "\(maximum)"), ("ordered", Self.flag(relationship.isOrdered)),
            ("deletionRule", relationship.deleteRule.name),
            ("destinationEntity", relationship.destinationEntityName), ("inverseName", relationship.inverseName),
            ("inverseEntity", relationship.inverseEntityName), ("indexed", Self.flag(relationship.isIndexed)),
            ("elementID", relationship.renamingIdentifier),
            ("versionHashModifier", relationship.versionHashModifier),
        ]
        element(
            "relationship", fields + Self.editor(relationship.editorAttributes), relationship.userInfo.isEmpty
        ) { writer in writer.write(userInfo: relationship.userInfo) }
    }

    private mutating func write(_ property: FetchedPropertyDescription) {
        path.append("fetched property \(property.name)")
        defer { path.removeLast() }
        let fields: Fields =
            [("name", property.name), ("optional", Self.flag(property.isOptional))]
            + Self.editor(property.editorAttributes)
        element("fetchedProperty", fields, property.fetchRequest == nil && property.userInfo.isEmpty) { writer in
            if let request = property.fetchRequest { writer.write(request, in: nil) }
            writer.write(userInfo: property.userInfo)
        }
    }

    private mutating func write(_ request: FetchRequestTemplate, in step: String?) {
        if let step { path.append(step) }
        defer { if step != nil { path.removeLast() } }
        if !request.sortKeys.isEmpty { omit("sort keys") }
        if request.fetchOffset != 0 { omit("the offset") }
        if !request.propertiesToFetch.isEmpty { omit("properties to fetch") }
        if !request.propertiesToGroupBy.isEmpty || request.havingPredicate != nil { omit("grouping") }
        empty(
            "fetchRequest",
            [
                ("name", request.name), ("entity", request.entityName), ("predicateString", request.predicate?.format),
                ("fetchLimit", request.fetchLimit == 0 ? nil : "\(request.fetchLimit)"),
                ("fetchBatchSize", request.fetchBatchSize == 0 ? nil : "\(request.fetchBatchSize)"),
                ("resultType", request.resultType == .managedObject ? nil : "\(request.resultType.rawValue)"),
                ("includeSubentities", request.includesSubentities ? nil : "NO"),
                ("includePropertyValues", request.includesPropertyValues ? nil : "NO"),
                ("includesPendingChanges", request.includesPendingChanges ? nil : "NO"),
                ("returnObjectsAsFaults", request.returnsObjectsAsFaults ? nil : "NO"),
                ("returnDistinctResults", Self.flag(request.returnsDistinctResults)),
            ] + Self.editor(request.editorAttributes))
    }

    private mutating func write(_ index: FetchIndexDescription) {
        let fields: Fields = [
            ("name", index.name), ("partialIndexPredicate", index.partialIndexPredicate?.format),
        ]
        element("fetchIndex", fields, index.elements.isEmpty) { writer in
            for element in index.elements {
                let subject: Fields.Element =
                    switch element.value {
                    case .property(let name): ("property", name)
                    case .expression(let expression): ("expression", expression.format)
                    }
                let order = element.isAscending ? "ascending" : "descending"
                writer.empty(
                    "fetchIndexElement", [subject, ("type", element.collation.name), ("order", order)])
            }
        }
    }
}

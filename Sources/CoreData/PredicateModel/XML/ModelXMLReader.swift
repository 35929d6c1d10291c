import Foundation
import PredicateSyntax

/// Reads the file `contents` of an `.xcdatamodel`.
///
/// Unknown elements are skipped. Unknown attributes are kept for editors, because Xcode adds some every year.
enum ModelXMLReader {
    static func model(_ root: XMLElementNode) throws(ModelError) -> ManagedObjectModel {
        guard root.name == "model" else {
            throw ModelError(.unexpectedElement(root.name, expected: "model"), at: root.place)
        }
        var fields = ModelFields(root)
        var model = ManagedObjectModel(
            versionIdentifiers: [fields.name("userDefinedModelVersionIdentifier")].compactMap(\.self))
        // Every file has this attribute, so it is not kept.
        if fields.rest["type"] == ModelDocument.type { _ = fields.text("type") }
        if fields.rest["documentVersion"] == ModelDocument.version { _ = fields.text("documentVersion") }
        model.editorAttributes = fields.rest
        var entities: [EntityDescription] = []
        for element in root.children {
            switch element.name {
            case "entity": entities.append(try entity(element))
            case "fetchRequest": model.fetchRequestTemplates.append(try fetchRequest(element))
            case "configuration": model.configurations.append(try configuration(element))
            case "composite": model.composites.append(try composite(element))
            default: break
            }
        }
        model.entities = entities
        return model
    }

    private static func configuration(_ element: XMLElementNode) throws(ModelError) -> ConfigurationDescription {
        var fields = ModelFields(element)
        let name = try fields.requiredText("name")
        var names: [String] = []
        for member in element.children(named: "memberEntity") { names.append(try member.required("name")) }
        var configuration = ConfigurationDescription(name, entityNames: names)
        configuration.editorAttributes = fields.rest
        return configuration
    }

    private static func composite(_ element: XMLElementNode) throws(ModelError) -> CompositeDescription {
        var attributes: [AttributeDescription] = []
        for child in element.children(named: "attribute") { attributes.append(try attribute(child)) }
        return CompositeDescription(try element.required("name"), attributes: attributes)
    }

    // MARK: Entities

    private static func entity(_ element: XMLElementNode) throws(ModelError) -> EntityDescription {
        var fields = ModelFields(element)
        let name = try fields.requiredText("name")
        return try ModelError.placing("entity \(name)") { () throws(ModelError) -> EntityDescription in
            var entity = EntityDescription(
                name, managedObjectClassName: fields.name("representedClassName"),
                superentity: fields.name("parentEntity"), isAbstract: try fields.flag("isAbstract"),
                renamingIdentifier: renaming(&fields, name), versionHashModifier: fields.name("versionHashModifier"),
                userInfo: try userInfo(element))
            entity.editorAttributes = fields.rest
            for child in element.children { try add(child, to: &entity) }
            return entity
        }
    }

    private static func add(_ child: XMLElementNode, to entity: inout EntityDescription) throws(ModelError) {
        switch child.name {
        case "attribute": entity.attributes.append(try attribute(child))
        case "relationship": entity.relationships.append(try relationship(child))
        case "fetchedProperty": entity.fetchedProperties.append(try fetchedProperty(child))
        case "fetchIndex": entity.indexes.append(try index(child))
        case "uniquenessConstraints":
            entity.uniquenessConstraints = try lists(child, "uniquenessConstraint", "constraint")
        case "compoundIndexes": entity.compoundIndexes = try lists(child, "compoundIndex", "index")
        default: break
        }
    }

    /// `<compoundIndex><index value="a"/><index value="b"/></compoundIndex>`
    private static func lists(
        _ element: XMLElementNode, _ outer: String, _ inner: String
    ) throws(ModelError) -> [[String]] {
        var found: [[String]] = []
        for list in element.children(named: outer) {
            var names: [String] = []
            for item in list.children(named: inner) { names.append(try item.required("value")) }
            found.append(names)
        }
        return found
    }

    private static func userInfo(_ element: XMLElementNode) throws(ModelError) -> [String: PredicateValue] {
        var info: [String: PredicateValue] = [:]
        for entry in element.children(named: "userInfo").flatMap(\.children) where entry.name == "entry" {
            info[try entry.required("key")] = .string(entry["value"] ?? "")
        }
        return info
    }

    /// The renaming identifier, which Xcode calls `elementID`.
    private static func renaming(_ fields: inout ModelFields, _ name: String) -> String? {
        let found = [fields.name("elementID"), fields.name("renamingIdentifier")]
        return found.compactMap(\.self).first?.renaming(name)
    }

    // MARK: Attributes

    private static func attribute(_ element: XMLElementNode) throws(ModelError) -> AttributeDescription {
        var fields = ModelFields(element)
        let name = try fields.requiredText("name")
        return try ModelError.placing("attribute \(name)") { () throws(ModelError) -> AttributeDescription in
            let type = fields.name("attributeType").map(AttributeType.init(name:)) ?? .undefined
            var attribute = AttributeDescription(
                name, type, isOptional: try fields.flag("optional"), isTransient: try fields.flag("transient"),
                regularExpression: fields.text("regularExpressionString"),
                derivation: try derivation(&fields), compositeName: fields.name("composite"),
                valueTransformerName: fields.name("valueTransformerName"),
                valueClassName: fields.name("customClassName"),
                allowsExternalBinaryDataStorage: try fields.flag("allowsExternalBinaryDataStorage"),
                preservesValueInHistoryOnDeletion: try fields.flag("preserveAfterDeletion"),
                allowsCloudEncryption: try fields.flag("allowsCloudEncryption"),
                isIndexed: try fields.flag("indexed"), renamingIdentifier: renaming(&fields, name),
                versionHashModifier: fields.name("versionHashModifier"), userInfo: try userInfo(element))
            try readValues(&fields, into: &attribute)
            attribute.editorAttributes = fields.rest
            return attribute
        }
    }

    private static func derivation(_ fields: inout ModelFields) throws(ModelError) -> ModelExpression? {
        let isDerived = try fields.flag("derived")
        guard let text = fields.text("derivationExpression") else { return isDerived ? ModelExpression("") : nil }
        return ModelExpression(text)
    }

    /// Reads the default value and the bounds. Dates are given in seconds and also as text, which is only for human
    /// readers.
    private static func readValues(
        _ fields: inout ModelFields, into attribute: inout AttributeDescription
    ) throws(ModelError) {
        switch attribute.type {
        case .date:
            attribute.defaultValue = try date(&fields, "defaultDateTimeInterval")
            attribute.minimumValue = try date(&fields, "minDateTimeInterval")
            attribute.maximumValue = try date(&fields, "maxDateTimeInterval")
        case .string:
            attribute.defaultValue = fields.text("defaultValueString").map(PredicateValue.string)
            attribute.minimumLength = try fields.integer("minValueString")
            attribute.maximumLength = try fields.integer("maxValueString")
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .uuid, .uri, .undefined,
            .binaryData, .transformable, .objectID, .composite, .unknown:
            let type = attribute.type
            attribute.defaultValue = fields.text("defaultValueString").flatMap { type.value(fromModelFile: $0) }
            attribute.minimumValue = fields.text("minValueString").flatMap { type.value(fromModelFile: $0) }
            attribute.maximumValue = fields.text("maxValueString").flatMap { type.value(fromModelFile: $0) }
        }
    }

    private static func date(_ fields: inout ModelFields, _ name: String) throws(ModelError) -> PredicateValue? {
        try fields.number(name).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    }

    // MARK: Relationships

    private static func relationship(_ element: XMLElementNode) throws(ModelError) -> RelationshipDescription {
        var fields = ModelFields(element)
        let name = try fields.requiredText("name")
        return try ModelError.placing("relationship \(name)") { () throws(ModelError) -> RelationshipDescription in
            let maximum = try fields.integer("maxCount")
            let isToMany = try fields.flag("toMany") || (maximum.map { $0 != 1 } ?? false)
            var relationship = RelationshipDescription(
                name, destination: fields.name("destinationEntity"), isToMany: isToMany,
                isOrdered: try fields.flag("ordered"), inverse: fields.name("inverseName"),
                inverseEntity: fields.name("inverseEntity"), minimumCount: try fields.integer("minCount") ?? 0,
                maximumCount: maximum, deleteRule: try deleteRule(&fields, element),
                isOptional: try fields.flag("optional"), isTransient: try fields.flag("transient"),
                isIndexed: try fields.flag("indexed"), renamingIdentifier: renaming(&fields, name),
                versionHashModifier: fields.name("versionHashModifier"), userInfo: try userInfo(element))
            relationship.editorAttributes = fields.rest
            return relationship
        }
    }

    private static func deleteRule(
        _ fields: inout ModelFields, _ element: XMLElementNode
    ) throws(ModelError) -> ModelDeleteRule {
        guard let word = fields.name("deletionRule") else { return .nullify }
        if let rule = ModelDeleteRule.allCases.first(where: { $0.name.lowercased() == word.lowercased() }) {
            return rule
        }
        let expected = ModelDeleteRule.allCases.map(\.name).joined(separator: ", ")
        throw ModelError(.invalidValue(word, attribute: "deletionRule", expected: expected), at: element.place)
    }

    // MARK: Fetches and indexes

    private static func fetchedProperty(_ element: XMLElementNode) throws(ModelError) -> FetchedPropertyDescription {
        var fields = ModelFields(element)
        let name = try fields.requiredText("name")
        return try ModelError.placing("fetched property \(name)") {
            () throws(ModelError) -> FetchedPropertyDescription in
            var request: FetchRequestTemplate?
            if let child = element.children.first(where: { $0.name == "fetchRequest" }) {
                request = try fetchRequest(child)
            }
            var property = FetchedPropertyDescription(
                name, fetchRequest: request, isOptional: try fields.flag("optional"), userInfo: try userInfo(element))
            property.editorAttributes = fields.rest
            return property
        }
    }

    private static func fetchRequest(_ element: XMLElementNode) throws(ModelError) -> FetchRequestTemplate {
        var fields = ModelFields(element)
        let name = try fields.requiredText("name")
        return try ModelError.placing("fetch request \(name)") { () throws(ModelError) -> FetchRequestTemplate in
            let type = try fields.integer("resultType") ?? 0
            var request = FetchRequestTemplate(
                name, entity: fields.name("entity"),
                predicate: fields.text("predicateString").flatMap { $0.isEmpty ? nil : ModelPredicate($0) },
                fetchLimit: try fields.integer("fetchLimit") ?? 0)
            request.fetchBatchSize = try fields.integer("fetchBatchSize") ?? 0
            request.resultType = FetchRequestTemplate.ResultType(rawValue: type) ?? .managedObject
            request.includesSubentities = try fields.flag("includeSubentities", default: true)
            request.includesPropertyValues = try fields.flag("includePropertyValues", default: true)
            request.includesPendingChanges = try fields.flag("includesPendingChanges", default: true)
            request.returnsObjectsAsFaults = try fields.flag("returnObjectsAsFaults", default: true)
            request.returnsDistinctResults = try fields.flag("returnDistinctResults")
            request.editorAttributes = fields.rest
            return request
        }
    }

    private static func index(_ element: XMLElementNode) throws(ModelError) -> FetchIndexDescription {
        let name = try element.required("name")
        var elements: [FetchIndexElementDescription] = []
        for child in element.children(named: "fetchIndexElement") {
            let property = child["property"].map { FetchIndexElementDescription.IndexedValue.property($0) }
            let expression = child["expression"].map {
                FetchIndexElementDescription.IndexedValue.expression(ModelExpression($0))
            }
            guard let subject = expression ?? property else {
                throw ModelError(.missingAttribute("property", element: child.name), at: child.place).inside(
                    "index \(name)")
            }
            elements.append(
                FetchIndexElementDescription(
                    subject,
                    collation: child["type"].map(FetchIndexElementDescription.Collation.init(name:)) ?? .binary,
                    isAscending: child["order"] != "descending"))
        }
        let condition = element["partialIndexPredicate"].flatMap { $0.isEmpty ? nil : ModelPredicate($0) }
        return FetchIndexDescription(name, elements, partialIndexPredicate: condition)
    }
}

/// The attributes of an XML element, which are taken one at a time. The rest is kept for editors.
struct ModelFields {
    private let element: XMLElementNode
    private(set) var rest: [String: String]

    init(_ element: XMLElementNode) {
        self.element = element
        rest = Dictionary(element.attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func text(_ name: String) -> String? { rest.removeValue(forKey: name) }

    /// The value of an attribute; nil if it is empty.
    mutating func name(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func requiredText(_ name: String) throws(ModelError) -> String {
        let value = try element.required(name)
        rest[name] = nil
        return value
    }

    /// `YES` or `NO`; `NO` for a missing attribute, unless another default is given.
    mutating func flag(_ name: String, default absent: Bool = false) throws(ModelError) -> Bool {
        guard let word = text(name) else { return absent }
        switch word.uppercased() {
        case "YES", "TRUE", "1": return true
        case "NO", "FALSE", "0", "": return false
        default: throw invalid(word, name, "YES or NO")
        }
    }

    mutating func integer(_ name: String) throws(ModelError) -> Int? {
        guard let word = self.name(name) else { return nil }
        guard let number = Int(word) else { throw invalid(word, name, "a whole number") }
        return number
    }

    mutating func number(_ name: String) throws(ModelError) -> Double? {
        guard let word = self.name(name) else { return nil }
        guard let number = Double(word) else { throw invalid(word, name, "a number") }
        return number
    }

    private func invalid(_ value: String, _ name: String, _ expected: String) -> ModelError {
        ModelError(.invalidValue(String(value.prefix(60)), attribute: name, expected: expected), at: element.place)
    }
}

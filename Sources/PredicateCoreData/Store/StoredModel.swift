import Foundation
import PredicateModel
import PredicateSyntax

/// The model that a store of this library keeps in its metadata, as XML of the form of `.xcdatamodel`: what layout, values and
/// later migrations need. Fetch requests, fetched properties and what only an editor reads are left out.
struct StoredModel {
    private var lines: [String] = []

    static func text(of model: ManagedObjectModel) -> String {
        var writer = StoredModel()
        writer.write(model)
        return writer.lines.joined(separator: "\n")
    }

    private mutating func write(_ model: ManagedObjectModel) {
        lines.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        open(
            "model",
            [
                ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
                ("userDefinedModelVersionIdentifier", model.versionIdentifiers.first ?? ""),
            ])
        for entity in model.entities { write(entity) }
        close("model")
    }

    private mutating func write(_ entity: EntityDescription) {
        open(
            "entity",
            [
                ("name", entity.name), ("parentEntity", entity.superentityName),
                ("isAbstract", flag(entity.isAbstract)),
                ("elementID", entity.renamingIdentifier), ("versionHashModifier", entity.versionHashModifier),
                ("representedClassName", entity.managedObjectClassName),
            ])
        for attribute in entity.attributes { write(attribute) }
        for relationship in entity.relationships { write(relationship) }
        for index in entity.indexes where index.partialIndexPredicate == nil { write(index) }
        if !entity.uniquenessConstraints.isEmpty {
            open("uniquenessConstraints", [])
            for keys in entity.uniquenessConstraints {
                open("uniquenessConstraint", [])
                for key in keys { element("constraint", [("value", key)]) }
                close("uniquenessConstraint")
            }
            close("uniquenessConstraints")
        }
        close("entity")
    }

    private mutating func write(_ attribute: AttributeDescription) {
        var fields: [(String, String?)] = [
            ("name", attribute.name), ("attributeType", attribute.type == .undefined ? nil : attribute.type.name),
            ("optional", flag(attribute.isOptional)), ("transient", flag(attribute.isTransient)),
            ("derived", flag(attribute.isDerived)), ("derivationExpression", attribute.derivation?.format),
            ("composite", attribute.compositeName), ("valueTransformerName", attribute.valueTransformerName),
            ("customClassName", attribute.valueClassName),
            ("allowsExternalBinaryDataStorage", flag(attribute.allowsExternalBinaryDataStorage)),
            ("elementID", attribute.renamingIdentifier), ("versionHashModifier", attribute.versionHashModifier),
            ("regularExpressionString", attribute.regularExpression),
        ]
        let values = [
            ("default", attribute.defaultValue), ("min", attribute.minimumValue), ("max", attribute.maximumValue),
        ]
        for (name, value) in values {
            guard let value else { continue }
            if case .date(let date) = value {
                fields.append(("\(name)DateTimeInterval", "\(date.timeIntervalSinceReferenceDate)"))
            } else {
                fields.append(("\(name)ValueString", text(value)))
            }
        }
        fields.append(("minValueString", attribute.minimumLength.map(String.init)))
        fields.append(("maxValueString", attribute.maximumLength.map(String.init)))
        element("attribute", fields)
    }

    private func text(_ value: PredicateValue) -> String? {
        switch value {
        case .bool(let value): value ? "YES" : "NO"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text): text
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .null, .nullObject, .date, .data, .type, .array, .set, .orderedSet, .dictionary, .object, .expression,
            .predicate:
            nil
        @unknown default: nil
        }
    }

    private mutating func write(_ relationship: RelationshipDescription) {
        element(
            "relationship",
            [
                ("name", relationship.name), ("destinationEntity", relationship.destinationEntityName),
                ("inverseName", relationship.inverseName), ("inverseEntity", relationship.inverseEntityName),
                ("optional", flag(relationship.isOptional)), ("transient", flag(relationship.isTransient)),
                ("toMany", flag(relationship.isToMany)), ("ordered", flag(relationship.isOrdered)),
                ("minCount", relationship.minimumCount == 0 ? nil : "\(relationship.minimumCount)"),
                ("maxCount", relationship.maximumCount == 0 ? nil : "\(relationship.maximumCount)"),
                ("deletionRule", relationship.deleteRule.name), ("elementID", relationship.renamingIdentifier),
                ("versionHashModifier", relationship.versionHashModifier),
            ])
    }

    private mutating func write(_ index: FetchIndexDescription) {
        open("fetchIndex", [("name", index.name)])
        for part in index.elements {
            guard case .property(let key) = part.subject else { continue }
            element(
                "fetchIndexElement",
                [
                    ("property", key), ("type", part.collation.name),
                    ("order", part.isAscending ? "ascending" : "descending"),
                ])
        }
        close("fetchIndex")
    }

    // MARK: - XML

    private func flag(_ isOn: Bool) -> String? { isOn ? "YES" : nil }

    private mutating func open(_ name: String, _ fields: [(String, String?)]) {
        lines.append("<\(name)\(Self.attributes(fields))>")
    }

    private mutating func element(_ name: String, _ fields: [(String, String?)]) {
        lines.append("<\(name)\(Self.attributes(fields))/>")
    }

    private mutating func close(_ name: String) { lines.append("</\(name)>") }

    private static func attributes(_ fields: [(String, String?)]) -> String {
        fields.compactMap { name, value in value.map { " \(name)=\"\(escaped($0))\"" } }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

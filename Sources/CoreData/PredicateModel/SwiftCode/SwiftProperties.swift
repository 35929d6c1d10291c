import Foundation
import PredicateSyntax

/// A stored property of a generated struct.
struct SwiftProperty {
    /// The name in the model.
    let key: String
    /// The identifier, with backticks if it needs them.
    let name: String
    /// The type without the question mark.
    let type: String
    let isOptional: Bool
    /// The value in a new object; nil if there is none.
    let defaultValue: String?
    let comment: [String]
    /// False for a transient attribute.
    let isCoded: Bool
    /// True if `insert` and `update` of a store take the property.
    let isWritable: Bool

    /// `Int64?`
    var declaredType: String { isOptional ? "\(type)?" : type }
}

/// An enum of a generated struct.
struct SwiftEnum {
    let name: String
    /// `String` or `Int16`
    let rawType: String
    let comment: String
    /// The names of the cases with the literals of their values.
    let cases: [(name: String, literal: String)]
}

/// The properties and enums of a generated struct.
struct SwiftProperties {
    private(set) var properties: [SwiftProperty] = []
    private(set) var enums: [SwiftEnum] = []
    /// True if the model has no property `objectID`, so that the struct can have one of its own.
    private(set) var hasObjectID = false
    private let names: SwiftTypeNames
    private var identifiers = SwiftNames(reserved: Self.members)
    private var typeNames: SwiftNames

    /// The members that the protocols and the code itself declare.
    private static let members: Set<String> = SwiftNames.unusable.union([
        "allKeys", "attributeKeys", "toleratesMissingKeys", "keyedValue", "predicateValue", "hashValue", "objectValues",
    ])

    /// `keys` are the names of the properties, which nested types cannot have.
    private init(_ names: SwiftTypeNames, keys: [String]) {
        self.names = names
        typeNames = SwiftNames(reserved: names.taken.union(keys.map(SwiftNames.identifier)))
    }

    /// The properties of an entity, inherited ones first.
    init(_ entity: EntityDescription, _ model: ManagedObjectModel, _ names: SwiftTypeNames) {
        let all = model.properties(of: entity.name)
        self.init(names, keys: all.map(\.name))
        hasObjectID = !all.contains { $0.name == "objectID" }
        if hasObjectID { _ = identifiers.add("objectID") }
        for property in all {
            switch property {
            case .attribute(let attribute): add(attribute)
            case .relationship(let relationship) where !relationship.isTransient: add(relationship)
            case .relationship, .fetchedProperty: continue
            }
        }
    }

    /// The properties of a composite type.
    init(_ composite: CompositeDescription, _ names: SwiftTypeNames) {
        self.init(names, keys: composite.attributes.map(\.name))
        for attribute in composite.attributes { add(attribute) }
    }

    // MARK: - Attributes

    private mutating func add(_ attribute: AttributeDescription) {
        let closed = addEnum(attribute)
        let type = closed?.name ?? swiftType(of: attribute)
        let isStored = attribute.isStored
        properties.append(
            SwiftProperty(
                key: attribute.name, name: identifiers.add(attribute.name), type: type,
                isOptional: attribute.isOptional || !isStored || mayLackElements(attribute),
                defaultValue: literal(of: attribute, closed),
                comment: SwiftComment.lines(of: attribute), isCoded: isStored,
                isWritable: isStored && !attribute.isDerived))
    }

    /// True for a composite attribute whose elements may all be nil.
    private func mayLackElements(_ attribute: AttributeDescription) -> Bool {
        guard attribute.type == .composite, let name = attribute.compositeName else { return false }
        return !names.mandatoryComposites.contains(ExactName(name))
    }

    /// The type of an attribute's values, as a store decodes them.
    private func swiftType(of attribute: AttributeDescription) -> String {
        switch attribute.type {
        case .integer16: "Int16"
        case .integer32: "Int32"
        case .integer64: "Int64"
        case .decimal: "Decimal"
        case .double, .float: "Double"
        case .string: "String"
        case .boolean: "Bool"
        case .date: "Date"
        case .binaryData, .transformable: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .objectID: "SQLObjectID"
        case .composite:
            attribute.compositeName.flatMap { names.composites[ExactName($0)] } ?? "PredicateValue"
        case .undefined, .unknown: "PredicateValue"
        }
    }

    private mutating func addEnum(_ attribute: AttributeDescription) -> SwiftEnum? {
        guard let values = ClosedValues.values(of: attribute) else { return nil }
        var cases = SwiftNames(
            reserved: SwiftNames.unusable.union([
                "rawValue", "allCases", "hashValue", "keyedValue", "predicateValue", "none", "some", "AllCases",
                "RawValue",
            ]))
        let closed = SwiftEnum(
            name: typeNames.add(SwiftNames.typeName(attribute.name)), rawType: swiftType(of: attribute),
            comment: "The values of `\(SwiftNames.comment(attribute.name))` that the model allows.",
            cases: values.map { (cases.add(SwiftNames.caseName($0)), SwiftLiteral.text(of: $0) ?? "") })
        enums.append(closed)
        return closed
    }

    /// The default value as a literal; nil if there is none, or if it has no literal, as for data.
    private func literal(of attribute: AttributeDescription, _ closed: SwiftEnum?) -> String? {
        guard let value = attribute.defaultValue, let text = SwiftLiteral.text(of: value, attribute.type) else {
            return nil
        }
        guard let closed else { return text }
        return closed.cases.first { $0.literal == text }.map { ".\($0.name)" }
    }

    // MARK: - Relationships

    private mutating func add(_ relationship: RelationshipDescription) {
        let collection = relationship.isOrdered ? "[SQLObjectID]" : "Set<SQLObjectID>"
        properties.append(
            SwiftProperty(
                key: relationship.name, name: identifiers.add(relationship.name),
                type: relationship.isToMany ? collection : "SQLObjectID", isOptional: !relationship.isToMany,
                defaultValue: relationship.isToMany ? "[]" : nil, comment: SwiftComment.lines(of: relationship),
                isCoded: true, isWritable: true))
    }
}

/// Values as Swift literals.
enum SwiftLiteral {
    /// The literal of a value for an attribute of a type; nil if it has none.
    static func text(of value: PredicateValue, _ type: AttributeType) -> String? {
        switch (type, value) {
        case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer), (.boolean, .bool),
            (.string, .string), (.double, .double), (.float, .double), (.date, .date):
            text(of: value)
        case (.decimal, .decimal(let number)): decimal(number)
        default: nil
        }
    }

    static func text(of value: PredicateValue) -> String? {
        switch value {
        case .integer(.min): "Int64.min"
        case .integer(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .string(let text): SwiftNames.literal(text)
        case .double(let number): number.isFinite ? "\(number)" : nil
        case .date(let date): interval(date)
        default: nil
        }
    }

    private static func interval(_ date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        return seconds.isFinite ? "Date(timeIntervalSinceReferenceDate: \(seconds))" : nil
    }

    /// `Decimal(sign: .plus, exponent: -1, significand: 15)` for 1.5; nil for more digits than an integer literal has.
    private static func decimal(_ number: Decimal) -> String? {
        guard number.isFinite else { return nil }
        let significand = "\(number.significand)"
        guard UInt64(significand) != nil else { return nil }
        if number.exponent == 0, number.sign == .plus { return significand }
        return "Decimal(sign: .\(number.sign), exponent: \(number.exponent), significand: \(significand))"
    }
}

import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Values of attributes as columns keep them, checked by what the model says.
struct AttributeValues {
    let model: ManagedObjectModel
    let entity: StoredEntity
    let schema: SQLEntity
    private let conditions: ValidationConditions
    /// True for an object that gets its mandatory values later.
    let allowsNil: Bool

    init(
        model: ManagedObjectModel, entity: StoredEntity, schema: SQLEntity, allowsNil: Bool = false
    ) throws(CoreDataError) {
        (self.model, self.entity, self.schema, self.allowsNil) = (model, entity, schema, allowsNil)
        conditions = try ValidationConditions(model, entity.name)
    }

    /// The binding of a value. Throws for one of another kind, a mandatory one that is nil, one outside the bounds.
    func binding(
        _ value: PredicateValue, of attribute: AttributeDescription
    ) throws(CoreDataError) -> SQLBinding {
        if value == .null || value == .nullObject {
            guard attribute.isOptional || attribute.isDerived || allowsNil else {
                throw CoreDataError(.missingValue(key: attribute.name, entity: entity.name, count: 1))
            }
            return .null
        }
        let value = Self.plain(value, for: attribute.type)
        try check(value, attribute)
        guard let column = schema.attributes[attribute.name], let binding = column.type.binding(of: value) else {
            throw invalid(attribute, "expected a value of type \(attribute.type.name), found \(value.kindName)")
        }
        guard column.externalFolder != nil, case .blob(let data) = binding else { return binding }
        return .blob([1] + data)
    }

    /// A value in the form that its column has: URLs are texts, decimals doubles.
    private static func plain(_ value: PredicateValue, for type: AttributeType) -> PredicateValue {
        switch (value, type) {
        case (.url(let url), .uri): .string(url.absoluteString)
        case (.decimal(let number), .decimal), (.decimal(let number), .double), (.decimal(let number), .float):
            .double(number.nearestDouble)
        default: value
        }
    }

    private func invalid(
        _ attribute: AttributeDescription, _ reason: String, _ number: Int? = nil
    ) -> CoreDataError {
        CoreDataError(.invalidValue(key: attribute.name, entity: entity.name, reason: reason, number: number))
    }

    private func check(_ value: PredicateValue, _ attribute: AttributeDescription) throws(CoreDataError) {
        if let range = attribute.type.integerRange, case .integer(let number) = value, !range.contains(number) {
            throw invalid(attribute, "\(number) is no value of type \(attribute.type.name)")
        }
        if case .string(let text) = value {
            if let least = attribute.minimumLength, text.utf16.count < least {
                throw invalid(attribute, "a text of \(text.utf16.count) is shorter than \(least)", 1670)
            }
            if let most = attribute.maximumLength, text.utf16.count > most {
                throw invalid(attribute, "a text of \(text.utf16.count) is longer than \(most)", 1660)
            }
        }
        try conditions.check(value, of: attribute.name, in: entity.name)
        guard let number = Self.number(value) else { return }
        let isDate = attribute.type == .date
        if let least = attribute.minimumValue.flatMap(Self.number), number < least {
            throw invalid(attribute, "it is below the least value", isDate ? 1640 : 1620)
        }
        if let most = attribute.maximumValue.flatMap(Self.number), number > most {
            throw invalid(attribute, "it is above the greatest value", isDate ? 1630 : 1610)
        }
    }

    /// Numbers and dates by their order; nil for other values.
    private static func number(_ value: PredicateValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): number.nearestDouble
        case .date(let date): date.timeIntervalSinceReferenceDate
        case .bool, .string, .data, .uuid, .url, .null, .nullObject, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            nil
        @unknown default: nil
        }
    }
}

extension Decimal {
    /// The double nearest to the number, as its digits are read.
    var nearestDouble: Double { Double("\(self)") ?? .nan }
}

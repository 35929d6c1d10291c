import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Converts values of attributes to column values, and validates them against the model.
struct AttributeValues {
    private let entity: StoredEntity
    private let schema: SQLEntity
    private let conditions: ValidationConditions
    /// True if mandatory values may be assigned later.
    private let allowsNil: Bool

    init(
        _ store: CoreDataStore, _ entity: StoredEntity, _ schema: SQLEntity, allowsNil: Bool = false
    ) throws(CoreDataError) {
        (self.entity, self.schema, self.allowsNil) = (entity, schema, allowsNil)
        conditions = try store.pendingChanges.conditions(of: entity.name, store.model)
    }

    /// The column value for a value of an attribute. A value of a transformable attribute is archived, unless it is an archive.
    ///
    /// Throws `missingValue` for nil in a mandatory attribute, `invalidValue` for a value of another type or outside the
    /// attribute's bounds.
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
        let stored = attribute.archivesValues ? ArchivedTree.archive(of: value) ?? value : value
        guard let column = schema.attributes[attribute.name], let binding = column.type.binding(of: stored) else {
            let expected =
                attribute.valueTransformerName.map { "data made by \($0)" } ?? "a value of type \(attribute.type.name)"
            throw invalid(attribute, .type(expected: expected, found: value.kindName))
        }
        guard column.externalFolder != nil, case .blob(let data) = binding else { return binding }
        return .blob([1] + data)
    }

    /// The value in the form of its column: URLs become strings, decimals become doubles.
    static func plain(_ value: PredicateValue, for type: AttributeType) -> PredicateValue {
        switch (value, type) {
        case (.url(let url), .uri): .string(url.absoluteString)
        case (.decimal(let number), .decimal), (.decimal(let number), .double), (.decimal(let number), .float):
            .double(number.nearestDouble)
        default: value
        }
    }

    private func invalid(
        _ attribute: AttributeDescription, _ problem: CoreDataError.ValueProblem
    ) -> CoreDataError {
        CoreDataError(.invalidValue(key: attribute.name, entity: entity.name, problem))
    }

    private func check(_ value: PredicateValue, _ attribute: AttributeDescription) throws(CoreDataError) {
        if let range = attribute.type.integerRange, case .integer(let number) = value, !range.contains(number) {
            throw invalid(attribute, .overflow(number, type: attribute.type.name))
        }
        if case .string(let string) = value {
            let length = string.utf16.count
            if let minimum = attribute.minimumLength, length < minimum {
                throw invalid(attribute, .tooShort(length: length, minimum: minimum))
            }
            if let maximum = attribute.maximumLength, length > maximum {
                throw invalid(attribute, .tooLong(length: length, maximum: maximum))
            }
        }
        try conditions.check(value, of: attribute.name, in: entity.name)
        guard let number = value.amount, value.kind != .boolean else { return }
        if let minimum = attribute.minimumValue?.amount, number < minimum {
            throw invalid(attribute, .belowMinimum(attribute.bound(minimum)))
        }
        if let maximum = attribute.maximumValue?.amount, number > maximum {
            throw invalid(attribute, .aboveMaximum(attribute.bound(maximum)))
        }
    }
}

extension AttributeDescription {
    /// A bound in the form of the attribute's values.
    fileprivate func bound(_ number: Double) -> PredicateValue {
        if type == .date { return .date(Date(timeIntervalSinceReferenceDate: number)) }
        return Int64(exactly: number).map(PredicateValue.integer) ?? .double(number)
    }
}

/// Splits the values of composite attributes into values of their elements.
///
///     ["address": ["street": "Elm", "city": "Rome"]]     ["address.street": "Elm", "address.city": "Rome"]
struct CompositeValues {
    private let entity: String
    private let composites: [(attribute: AttributeDescription, elements: [AttributeDescription])]

    init(_ model: ManagedObjectModel, _ entity: String) {
        self.entity = entity
        composites = model.attributes(of: entity).filter { $0.type == .composite && $0.isStored }
            .map { ($0, model.elements(of: $0)) }
    }

    /// The values with elements in place of composite attributes. An element that the dictionary does not contain
    /// becomes nil.
    ///
    /// Throws `missingValue` for nil in a mandatory composite attribute, `invalidValue` for anything but a
    /// dictionary.
    func split(_ values: [String: PredicateValue]) throws(CoreDataError) -> [String: PredicateValue] {
        var values = values
        for (attribute, elements) in composites {
            guard let value = values.removeValue(forKey: attribute.name) else { continue }
            for element in elements { values[element.name] = values[element.name] ?? .null }
            switch value {
            case .null, .nullObject:
                guard attribute.isOptional else { throw missing(attribute) }
            case .dictionary(let entries): Self.add(entries, under: attribute.name, to: &values, elements)
            case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set,
                .orderedSet, .object, .expression, .predicate:
                throw unfit(value, attribute)
            }
        }
        return values
    }

    /// Adds every entry under its path, unknown ones included, so that the check of keys reports them.
    private static func add(
        _ entries: [String: PredicateValue], under path: String, to values: inout [String: PredicateValue],
        _ elements: [AttributeDescription]
    ) {
        for (key, value) in entries {
            let path = "\(path).\(key)"
            if case .dictionary(let entries) = value, elements.contains(where: { $0.name.hasPrefix(path + ".") }) {
                add(entries, under: path, to: &values, elements)
            } else {
                values[path] = value
            }
        }
    }

    /// Throws `missingValue` for a mandatory composite attribute of a new object if no element has a value or a
    /// default.
    func checkMandatory(_ given: [String: PredicateValue]) throws(CoreDataError) {
        for (attribute, elements) in composites where !attribute.isOptional {
            guard elements.allSatisfy({ given[$0.name] == nil && $0.defaultValue == nil }) else { continue }
            throw missing(attribute)
        }
    }

    private func missing(_ attribute: AttributeDescription) -> CoreDataError {
        CoreDataError(.missingValue(key: attribute.name, entity: entity, count: 1))
    }

    private func unfit(_ value: PredicateValue, _ attribute: AttributeDescription) -> CoreDataError {
        CoreDataError(
            .invalidValue(
                key: attribute.name, entity: entity,
                .type(expected: "a dictionary of its elements", found: value.kindName)))
    }
}

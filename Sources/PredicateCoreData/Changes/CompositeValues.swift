import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The values of composite attributes, taken apart into those of their elements.
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

    /// The values with elements in place of composite attributes; an element that a dictionary does not have is nil.
    ///
    /// Throws `missingValue` for a mandatory composite attribute that is nil, `invalidValue` for anything but a dictionary.
    func takenApart(_ values: [String: PredicateValue]) throws(CoreDataError) -> [String: PredicateValue] {
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
            @unknown default: throw unfit(value, attribute)
            }
        }
        return values
    }

    /// Every entry under its path; one that is no element stands there as well, for the check of keys.
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

    /// Throws for a mandatory composite attribute of a new object of which no element is given, or has a default.
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
        let reason = "expected a dictionary of its elements, found \(value.kindName)"
        return CoreDataError(.invalidValue(key: attribute.name, entity: entity, reason: reason))
    }
}

import PredicateChecks
import PredicateSyntax

/// The checks of attributes, relationships and indexes.
extension ModelChecker {
    // MARK: Attributes

    /// `entity` is nil for an attribute of a composite type.
    mutating func check(_ attribute: AttributeDescription, of entity: EntityDescription?, _ path: [String]) {
        switch attribute.type {
        case .undefined where !attribute.isTransient:
            note(.missingType, path, "expected a type: only transient attributes have none")
        case .unknown(let name): note(.unknownType, path, "the type '\(name)' is not known", isWarning: true)
        case .composite: checkComposite(attribute, path)
        case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
            .binaryData, .uuid, .uri, .transformable, .objectID:
            break
        }
        checkBounds(attribute, path)
        checkDefault(attribute, path)
        for rule in attribute.validations {
            append(rule.predicate.findings(in: CheckScope(model, attribute: attribute), at: path))
        }
        if let entity, let derivation = attribute.derivation { check(derivation, attribute, entity, path) }
    }

    private mutating func checkComposite(_ attribute: AttributeDescription, _ path: [String]) {
        guard let name = attribute.compositeName else { return }
        guard !model.composites.contains(where: { $0.name == name }) else { return }
        note(
            .unknownComposite, path, "there is no composite type '\(name)'",
            hint: near(name, model.composites.map(\.name)))
    }

    private mutating func checkBounds(_ attribute: AttributeDescription, _ path: [String]) {
        if let least = attribute.minimumValue?.amount, let most = attribute.maximumValue?.amount, least > most {
            note(
                .contradictoryBounds, path,
                "the minimum \(attribute.minimumValue?.printed ?? "") is above the maximum"
                    + " \(attribute.maximumValue?.printed ?? "")")
        }
        if let least = attribute.minimumLength, let most = attribute.maximumLength, least > most {
            note(.contradictoryBounds, path, "the least length \(least) is above the greatest length \(most)")
        }
        for (bound, name) in [(attribute.minimumValue, "minimum"), (attribute.maximumValue, "maximum")] {
            guard let bound, attribute.type.isNumber, bound.amount == nil else { continue }
            note(.contradictoryBounds, path, "the \(name) is no number: \(bound.printed)")
        }
    }

    private mutating func checkDefault(_ attribute: AttributeDescription, _ path: [String]) {
        guard let value = attribute.defaultValue else { return }
        guard let kind = value.kind, attribute.type.kind == kind || attribute.type.kind == nil else {
            return note(
                .invalidDefault, path, "the default value \(value.printed) is no \(attribute.type.name)")
        }
        if case .integer(let number) = value, let range = attribute.type.integerRange, !range.contains(number) {
            note(.invalidDefault, path, "the default value \(number) is out of range for \(attribute.type.name)")
        }
        if let amount = value.amount, isOutside(amount, attribute) {
            note(.invalidDefault, path, "the default value \(value.printed) is outside of the bounds")
        }
        if case .string(let text) = value, attribute.type == .string {
            let length = text.utf16.count
            if length < attribute.minimumLength ?? 0 || length > attribute.maximumLength ?? .max {
                note(.invalidDefault, path, "the default value \(value.printed) is too short or too long")
            }
        }
    }

    private func isOutside(_ amount: Double, _ attribute: AttributeDescription) -> Bool {
        if let least = attribute.minimumValue?.amount, amount < least { return true }
        if let most = attribute.maximumValue?.amount, amount > most { return true }
        return false
    }

    /// `name`, `author.name`, `canonical:(name)`, `books.@count`, `books.price.@sum`, `now()`
    private mutating func check(
        _ derivation: ModelExpression, _ attribute: AttributeDescription, _ entity: EntityDescription, _ path: [String]
    ) {
        let found = derivation.findings(in: CheckScope(model, entity: entity.name), at: path)
        append(found.findings)
        guard found.findings.allSatisfy(\.isWarning) else { return }
        if found.type.isToMany {
            return note(.invalidDerivation, path, "\(derivation.format) stands for several values")
        }
        guard let kind = attribute.type.kind, !found.type.isOpen, found.type.kinds != [kind] else { return }
        note(
            .invalidDerivation, path,
            "\(derivation.format) is \(found.type.noun(ModelSchema([model]))), not \(attribute.type.name)")
    }

    // MARK: Relationships

    mutating func check(_ relationship: RelationshipDescription, of entity: EntityDescription, _ path: [String]) {
        checkCounts(relationship, path)
        guard let destination = relationship.destinationEntityName else {
            return note(.missingDestination, path, "expected a destination")
        }
        guard model.entity(destination) != nil else {
            return note(
                .unknownEntity, path, "there is no entity '\(destination)' to lead to", hint: nearEntity(destination))
        }
        guard let name = relationship.inverseName else {
            return note(
                .missingInverse, path, "there is no inverse: the other side is not kept up to date", isWarning: true)
        }
        checkInverse(relationship, name, destination, entity, path)
    }

    private mutating func checkCounts(_ relationship: RelationshipDescription, _ path: [String]) {
        if relationship.isOrdered, !relationship.isToMany {
            note(.invalidCounts, path, "ordering has no effect on a to-one relationship", isWarning: true)
        }
        if relationship.minimumCount < 0 || relationship.maximumCount < 0 {
            note(.invalidCounts, path, "expected counts of 0 or more")
        }
        let most = relationship.maximumCount
        if most > 0, relationship.minimumCount > most {
            note(.invalidCounts, path, "the least count \(relationship.minimumCount) is above the greatest \(most)")
        }
    }

    private mutating func checkInverse(
        _ relationship: RelationshipDescription, _ name: String, _ destination: String, _ entity: EntityDescription,
        _ path: [String]
    ) {
        let owner = relationship.inverseEntityName ?? destination
        if !model.isEntity(destination, kindOf: owner), !model.isEntity(owner, kindOf: destination) {
            return note(
                .invalidInverse, path, "the inverse is of \(owner), but the relationship leads to \(destination)")
        }
        guard let found = model.property(name, of: owner) ?? model.property(name, of: destination) else {
            let names = model.relationships(of: destination).map(\.name)
            return note(
                .invalidInverse, path, "\(owner) has no relationship '\(name)'", hint: near(name, names))
        }
        guard case .relationship(let inverse) = found.property else {
            return note(.invalidInverse, path, "'\(name)' of \(owner) is no relationship")
        }
        if inverse.inverseName?.hasSameCodePoints(as: relationship.name) != true {
            let other = inverse.inverseName.map { name in
                "'\(name)'" + (inverse.destinationEntityName.map { " of \($0)" } ?? "")
            }
            return note(
                .invalidInverse, path,
                "the inverse of '\(name)' of \(owner) is \(other ?? "none"), not this relationship")
        }
        guard let back = inverse.destinationEntityName,
            model.isEntity(back, kindOf: entity.name) || model.isEntity(entity.name, kindOf: back)
        else {
            return note(
                .invalidInverse, path,
                "'\(name)' of \(owner) leads to \(inverse.destinationEntityName ?? "nothing"), not back to \(entity.name)"
            )
        }
    }

    // MARK: Indexes and constraints

    mutating func checkIndexes(of entity: EntityDescription, _ path: [String]) {
        for name in repeated(entity.indexes.map(\.name)) {
            note(.duplicateIndex, path, "there are two indexes '\(name)'")
        }
        for index in entity.indexes { check(index, of: entity, path + ["index \(index.name)"]) }
        for keys in entity.compoundIndexes {
            checkKeys(keys, of: entity, path + ["index \(keys.joined(separator: ", "))"])
        }
        for keys in entity.uniquenessConstraints {
            checkKeys(keys, of: entity, path + ["uniqueness constraint \(keys.joined(separator: ", "))"])
        }
    }

    private mutating func check(_ index: FetchIndexDescription, of entity: EntityDescription, _ path: [String]) {
        for element in index.elements {
            switch element.subject {
            case .property(let name): checkKeys([name], of: entity, path)
            case .expression(let expression):
                append(expression.findings(in: CheckScope(model, entity: entity.name), at: path).findings)
            }
        }
        if let condition = index.partialIndexPredicate {
            append(condition.findings(in: CheckScope(model, entity: entity.name), at: path))
        }
    }

    /// Keys that must have a column: attributes and to-one relationships.
    private mutating func checkKeys(_ keys: [String], of entity: EntityDescription, _ path: [String]) {
        for key in keys {
            // Names that indexes have for the object and its entity, and keys of composite attributes.
            let first = key.split(separator: ".").first.map(String.init) ?? key
            if ["self", "entity", "objectID"].contains(first.lowercased()) { continue }
            switch model.property(first, of: entity.name)?.property {
            case nil:
                note(
                    .unknownIndexedKey, path, "\(entity.name) has no key '\(key)'",
                    hint: near(key, model.properties(of: entity.name).map(\.name)))
            case .attribute(let attribute)? where !attribute.isStored:
                note(.unknownIndexedKey, path, "'\(key)' is transient: a store has no column for it")
            case .relationship(let relationship)? where relationship.isToMany:
                note(.unknownIndexedKey, path, "'\(key)' leads to several objects: a store has no column for it")
            case .fetchedProperty?: note(.unknownIndexedKey, path, "'\(key)' is a fetched property")
            case .attribute?, .relationship?: break
            }
        }
    }
}

extension PredicateValue {
    /// A number, or a date in seconds.
    var amount: Double? {
        switch self {
        case .bool(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): Double("\(number)")
        case .date(let date): date.timeIntervalSinceReferenceDate
        case .null, .nullObject, .string, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object,
            .expression, .predicate:
            nil
        }
    }
}

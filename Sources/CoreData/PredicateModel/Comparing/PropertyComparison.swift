import PredicateSyntax

/// Compares the properties of an entity in two versions.
extension ModelComparison {
    mutating func compareProperties(_ old: EntityDescription, _ new: EntityDescription) {
        let own = RenamingMatch(
            old.properties, new.properties, name: \.name, identifier: \.renamingIdentifier)
        for (before, after) in own.pairs { compare(before, after, old, new) }
        for property in own.added { compareAdded(property, old, new) }
        for property in own.removed where !isStillThere(property, of: new) {
            note(property.removal, entity: new.name, name: property.name, .inferable)
        }
    }

    /// Reports a property that was added to the entity, or moved to it from a superentity or from subentities.
    private mutating func compareAdded(
        _ property: PropertyDescription, _ old: EntityDescription, _ new: EntityDescription
    ) {
        let key = property.renamingIdentifier ?? property.name
        let inherited = self.old.property(key, of: old.name)?.property
        let below = self.old.subtree(of: old.name).lazy.compactMap { $0.property(key) }.first
        guard let before = inherited ?? below else { return noteAddition(of: property, old, new) }
        note(.propertyMoved, entity: new.name, name: property.name, .inferable)
        compare(before, property, old, new)
    }

    /// True for a property that moved to another entity. Its change is reported there.
    private func isStillThere(_ property: PropertyDescription, of entity: EntityDescription) -> Bool {
        let isSame = { (other: PropertyDescription) in
            (other.renamingIdentifier ?? other.name).hasSameCodePoints(as: property.name)
        }
        return new.properties(of: entity.name).contains(where: isSame)
            || new.subtree(of: entity.name).dropFirst().contains { $0.properties.contains(where: isSame) }
    }

    private mutating func noteAddition(
        of property: PropertyDescription, _ old: EntityDescription, _ new: EntityDescription
    ) {
        switch property {
        case .attribute(let attribute):
            let effect = attribute.needsValue ? Self.missingValue(attribute, new, "new and mandatory") : .inferable
            note(.attributeAdded, entity: new.name, name: attribute.name, new: attribute.type.name, effect)
        case .relationship(let relationship):
            let reason = "objects of \(old.name) exist, and each would need a value for \(relationship.name)"
            note(
                .relationshipAdded, entity: new.name, name: relationship.name, new: relationship.destinationEntityName,
                relationship.isMandatory ? .refused(reason, of: old.name, where: "TRUEPREDICATE") : .inferable)
        case .fetchedProperty(let property):
            note(.fetchedPropertyAdded, entity: new.name, name: property.name, .inferable)
        }
    }

    private static func missingValue(
        _ attribute: AttributeDescription, _ entity: EntityDescription, _ what: String
    ) -> MigrationEffect {
        .needsMapping(
            errorNumber: 134110,
            reason: "\(attribute.name) of \(entity.name) is \(what) and has no default value")
    }

    private mutating func compare(
        _ before: PropertyDescription, _ after: PropertyDescription, _ old: EntityDescription, _ new: EntityDescription
    ) {
        let pair = ComparedPair(old: before, new: after, entity: new.name, name: after.name)
        if before.name.hasSameCodePoints(as: after.name) {
            compare(pair, \.renamingIdentifier, .renamingIdentifierChanged, .nothing) { $0 }
        } else {
            note(.propertyRenamed, entity: new.name, name: after.name, old: before.name, new: after.name, .inferable)
        }
        compare(pair, \.userInfo, .userInfoChanged, .nothing)
        switch (before, after) {
        case (.attribute(let before), .attribute(let after)): compare(before, after, old, new)
        case (.relationship(let before), .relationship(let after)): compare(before, after, old, new)
        case (.fetchedProperty(let before), .fetchedProperty(let after)):
            if before.fetchRequest != after.fetchRequest || before.isOptional != after.isOptional {
                note(.fetchedPropertyChanged, entity: new.name, name: after.name, .nothing)
            }
        case (.attribute, _), (.relationship, _), (.fetchedProperty, _):
            note(
                .propertyKindChanged, entity: new.name, name: after.name, old: before.noun, new: after.noun,
                .needsMapping(
                    errorNumber: 134190,
                    reason:
                        "\(after.name) of \(new.name) was \(before.noun.withArticle) and is \(after.noun.withArticle)")
            )
        }
    }

    // MARK: Attributes

    private mutating func compare(
        _ before: AttributeDescription, _ after: AttributeDescription, _ old: EntityDescription,
        _ new: EntityDescription
    ) {
        let (name, entity) = (after.name, new.name)
        let pair = ComparedPair(old: before, new: after, entity: entity, name: name)
        let isWider = after.type.widens(before.type)
        let reason = "\(name) of \(entity) was \(before.type.name) and is \(after.type.name)"
        compare(
            pair, \.type, isWider ? .integerWidened : .typeChanged,
            before.isStored && after.isStored && !isWider
                ? .needsMapping(errorNumber: 134190, reason: reason) : .inferable,
            words: \.name)
        func effect(_ what: String) -> MigrationEffect {
            after.needsValue ? Self.missingValue(after, new, what) : .inferable
        }
        if before.isTransient != after.isTransient {
            note(.transientChanged, entity: entity, name: name, effect("stored now, mandatory"))
        } else {
            compare(pair, \.isOptional, after.isOptional ? .madeOptional : .madeMandatory, effect("mandatory now"))
        }
        compare(pair, \.defaultValue, .defaultChanged, .nothing) { $0.map(\.modelText) }
        compare(pair, \.bounds, .validationChanged, .nothing)
        compare(pair, \.derivation, .derivationChanged, .inferable) { $0?.format }
        compare(pair, \.storage, .storageChanged, .inferable)
        if before.type == .composite, after.type == .composite { compareElements(before, after, old, new) }
        compare(pair, \.transformers, .transformerChanged, .nothing) {
            $0.compactMap(\.self).joined(separator: ", ")
        }
        compare(pair, \.isIndexed, .indexesChanged, .nothing)
        compare(pair, \.versionHashModifier, .hashModifierChanged, .inferable) { $0 }
    }

    /// Compares the elements of a composite attribute like attributes of the entity, named by their key paths.
    private mutating func compareElements(
        _ before: AttributeDescription, _ after: AttributeDescription, _ old: EntityDescription,
        _ new: EntityDescription
    ) {
        let elements = RenamingMatch(
            self.old.elements(of: before), self.new.elements(of: after), name: \.name, identifier: \.renamingIdentifier)
        for (before, after) in elements.pairs {
            let (oldName, newName) = (before.lastKey, after.lastKey)
            if !oldName.hasSameCodePoints(as: newName) {
                note(.propertyRenamed, entity: new.name, name: after.name, old: oldName, new: newName, .inferable)
            }
            // A composite attribute whose elements are unknown is compared as a whole.
            if after.type != .composite || before.type != .composite { compare(before, after, old, new) }
        }
        for element in elements.added { noteAddition(of: .attribute(element), old, new) }
        for element in elements.removed {
            note(.attributeRemoved, entity: new.name, name: element.name, .inferable)
        }
    }

    // MARK: Relationships

    private mutating func compare(
        _ before: RelationshipDescription, _ after: RelationshipDescription, _ old: EntityDescription,
        _ new: EntityDescription
    ) {
        let (name, entity) = (after.name, new.name)
        let pair = ComparedPair(old: before, new: after, entity: entity, name: name)
        let destination = before.destinationEntityName.map { newName(of: $0) ?? $0 }
        if destination != after.destinationEntityName {
            note(
                .destinationChanged, entity: entity, name: name, old: before.destinationEntityName,
                new: after.destinationEntityName, destinationEffect(before, after, old, destination))
        }
        if before.isToMany != after.isToMany {
            let reason = "\(name) of \(entity) was to-many and is to-one"
            compare(
                pair, \.isToMany, .cardinalityChanged,
                after.isToMany ? .inferable : .needsMapping(errorNumber: 134190, reason: reason)
            ) { $0 ? "to-many" : "to-one" }
        } else {
            compare(pair, \.counts, .countsChanged, countEffect(before, after, old)) { $0 }
        }
        compare(
            pair, \.isOptional, after.isOptional ? .madeOptional : .madeMandatory,
            after.isMandatory ? mandatoryEffect(before, old) : .inferable)
        compare(pair, \.isOrdered, .orderedChanged, .inferable)
        if !hasSameInverse(before, after) {
            note(
                .inverseChanged, entity: entity, name: name, old: before.inverseName, new: after.inverseName,
                .inferable)
        }
        compare(pair, \.deleteRule, .deleteRuleChanged, .inferable, words: \.name)
        compare(pair, \.isTransient, .transientChanged, .inferable)
        compare(pair, \.isIndexed, .indexesChanged, .nothing)
        compare(pair, \.versionHashModifier, .hashModifierChanged, .inferable) { $0 }
    }

    /// True if the inverse is the same property, even if it was renamed.
    private func hasSameInverse(_ before: RelationshipDescription, _ after: RelationshipDescription) -> Bool {
        if before.inverseName == after.inverseName { return true }
        guard let inverse = new.inverse(of: after)?.relationship, let old = before.inverseName else { return false }
        return inverse.canonicalName.hasSameCodePoints(as: old)
            || inverse.canonicalName == self.old.inverse(of: before)?.relationship.canonicalName
    }

    private func destinationEffect(
        _ before: RelationshipDescription, _ after: RelationshipDescription, _ old: EntityDescription,
        _ destination: String?
    ) -> MigrationEffect {
        guard let destination, let target = after.destinationEntityName else { return .inferable }
        if new.isEntity(destination, kindOf: target) { return .inferable }
        if new.isEntity(target, kindOf: destination) {
            return .refused(
                "\(before.name) of an object of \(old.name) refers to an object that is not of \(target)", of: old.name)
        }
        return .needsMapping(
            errorNumber: 134190,
            reason:
                "\(after.name) had the destination \(before.destinationEntityName ?? "") and has the unrelated destination \(target)"
        )
    }

    private func mandatoryEffect(_ before: RelationshipDescription, _ old: EntityDescription) -> MigrationEffect {
        .refused(
            "an object of \(old.name) has no \(before.name)", of: old.name,
            where: before.isToMany ? "\(before.name).@count == 0" : "\(before.name) == nil")
    }

    private func countEffect(
        _ before: RelationshipDescription, _ after: RelationshipDescription, _ old: EntityDescription
    ) -> MigrationEffect {
        var conditions: [String] = []
        if after.minimumCount > max(before.minimumCount, 1) {
            conditions.append("\(before.name).@count < \(after.minimumCount)")
        }
        let most = after.maximumCount
        if before.isToMany, most != 0, before.maximumCount == 0 || most < before.maximumCount {
            conditions.append("\(before.name).@count > \(most)")
        }
        guard !conditions.isEmpty else { return .inferable }
        return .refused(
            "an object of \(old.name) has too few or too many \(before.name)", of: old.name,
            where: conditions.joined(separator: " OR "), conditions[0].contains("<") ? 1580 : 1590)
    }
}

extension PropertyDescription {
    fileprivate var removal: ModelChange.Kind {
        switch self {
        case .attribute: .attributeRemoved
        case .relationship: .relationshipRemoved
        case .fetchedProperty: .fetchedPropertyRemoved
        }
    }
}

extension AttributeDescription {
    /// True if every object needs a value and nothing provides one.
    fileprivate var needsValue: Bool {
        !isOptional && isStored && !isDerived && defaultValue == nil && opaqueDefaultClassName == nil
    }

    /// The last key of the path to an element of a composite attribute.
    fileprivate var lastKey: String { name.split(separator: ".").last.map(String.init) ?? name }

    /// The transformer and the class.
    fileprivate var transformers: [String?] { [valueTransformerName, valueClassName] }

    /// Where large values may be stored, and whether they are encrypted.
    fileprivate var storage: [Bool] { [allowsExternalBinaryDataStorage, allowsCloudEncryption] }

    /// The bounds of valid values.
    fileprivate var bounds: [ModelBound] {
        [
            ModelBound(value: minimumValue), ModelBound(value: maximumValue), ModelBound(length: minimumLength),
            ModelBound(length: maximumLength), ModelBound(pattern: regularExpression),
        ] + validations.map { ModelBound(rule: $0) }
    }
}

/// One of the bounds of valid values.
private struct ModelBound: Equatable {
    var value: PredicateValue?
    var length: Int?
    var pattern: String?
    var rule: ValidationRule?
}

extension RelationshipDescription {
    /// True if a store rejects an object without a related object. A mandatory to-many relationship without a minimum
    /// count may be empty.
    fileprivate var isMandatory: Bool { !isOptional && !isTransient && (!isToMany || minimumCount > 0) }

    /// `0…1`, `2…`
    fileprivate var counts: String { "\(minimumCount)…" + (maximumCount == 0 ? "" : "\(maximumCount)") }
}

extension PredicateValue {
    /// The value of a default or a bound: a date in ISO 8601, any other as it is printed in a format.
    package var modelText: String {
        if case .date(let date) = self, let text = ISO8601.exactString(from: date) { return text }
        return printed
    }
}

extension String {
    var withArticle: String { first.map { "aeiou".contains($0) } == true ? "an \(self)" : "a \(self)" }
}

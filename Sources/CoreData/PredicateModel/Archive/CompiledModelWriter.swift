import Foundation
import PredicateSyntax

extension ManagedObjectModel {
    /// Returns the model as the bytes of a `.mom`, a keyed archive.
    ///
    /// `try Data(model.compiled()).write(to: URL(filePath: "Library.mom"))`
    ///
    /// A model that was read from an archive and has not changed is returned as that archive. Otherwise, data that only an
    /// editor uses is left out, and so are the names of composite types. An archive does not contain version hashes.
    /// - Throws: ``ModelError``: `notWritable` for a part that an archive cannot contain in a known form, with its place.
    public func compiled() throws(ModelError) -> [UInt8] {
        if let archive { return archive }
        var writer = CompiledModelWriter(self)
        return try writer.write()
    }
}

/// Writes a model as a keyed archive, in the form that ``CompiledModelReader`` reads.
///
/// Entities and relationships refer to each other, so all of them are numbered first. An inherited property is archived
/// again in each subentity.
private struct CompiledModelWriter {
    private let model: ManagedObjectModel
    private var archive = KeyedArchiveWriter()
    private let root: PropertyListValue
    private var entities: [ExactName: PropertyListValue] = [:]
    /// The relationships by `entity.key`, in each entity that has them.
    private var relationships: [ExactName: PropertyListValue] = [:]
    /// The nesting of the composite attribute that is being written.
    private var level = 0

    private static let mostLevels = 16

    init(_ model: ManagedObjectModel) {
        self.model = model
        root = archive.reserve()
        for entity in model.entities {
            entities[ExactName(entity.name)] = archive.reserve()
            for relationship in model.relationships(of: entity.name) {
                relationships[ExactName("\(entity.name).\(relationship.name)")] = archive.reserve()
            }
        }
    }

    mutating func write() throws(ModelError) -> [UInt8] {
        var members: [(key: String, value: PropertyListValue)] = []
        for entity in model.entities {
            try ModelError.placing("entity \(entity.name)") { () throws(ModelError) in
                members.append((entity.name, try write(entity)))
            }
        }
        let templates = try templates()
        let configurations = model.configurations.map { configuration in
            (configuration.name, archive.list(configuration.entityNames.map { entity($0) }))
        }
        let identifiers = model.versionIdentifiers.isEmpty ? [""] : model.versionIdentifiers
        archive.fill(
            root, "NSManagedObjectModel",
            [
                "NSEntities": archive.dictionary(members),
                "NSConfigurations": configurations.isEmpty
                    ? KeyedArchiveWriter.null : archive.dictionary(configurations),
                "NSFetchRequestTemplates": templates.isEmpty ? KeyedArchiveWriter.null : archive.dictionary(templates),
                "NSVersionIdentifiers": archive.list(identifiers.map { archive.string($0) }, as: "NSSet"),
            ])
        return archive.bytes(root: root)
    }

    private mutating func templates() throws(ModelError) -> [(key: String, value: PropertyListValue)] {
        var found: [(key: String, value: PropertyListValue)] = []
        for request in model.fetchRequestTemplates {
            try ModelError.placing("fetch request \(request.name)") { () throws(ModelError) in
                found.append((request.name, try write(request)))
            }
        }
        return found
    }

    private func entity(_ name: String?) -> PropertyListValue {
        name.flatMap { entities[ExactName($0)] } ?? KeyedArchiveWriter.null
    }

    // MARK: Entities

    private mutating func write(_ entity: EntityDescription) throws(ModelError) -> PropertyListValue {
        let own = self.entity(entity.name)
        var properties: [(key: String, value: PropertyListValue)] = []
        for property in model.properties(of: entity.name) {
            try ModelError.placing("\(property.noun) \(property.name)") { () throws(ModelError) in
                try checkOverride(property, entity)
                properties.append((property.name, try write(property, in: entity.name)))
            }
        }
        let subentities = model.subentities(of: entity.name).map { ($0.name, self.entity($0.name)) }
        archive.fill(
            own, "NSEntityDescription",
            [
                "NSEntityName": archive.string(entity.name), "NSManagedObjectModel": root,
                "NSClassNameForEntity": archive.string(entity.managedObjectClassName ?? "NSManagedObject"),
                "NSSuperentity": self.entity(entity.superentityName), "NSIsAbstract": .bool(entity.isAbstract),
                "NSSubentities": archive.dictionary(subentities), "NSProperties": archive.dictionary(properties),
                "NSRenamingIdentifier": archive.string(entity.canonicalName),
                "NSVersionHashModifier": archive.string(entity.versionHashModifier),
                "NSUserInfo": try archive.dictionary(of: entity.userInfo),
                "NSUniqueTuples": tuples(entity.uniquenessConstraints),
                "NSCompoundIndexes": tuples(entity.compoundIndexes),
                "NSFetchIndexDescriptions": try indexes(of: entity),
            ])
        return own
    }

    /// Throws for a property that replaces a different inherited property, because an archive cannot distinguish the two.
    private func checkOverride(_ property: PropertyDescription, _ entity: EntityDescription) throws(ModelError) {
        guard let parent = entity.superentityName, let inherited = model.property(property.name, of: parent)?.property,
            inherited != property
        else { return }
        throw ModelError(.notWritable("a property that replaces an inherited one"))
    }

    private mutating func tuples(_ lists: [[String]]) -> PropertyListValue {
        guard !lists.isEmpty else { return KeyedArchiveWriter.null }
        return archive.list(lists.map { names in archive.list(names.map { archive.string($0) }) })
    }

    private mutating func indexes(of entity: EntityDescription) throws(ModelError) -> PropertyListValue {
        guard !entity.indexes.isEmpty else { return KeyedArchiveWriter.null }
        var found: [PropertyListValue] = []
        for index in entity.indexes {
            try ModelError.placing("index \(index.name)") { () throws(ModelError) in found.append(try write(index)) }
        }
        return archive.list(found)
    }

    private mutating func write(_ index: FetchIndexDescription) throws(ModelError) -> PropertyListValue {
        var elements: [PropertyListValue] = []
        for element in index.elements {
            var fields: [String: PropertyListValue] = [
                "NSAscending": .bool(element.isAscending), "NSFetchIndexElementType": .integer(try number(element)),
            ]
            switch element.value {
            case .property(let name): fields["NSPropertyName"] = archive.string(name)
            case .expression(let expression):
                fields["NSIndexedProperty"] = archive.object(
                    "NSExpressionDescription", ["NSExpression": try archive.expression(expression)])
            }
            elements.append(archive.object("NSFetchIndexElementDescription", fields))
        }
        return archive.object(
            "NSFetchIndexDescription",
            [
                "NSIndexName": archive.string(index.name), "NSIndexElements": archive.list(elements),
                "NSPartialIndexPredicate": try predicate(index.partialIndexPredicate),
            ])
    }

    private func number(_ element: FetchIndexElementDescription) throws(ModelError) -> Int64 {
        switch element.collation {
        case .binary: return 0
        case .rTree: return 1
        case .unknown(let name):
            guard let number = Int64(name) else { throw ModelError(.notWritable("an index of the kind \(name)")) }
            return number
        }
    }

    private mutating func predicate(_ predicate: ModelPredicate?) throws(ModelError) -> PropertyListValue {
        guard let predicate else { return KeyedArchiveWriter.null }
        return try archive.predicate(predicate)
    }

    // MARK: Properties

    private mutating func write(
        _ property: PropertyDescription, in entity: String
    ) throws(ModelError) -> PropertyListValue {
        var fields: [String: PropertyListValue] = [
            "NSPropertyName": archive.string(property.name), "NSEntity": self.entity(entity),
            "NSIsOptional": .bool(property.isOptional), "NSIsTransient": .bool(property.isTransient),
            "NSUserInfo": try archive.dictionary(of: property.userInfo),
            "NSRenamingIdentifier": archive.string(property.renamingIdentifier ?? property.name),
        ]
        switch property {
        case .attribute(let attribute): return try write(attribute, &fields)
        case .relationship(let relationship): return write(relationship, in: entity, &fields)
        case .fetchedProperty(let fetched):
            if let request = fetched.fetchRequest {
                fields["NSFetchRequest"] = try write(request)
                fields["_NSFetchRequestEntityName"] = archive.string(request.entityName)
            }
            return archive.object("NSFetchedPropertyDescription", fields)
        }
    }

    private mutating func write(
        _ relationship: RelationshipDescription, in entity: String, _ fields: inout [String: PropertyListValue]
    ) -> PropertyListValue {
        let owner = relationship.inverseEntityName ?? relationship.destinationEntityName ?? ""
        let inverse = relationship.inverseName.flatMap { relationships[ExactName("\(owner).\($0)")] }
        let maximum = relationship.isToMany ? relationship.maximumCount : 1
        fields.merge([
            "NSDestinationEntity": self.entity(relationship.destinationEntityName),
            "_NSDestinationEntityName": archive.string(relationship.destinationEntityName),
            "NSInverseRelationship": inverse ?? KeyedArchiveWriter.null,
            "_NSInverseRelationshipName": archive.string(relationship.inverseName),
            "NSMinCount": .integer(Int64(relationship.minimumCount)), "NSMaxCount": .integer(Int64(maximum)),
            "NSDeleteRule": .integer(Int64(relationship.deleteRule.rawValue)),
            "NSIsOrdered": .bool(relationship.isOrdered), "NSIsIndexed": .bool(relationship.isIndexed),
            "NSVersionHashModifier": archive.string(relationship.versionHashModifier),
        ]) { own, _ in own }
        let object =
            relationships[ExactName("\(entity).\(relationship.name)")] ?? archive.reserve()
        archive.fill(object, "NSRelationshipDescription", fields)
        return object
    }

    private mutating func write(
        _ attribute: AttributeDescription, _ fields: inout [String: PropertyListValue]
    ) throws(ModelError) -> PropertyListValue {
        guard let type = attribute.type.archivedNumber else {
            throw ModelError(.notWritable("the type \(attribute.type.name)"))
        }
        if attribute.allowsCloudEncryption { throw ModelError(.notWritable("the option allowsCloudEncryption")) }
        if let name = attribute.opaqueDefaultClassName {
            throw ModelError(.notWritable("a default value that is an object of \(name)"))
        }
        let flags: Int64 =
            (attribute.allowsExternalBinaryDataStorage ? 4 : 0) + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
        fields.merge([
            "NSAttributeType": .integer(Int64(type)), "NSFlagsKey": .integer(flags),
            "NSAttributeValueClassName": archive.string(attribute.valueClassName ?? attribute.type.valueClassName),
            "NSValueTransformerName": archive.string(attribute.valueTransformerName),
            "NSDefaultValue": try archive.value(attribute.defaultValue ?? .null),
            "NSIsIndexed": .bool(attribute.isIndexed),
            "NSVersionHashModifier": archive.string(attribute.versionHashModifier),
        ]) { own, _ in own }
        try addConditions(of: attribute, to: &fields)
        if let derivation = attribute.derivation {
            fields["NSDerivationExpression"] = try archive.expression(derivation.archivedForm)
            return archive.object("NSDerivedAttributeDescription", fields)
        }
        guard attribute.type == .composite else { return archive.object("NSAttributeDescription", fields) }
        fields["NSCompositeElements"] = try elements(of: attribute)
        return archive.object("NSCompositeAttributeDescription", fields)
    }

    private mutating func elements(of attribute: AttributeDescription) throws(ModelError) -> PropertyListValue {
        guard let composite = model.composite(of: attribute) else {
            throw ModelError(.notWritable("a composite attribute whose elements are unknown"))
        }
        guard level < Self.mostLevels else {
            throw ModelError(.notWritable("composite attributes nested deeper than \(Self.mostLevels) levels"))
        }
        level += 1
        defer { level -= 1 }
        var elements: [PropertyListValue] = []
        for element in composite.attributes {
            try ModelError.placing("element \(element.name)") { () throws(ModelError) in
                elements.append(try write(.attribute(element), in: ""))
            }
        }
        return archive.list(elements)
    }

    /// Adds bounds, lengths and patterns as predicates, each with the number of its error.
    private mutating func addConditions(
        of attribute: AttributeDescription, to fields: inout [String: PropertyListValue]
    ) throws(ModelError) {
        let rules = attribute.boundRules + attribute.validations
        guard !rules.isEmpty else { return }
        var (predicates, warnings): ([PropertyListValue], [PropertyListValue]) = ([], [])
        for rule in rules {
            predicates.append(try archive.predicate(rule.predicate))
            warnings.append(try archive.value(rule.warning ?? .nullObject))
        }
        fields["NSValidationPredicates"] = archive.list(predicates)
        fields["NSValidationWarnings"] = archive.list(warnings)
    }

    // MARK: Fetches

    private mutating func write(_ request: FetchRequestTemplate) throws(ModelError) -> PropertyListValue {
        let plain = FetchRequestTemplate("", entity: nil)
        guard request.includesSubentities == plain.includesSubentities,
            request.includesPropertyValues == plain.includesPropertyValues,
            request.includesPendingChanges == plain.includesPendingChanges,
            request.returnsObjectsAsFaults == plain.returnsObjectsAsFaults, !request.returnsDistinctResults
        else { throw ModelError(.notWritable("the options of a fetch request")) }
        let entity = entity(request.entityName)
        guard entity != KeyedArchiveWriter.null else {
            throw ModelError(.notWritable("a fetch request without an entity of the model"))
        }
        var sortKeys: [PropertyListValue] = []
        for key in request.sortKeys { sortKeys.append(try write(key)) }
        return archive.object(
            "NSFetchRequest",
            [
                "NSEntity": entity, "NSPredicate": try predicate(request.predicate),
                "NSHavingPredicate": try predicate(request.havingPredicate),
                "NSSortDescriptors": sortKeys.isEmpty ? KeyedArchiveWriter.null : archive.list(sortKeys),
                "NSFetchLimit": .integer(Int64(request.fetchLimit)),
                "NSFetchOffset": .integer(Int64(request.fetchOffset)),
                "NSBatchSize": .integer(Int64(request.fetchBatchSize)),
                "NSResultType": .integer(Int64(request.resultType.rawValue)),
                "NSValuesToFetch": names(request.propertiesToFetch),
                "NSValuesToGroupBy": names(request.propertiesToGroupBy),
            ])
    }

    private mutating func names(_ names: [String]) -> PropertyListValue {
        names.isEmpty ? KeyedArchiveWriter.null : archive.list(names.map { archive.string($0) })
    }

    private mutating func write(_ key: SortKey) throws(ModelError) -> PropertyListValue {
        let selector: String
        switch key.options {
        case []: selector = "compare:"
        case .caseInsensitive: selector = "caseInsensitiveCompare:"
        default: throw ModelError(.notWritable("the options of the sort key \(key.keyPath)"))
        }
        guard key.expression == nil, key.nils == nil, !key.isNumeric else {
            throw ModelError(.notWritable("the options of the sort key \(key.keyPath)"))
        }
        return archive.object(
            "NSSortDescriptor",
            [
                "NSKey": archive.string(key.keyPath), "NSAscending": .bool(key.ascending),
                "NSSelector": archive.string(selector),
            ])
    }
}

extension AttributeType {
    /// The class of the values in Foundation; nil if it does not follow from the type.
    fileprivate var valueClassName: String? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binaryData: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .undefined, .transformable, .objectID, .composite, .unknown: nil
        }
    }
}

extension AttributeDescription {
    /// The bounds, lengths and the pattern as conditions, each with the number of its error in Core Data.
    fileprivate var boundRules: [ValidationRule] {
        let (isDate, length) = (type == .date, ExpressionNode.keyPath(KeyPathExpression(keys: "length")))
        var rules: [ValidationRule] = []
        func add(_ left: ExpressionNode, _ own: ComparisonOperator, _ bound: PredicateValue?, _ number: Int64) {
            guard let bound else { return }
            let node = PredicateNode.comparison(ComparisonPredicate(left, own, .constantValue(bound)))
            rules.append(ValidationRule(ModelPredicate(FormatPredicate(node)), warning: .integer(number)))
        }
        add(.evaluatedObject, .greaterThanOrEqualTo, minimumValue, isDate ? 1640 : 1620)
        add(.evaluatedObject, .lessThanOrEqualTo, maximumValue, isDate ? 1630 : 1610)
        add(length, .greaterThanOrEqualTo, minimumLength.map { .integer(Int64($0)) }, 1670)
        add(length, .lessThanOrEqualTo, maximumLength.map { .integer(Int64($0)) }, 1660)
        guard let pattern = regularExpression else { return rules }
        let node = PredicateNode.string(
            StringPredicate(.evaluatedObject, .matches, .constantValue(.string(pattern))))
        return rules + [ValidationRule(ModelPredicate(FormatPredicate(node)), warning: 1680)]
    }
}

extension ModelExpression {
    /// The expression with the collection operator of a derivation as a function, as archives have it: `count:(books)` for
    /// `books.@count`.
    fileprivate var archivedForm: ModelExpression {
        guard case .keyPath(let path)? = (try? expression())?.node, path.base == nil, let keys = path.keys,
            keys.count > 1, let last = keys.last, last == "@count" || last == "@sum"
        else { return self }
        let operand = ExpressionNode.keyPath(KeyPathExpression(keys.dropLast().map { .key($0) }))
        let name = FunctionExpression.Name("\(last.dropFirst()):")
        return ModelExpression(FormatExpression(.function(FunctionExpression(name, [operand]))))
    }
}

import Foundation
import PredicateSyntax

/// Reads the keyed archive of a model: a `.mom`, or the model cache of a store.
///
/// Entities refer to each other and to their properties in cycles. They are read one at a time and refer to others by
/// name.
struct CompiledModelReader {
    private let archive: KeyedArchive
    private var properties: CompiledPropertyReader

    static func read(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        let archive = try KeyedArchive(bytes, limits: limits)
        var reader = CompiledModelReader(
            archive: archive, properties: CompiledPropertyReader(archive, limits: limits))
        var model = try reader.model(try archive.root(of: "NSManagedObjectModel"))
        if BinaryPropertyList.isOne(bytes) { model.archive = bytes }
        return model
    }

    private mutating func model(_ root: ArchivedObject) throws(ModelError) -> ManagedObjectModel {
        var entities: [EntityDescription] = []
        for (name, value) in root.entries("NSEntities").sorted(by: { $0.key < $1.key }) {
            guard let object = value.uid.flatMap(archive.object) else { throw root.missing("NSEntities") }
            try ModelError.placing("entity \(name)") { () throws(ModelError) in entities.append(try entity(object)) }
        }
        return ManagedObjectModel(
            entities.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
            configurations: configurations(root), fetchRequestTemplates: try templates(root),
            composites: properties.composites.types,
            versionIdentifiers: root.elements("NSVersionIdentifiers").compactMap { archive.string($0) }
                .filter { !$0.isEmpty }.sorted())
    }

    private func configurations(_ root: ArchivedObject) -> [ConfigurationDescription] {
        let found = root.entries("NSConfigurations").map { name, value in
            let members = value.uid.flatMap(archive.object)?.elements ?? []
            let names = members.compactMap { archive.name($0, "NSEntityName") }
            return ConfigurationDescription(name, entityNames: names.sorted())
        }
        return found.filter { $0.name != "PF_DEFAULT_CONFIGURATION_NAME" }.sorted { $0.name < $1.name }
    }

    private mutating func templates(_ root: ArchivedObject) throws(ModelError) -> [FetchRequestTemplate] {
        var found: [FetchRequestTemplate] = []
        for (name, value) in root.entries("NSFetchRequestTemplates") {
            guard let object = value.uid.flatMap(archive.object) else { continue }
            try ModelError.placing("fetch request \(name)") { () throws(ModelError) in
                found.append(try properties.fetchRequest(object, name: name))
            }
        }
        return found.sorted { $0.name < $1.name }
    }

    private mutating func entity(_ object: ArchivedObject) throws(ModelError) -> EntityDescription {
        let name = try object.requiredString("NSEntityName")
        let className = object.string("NSClassNameForEntity")
        var entity = EntityDescription(
            name, managedObjectClassName: className == "NSManagedObject" ? nil : className,
            superentity: object.object("NSSuperentity")?.string("NSEntityName"),
            isAbstract: object.bool("NSIsAbstract"), uniquenessConstraints: tuples(object, "NSUniqueTuples"),
            indexes: try properties.indexes(object), compoundIndexes: tuples(object, "NSCompoundIndexes"),
            renamingIdentifier: object.string("NSRenamingIdentifier")?.renaming(name),
            versionHashModifier: object.string("NSVersionHashModifier"), userInfo: try properties.userInfo(object))
        try addProperties(of: object, to: &entity)
        return entity
    }

    /// Adds the entity's own properties. A property that the superentity has under the same name is an inherited
    /// copy.
    private mutating func addProperties(
        of object: ArchivedObject, to entity: inout EntityDescription
    ) throws(ModelError) {
        let inherited = Set((object.object("NSSuperentity")?.entries("NSProperties") ?? []).map { ExactName($0.key) })
        let own = object.entries("NSProperties").filter { !inherited.contains(ExactName($0.key)) }
        for (name, value) in own.sorted(by: { $0.key < $1.key }) {
            guard let property = value.uid.flatMap(archive.object) else { throw object.missing("NSProperties") }
            try ModelError.placing("property \(name)") { () throws(ModelError) in
                switch try properties.property(property, of: entity.name) {
                case .attribute(let found): entity.attributes.append(found)
                case .relationship(let found): entity.relationships.append(found)
                case .fetchedProperty(let found): entity.fetchedProperties.append(found)
                }
            }
        }
    }

    /// Lists of names. An element may be the name or the property itself.
    private func tuples(_ object: ArchivedObject, _ key: String) -> [[String]] {
        object.objects(key).map { tuple in
            tuple.elements.compactMap { archive.name($0, "NSPropertyName") }
        }.filter { !$0.isEmpty }
    }
}

/// Reads the properties, the fetch requests and the indexes of a compiled model.
struct CompiledPropertyReader {
    private let archive: KeyedArchive
    private var values: ArchivedValues
    private var predicates: ArchivedPredicates
    private let limits: ModelLimits
    /// The composite types of the attributes that have been read so far.
    private(set) var composites = ArchivedComposites()
    /// The number of elements that may still be read.
    private var elementBudget: Int

    init(_ archive: KeyedArchive, limits: ModelLimits) {
        self.archive = archive
        values = ArchivedValues(archive, limits: limits)
        predicates = ArchivedPredicates(archive, limits: limits)
        (self.limits, elementBudget) = (limits, limits.objects)
    }

    /// Returns a property of an entity. The name of a composite type may contain the entity's name.
    mutating func property(_ object: ArchivedObject, of entity: String) throws(ModelError) -> PropertyDescription {
        switch object.className {
        case "_NSPropertyDescriptionProxy":
            let underlying = try object.requiredObject("NSUnderlyingProperty")
            guard underlying.className != object.className else { throw object.missing("NSUnderlyingProperty") }
            return try property(underlying, of: entity)
        case "NSRelationshipDescription": return .relationship(try relationship(object))
        case "NSFetchedPropertyDescription": return .fetchedProperty(try fetchedProperty(object))
        case let name where name.hasSuffix("AttributeDescription"):
            return .attribute(try attribute(object, in: entity, level: 1))
        default: throw ModelError(.unexpectedClass(object.className, expected: "a property"), at: object.place)
        }
    }

    mutating func userInfo(_ object: ArchivedObject) throws(ModelError) -> [String: PredicateValue] {
        try values.entries(object.fields["NSUserInfo"])
    }

    // MARK: Attributes

    private mutating func attribute(
        _ object: ArchivedObject, in owner: String, level: Int
    ) throws(ModelError) -> AttributeDescription {
        let name = try object.requiredString("NSPropertyName")
        let type = AttributeType(archivedNumber: object.integer("NSAttributeType") ?? 0)
        let flags = object.integer("NSFlagsKey") ?? 0
        let keepsClass = type == .transformable || type == .undefined
        var attribute = AttributeDescription(
            name, type, isOptional: object.bool("NSIsOptional"), isTransient: object.bool("NSIsTransient"),
            derivation: try derivation(object), valueTransformerName: object.string("NSValueTransformerName"),
            valueClassName: keepsClass ? object.string("NSAttributeValueClassName") : nil,
            allowsExternalBinaryDataStorage: flags & 4 != 0, preservesValueInHistoryOnDeletion: flags & 16 != 0,
            isIndexed: object.bool("NSIsIndexed"),
            renamingIdentifier: object.string("NSRenamingIdentifier")?.renaming(name),
            versionHashModifier: object.string("NSVersionHashModifier"), userInfo: try userInfo(object))
        try readDefault(of: object, into: &attribute)
        try readValidations(of: object, into: &attribute)
        if type == .composite { attribute.compositeName = try composite(object, attribute, in: owner, level) }
        return attribute
    }

    /// The name of the composite type of an attribute; nil for an attribute without elements.
    private mutating func composite(
        _ object: ArchivedObject, _ attribute: AttributeDescription, in owner: String, _ level: Int
    ) throws(ModelError) -> String? {
        guard level <= limits.nesting else { throw ModelError(.exceeds(.nesting, limit: limits.nesting)) }
        var elements: [AttributeDescription] = []
        for element in object.objects("NSCompositeElements") {
            guard elementBudget > 0 else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
            elementBudget -= 1
            elements.append(try self.attribute(element, in: attribute.name, level: level + 1))
        }
        return elements.isEmpty ? nil : composites.name(of: elements, for: attribute.name, in: owner)
    }

    private mutating func derivation(_ object: ArchivedObject) throws(ModelError) -> ModelExpression? {
        guard let expression = object.object("NSDerivationExpression") else { return nil }
        return ModelExpression(try predicates.expression(expression))
    }

    private mutating func readDefault(
        of object: ArchivedObject, into attribute: inout AttributeDescription
    ) throws(ModelError) {
        guard let raw = object.fields["NSDefaultValue"] else { return }
        switch try values.value(raw) {
        case .value(.null): break
        case .value(let value): attribute.defaultValue = attribute.type.normalized(value)
        case .opaque(let name): attribute.opaqueDefaultClassName = name
        }
    }

    private mutating func readValidations(
        of object: ArchivedObject, into attribute: inout AttributeDescription
    ) throws(ModelError) {
        let conditions = object.objects("NSValidationPredicates")
        let warnings = object.elements("NSValidationWarnings")
        for (index, condition) in conditions.enumerated() {
            let predicate = try predicates.predicate(condition)
            var warning: PredicateValue?
            if warnings.indices.contains(index), case .value(let value) = try values.value(warnings[index]) {
                warning = value
            }
            if !attribute.takeBound(predicate.node) {
                attribute.validations.append(ValidationRule(ModelPredicate(predicate), warning: warning))
            }
        }
    }

    // MARK: Relationships

    private mutating func relationship(_ object: ArchivedObject) throws(ModelError) -> RelationshipDescription {
        let name = try object.requiredString("NSPropertyName")
        let inverse = object.object("NSInverseRelationship")
        let maximum = object.integer("NSMaxCount") ?? 0
        return RelationshipDescription(
            name,
            destination: object.string("_NSDestinationEntityName")
                ?? object.object("NSDestinationEntity")?.string("NSEntityName"),
            isToMany: maximum != 1, isOrdered: object.bool("NSIsOrdered"),
            inverse: object.string("_NSInverseRelationshipName") ?? inverse?.string("NSPropertyName"),
            inverseEntity: inverse?.object("NSEntity")?.string("NSEntityName"),
            minimumCount: object.integer("NSMinCount") ?? 0, maximumCount: maximum,
            deleteRule: object.integer("NSDeleteRule").flatMap(ModelDeleteRule.init(rawValue:)) ?? .noAction,
            isOptional: object.bool("NSIsOptional"), isTransient: object.bool("NSIsTransient"),
            isIndexed: object.bool("NSIsIndexed"),
            renamingIdentifier: object.string("NSRenamingIdentifier")?.renaming(name),
            versionHashModifier: object.string("NSVersionHashModifier"), userInfo: try userInfo(object))
    }

    // MARK: Fetches

    private mutating func fetchedProperty(_ object: ArchivedObject) throws(ModelError) -> FetchedPropertyDescription {
        let name = try object.requiredString("NSPropertyName")
        var request: FetchRequestTemplate?
        if let archived = object.object("NSFetchRequest") {
            var found = try fetchRequest(archived, name: "fetchedPropertyFetchRequest")
            if found.entityName == nil { found.entityName = object.string("_NSFetchRequestEntityName") }
            request = found
        }
        return FetchedPropertyDescription(
            name, fetchRequest: request, isOptional: object.bool("NSIsOptional"), userInfo: try userInfo(object))
    }

    mutating func fetchRequest(_ object: ArchivedObject, name: String) throws(ModelError) -> FetchRequestTemplate {
        var request = FetchRequestTemplate(
            name, entity: object.object("NSEntity")?.string("NSEntityName") ?? object.string("NSEntityName"),
            predicate: try predicate(object, "NSPredicate"),
            sortKeys: object.objects("NSSortDescriptors").compactMap(sortKey),
            fetchLimit: object.integer("NSFetchLimit") ?? 0)
        request.fetchOffset = object.integer("NSFetchOffset") ?? 0
        request.fetchBatchSize = object.integer("NSBatchSize") ?? 0
        request.resultType =
            object.integer("NSResultType").flatMap(FetchRequestTemplate.ResultType.init) ?? .managedObject
        request.propertiesToFetch = names(object, "NSValuesToFetch")
        request.propertiesToGroupBy = names(object, "NSValuesToGroupBy")
        request.havingPredicate = try predicate(object, "NSHavingPredicate")
        return request
    }

    private mutating func predicate(_ object: ArchivedObject, _ key: String) throws(ModelError) -> ModelPredicate? {
        guard let found = object.object(key) else { return nil }
        return ModelPredicate(try predicates.predicate(found))
    }

    private func names(_ object: ArchivedObject, _ key: String) -> [String] {
        object.elements(key).compactMap { archive.name($0, "NSPropertyName") }
    }

    private func sortKey(_ object: ArchivedObject) -> SortKey? {
        guard let key = object.string("NSKey") else { return nil }
        let selector = object.string("NSSelector") ?? ""
        let folds = selector.lowercased().contains("caseinsensitive")
        return SortKey(key, ascending: object.bool("NSAscending"), options: folds ? .caseInsensitive : [])
    }

    // MARK: Indexes

    mutating func indexes(_ entity: ArchivedObject) throws(ModelError) -> [FetchIndexDescription] {
        var found: [FetchIndexDescription] = []
        for object in entity.objects("NSFetchIndexDescriptions") {
            var elements: [FetchIndexElementDescription] = []
            for element in object.objects("NSIndexElements") { elements.append(try indexElement(element)) }
            found.append(
                FetchIndexDescription(
                    object.string("NSIndexName") ?? "", elements,
                    partialIndexPredicate: try predicate(object, "NSPartialIndexPredicate")))
        }
        return found
    }

    private mutating func indexElement(_ object: ArchivedObject) throws(ModelError) -> FetchIndexElementDescription {
        var subject = FetchIndexElementDescription.IndexedValue.property(object.string("NSPropertyName") ?? "")
        if let expression = object.object("NSIndexedProperty")?.object("NSExpression") {
            subject = .expression(ModelExpression(try predicates.expression(expression)))
        }
        let collation: FetchIndexElementDescription.Collation
        switch object.integer("NSFetchIndexElementType") ?? 0 {
        case 0: collation = .binary
        case 1: collation = .rTree
        case let number: collation = .unknown("\(number)")
        }
        return FetchIndexElementDescription(subject, collation: collation, isAscending: object.bool("NSAscending"))
    }
}

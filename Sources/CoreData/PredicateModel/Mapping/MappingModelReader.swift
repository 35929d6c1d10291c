import Foundation
import PredicateSyntax

extension MappingModel {
    /// Reads a mapping model: an `.xcmappingmodel`, its `xcmapping.xml`, or a compiled `.cdm`.
    ///
    /// `try MappingModel(path: "Library1to2.xcmappingmodel")`
    ///
    /// The file does not contain the source and destination models. Pass them to ``resolved(from:to:)``.
    /// - Throws: ``ModelError`` with the file and the place in it.
    public init(path: String, limits: ModelLimits = .standard) throws(ModelError) {
        var file = path
        if FileBytes.kind(of: path) == .directory { file = FileBytes.join(path, "xcmapping.xml") }
        let bytes = try FileBytes.read(file, limits: limits)
        self = try ModelError.reading(file) { () throws(ModelError) in try Self(bytes: bytes, limits: limits) }
    }

    /// Reads a mapping model from the bytes of an `xcmapping.xml` or of a `.cdm`.
    /// - Throws: ``ModelError`` with the place.
    public init(bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
        if BinaryPropertyList.isOne(bytes) {
            self = try CompiledMappingReader.read(bytes, limits)
        } else if XMLReader.mayBeXML(bytes) {
            self = try XMLMappingReader.read(bytes, limits)
        } else {
            throw ModelError(.notAModel(found: "a file that is not a mapping model"))
        }
    }
}

/// Reads `xcmapping.xml`, whose objects have attributes and refer to each other by relationships.
private struct XMLMappingReader {
    private let limits: ModelLimits
    private let objects: [String: XMLElementNode]

    static func read(_ bytes: [UInt8], _ limits: ModelLimits) throws(ModelError) -> MappingModel {
        let root = try XMLReader.read(bytes, limits: limits)
        guard root.name == "database" else {
            throw ModelError(.unexpectedElement(root.name, expected: "database"), at: root.place)
        }
        let objects = root.children(named: "object")
        let byID = objects.compactMap { object in object["id"].map { ($0, object) } }
        let reader = XMLMappingReader(
            limits: limits, objects: Dictionary(byID, uniquingKeysWith: { first, _ in first }))
        guard let model = objects.first(where: { $0["type"] == "XDDEVMAPPINGMODEL" }) else {
            throw ModelError(.notAModel(found: "a store without a mapping model"), at: root.place)
        }
        return try reader.model(model, objects)
    }

    private func model(_ model: XMLElementNode, _ objects: [XMLElementNode]) throws(ModelError) -> MappingModel {
        let mappings = objects.filter { $0["type"] == "XDDEVENTITYMAPPING" }
        var found: [(number: Int, mapping: EntityMapping)] = []
        for object in mappings {
            found.append((text(object, "mappingnumber").flatMap { Int($0) } ?? 0, try entityMapping(object)))
        }
        let ordered = found.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
        return MappingModel(
            ordered.map(\.element.mapping), sourceModelPath: text(model, "sourcemodelpath"),
            destinationModelPath: text(model, "destinationmodelpath"))
    }

    private func entityMapping(_ object: XMLElementNode) throws(ModelError) -> EntityMapping {
        let source = text(object, "sourcename"), destination = text(object, "destinationname")
        let filter = text(object, "sourcefilterpredicatestring").map { ModelPredicate($0) }
        var mapping = EntityMapping(
            text(object, "name") ?? Self.name(source, destination), source: source, destination: destination,
            sourceFilter: filter, migrationPolicyClassName: text(object, "migrationpolicyclassname"))
        try ModelError.placing("entity mapping \(mapping.name)") { () throws(ModelError) in
            mapping.attributeMappings = try properties(object, "attributemappings")
            mapping.relationshipMappings = try properties(object, "relationshipmappings")
            if let data = try data(object, "userinfodata") {
                let archive = try KeyedArchive(data, limits: limits)
                var values = ArchivedValues(archive, limits: limits)
                mapping.userInfo = try values.entries(.uid(try archive.rootObject().uid))
            }
        }
        return mapping
    }

    /// `SourceToDestination`
    private static func name(_ source: String?, _ destination: String?) -> String {
        switch (source, destination) {
        case (let source?, let destination?): "\(source)To\(destination)"
        case (let name?, nil), (nil, let name?): name
        case (nil, nil): ""
        }
    }

    private func properties(_ object: XMLElementNode, _ relationship: String) throws(ModelError) -> [PropertyMapping] {
        let ids = object.children.first { $0.name == "relationship" && $0["name"] == relationship }?["idrefs"] ?? ""
        var found: [PropertyMapping] = []
        for id in ids.split(separator: " ") {
            guard let child = objects[String(id)] else {
                throw ModelError(
                    .invalidValue(String(id), attribute: "idrefs", expected: "the id of an object"), at: object.place)
            }
            found.append(try property(child))
        }
        return found.sorted { $0.name < $1.name }
    }

    private func property(_ object: XMLElementNode) throws(ModelError) -> PropertyMapping {
        let name = text(object, "name") ?? ""
        var mapping = PropertyMapping(
            name, sourceMappingName: text(object, "sourcemappingname"),
            sourceKeyPath: text(object, "sourcekeypath").map { ModelExpression($0) })
        try ModelError.placing("property mapping \(name)") { () throws(ModelError) in
            if let bytes = try data(object, "valueexpressiondata") {
                let archive = try KeyedArchive(bytes, limits: limits)
                var predicates = ArchivedPredicates(archive, limits: limits)
                mapping.valueExpression = ModelExpression(try predicates.expression(try archive.rootObject()))
            }
        }
        return mapping
    }

    private func attribute(_ object: XMLElementNode, _ name: String) -> XMLElementNode? {
        object.children.first { $0.name == "attribute" && $0["name"] == name }
    }

    /// The value of an attribute with its escapes resolved; nil for a missing and for an empty attribute.
    private func text(_ object: XMLElementNode, _ name: String) -> String? {
        guard let text = attribute(object, name)?.text, !text.isEmpty else { return nil }
        return XMLStoreText.decoded(text)
    }

    private func data(_ object: XMLElementNode, _ name: String) throws(ModelError) -> [UInt8]? {
        guard let element = attribute(object, name) else { return nil }
        guard let data = Data(base64Encoded: element.text, options: .ignoreUnknownCharacters) else {
            throw ModelError(
                .invalidValue(String(element.text.prefix(20)), attribute: name, expected: "base 64"), at: element.place)
        }
        return Array(data)
    }
}

/// Reads a compiled mapping model, a keyed archive.
private struct CompiledMappingReader {
    private let archive: KeyedArchive
    private var values: ArchivedValues
    private var predicates: ArchivedPredicates

    static func read(_ bytes: [UInt8], _ limits: ModelLimits) throws(ModelError) -> MappingModel {
        let archive = try KeyedArchive(bytes, limits: limits)
        var reader = CompiledMappingReader(
            archive: archive, values: ArchivedValues(archive, limits: limits),
            predicates: ArchivedPredicates(archive, limits: limits))
        var mappings: [EntityMapping] = []
        for object in try archive.root(of: "NSMappingModel").objects("NSEntityMappings") {
            let name = object.string("NSMappingName") ?? ""
            try ModelError.placing("entity mapping \(name)") { () throws(ModelError) in
                mappings.append(try reader.entityMapping(object, name))
            }
        }
        return MappingModel(mappings)
    }

    private mutating func entityMapping(_ object: ArchivedObject, _ name: String) throws(ModelError) -> EntityMapping {
        var mapping = EntityMapping(
            name, type: object.integer("NSMappingType").flatMap(EntityMapping.Kind.init(rawValue:)) ?? .undefined,
            source: object.string("NSSourceEntityName"), destination: object.string("NSDestinationEntityName"),
            attributeMappings: try properties(object, "NSAttributeMappings"),
            relationshipMappings: try properties(object, "NSRelationshipMappings"),
            migrationPolicyClassName: object.string("NSEntityMigrationPolicyClassName"))
        mapping.sourceEntityVersionHash = object.value("NSSourceEntityVersionHash")?.data
        mapping.destinationEntityVersionHash = object.value("NSDestinationEntityVersionHash")?.data
        if let source = object.object("NSSourceExpression") {
            let expression = try predicates.expression(source)
            mapping.sourceExpression = ModelExpression(expression)
            mapping.sourceFilter = Self.filter(of: expression.node)
        }
        mapping.userInfo = try values.entries(object.fields["NSUserInfo"])
        return mapping
    }

    /// The last argument of `FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", "…")`.
    private static func filter(of source: ExpressionNode) -> ModelPredicate? {
        guard case .fetch(let arguments) = source, case .message(let message)? = arguments.first,
            message.arguments.count == 2, case .string(let format)? = message.arguments[1].constant,
            format != "TRUEPREDICATE"
        else { return nil }
        return ModelPredicate(format)
    }

    private mutating func properties(_ object: ArchivedObject, _ key: String) throws(ModelError) -> [PropertyMapping] {
        var found: [PropertyMapping] = []
        for property in object.objects(key) {
            let name = property.string("NSDestinationPropertyName") ?? ""
            try ModelError.placing("property mapping \(name)") { () throws(ModelError) in
                let expression = try property.object("NSValueExpression").map { (value) throws(ModelError) in
                    ModelExpression(try predicates.expression(value))
                }
                found.append(PropertyMapping(name, expression))
            }
        }
        return found.sorted { $0.name < $1.name }
    }
}

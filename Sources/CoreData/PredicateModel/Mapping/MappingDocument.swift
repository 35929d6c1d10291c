import Foundation
import PredicateSyntax

/// A mapping model as the XML of a source file, the `xcmapping.xml` of an `.xcmappingmodel`.
///
///     let document = try MappingDocument(mapping)
///     try Data(document.text.utf8).write(to: folder.appending(path: "xcmapping.xml"))
///
/// Reading the document results in the same mappings, with properties sorted by name, except for the parts that a source file
/// leaves to the models: the kinds of entity mappings and their source expressions.
public struct MappingDocument: Sendable {
    /// The XML, for a file in UTF-8.
    public let text: String

    /// Writes a mapping model.
    /// - Throws: ``ModelError``: `notWritable` for an expression without a known archived form, with its place.
    public init(_ mapping: MappingModel) throws(ModelError) {
        var writer = MappingXMLWriter(count: mapping.entityMappings.count)
        try writer.write(mapping)
        text = writer.text
    }
}

/// Writes the objects of a mapping model. They are numbered in this order: the model, the entity mappings, the properties.
private struct MappingXMLWriter {
    /// The objects that have been written so far.
    private var objects = ""
    /// The number of the next property.
    private var next: Int64

    init(count: Int) {
        next = Int64(count) + 2
    }

    var text: String {
        let list = """
                        <plist version="1.0">
                            <dict>
                                <key>NSStoreModelVersionHashes</key>
                                <dict>
            \(Self.hashes)
                                </dict>
                                <key>NSStoreModelVersionHashesVersion</key>
                                <integer>3</integer>
                            </dict>
                        </plist>

            """
        return XMLStoreText.header(uuid: UUID().uuidString, nextObjectID: next, list) + objects + XMLStoreText.footer
    }

    /// The version hashes of the entities of mapping models, which every file of Xcode has.
    private static let hashes = [
        "XDDevAttributeMapping": "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc=",
        "XDDevEntityMapping": "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI=",
        "XDDevMappingModel": "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ=",
        "XDDevPropertyMapping": "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA=",
        "XDDevRelationshipMapping": "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs=",
    ].sorted { $0.key < $1.key }
        .map { "                        <key>\($0.key)</key>\n                        <data>\($0.value)</data>" }
        .joined(separator: "\n")

    mutating func write(_ mapping: MappingModel) throws(ModelError) {
        let numbers = mapping.entityMappings.indices.map { Int64($0) + 2 }
        object(
            "XDDEVMAPPINGMODEL", 1,
            [
                attribute("sourcemodelpath", mapping.sourceModelPath),
                attribute("destinationmodelpath", mapping.destinationModelPath),
                XMLStoreText.relationship("entitymappings", (0, 0), "XDDEVENTITYMAPPING", numbers),
            ])
        for (number, entity) in zip(numbers, mapping.entityMappings) {
            try ModelError.placing("entity mapping \(entity.name)") { () throws(ModelError) in try write(entity, number)
            }
        }
    }

    private mutating func write(_ mapping: EntityMapping, _ number: Int64) throws(ModelError) {
        let attributes = try write(mapping.attributeMappings, "XDDEVATTRIBUTEMAPPING", of: number)
        let relationships = try write(mapping.relationshipMappings, "XDDEVRELATIONSHIPMAPPING", of: number)
        var info: String?
        if !mapping.userInfo.isEmpty {
            var archive = KeyedArchiveWriter()
            let root = try archive.dictionary(of: mapping.userInfo)
            info = Self.base64(archive, root: root)
        }
        object(
            "XDDEVENTITYMAPPING", number,
            [
                attribute("name", mapping.name), attribute("mappingtypename", "Undefined"),
                attribute("mappingnumber", "\(number - 1)", "int16"),
                attribute("sourcename", mapping.sourceEntityName),
                attribute("destinationname", mapping.destinationEntityName),
                attribute("sourcefilterpredicatestring", mapping.sourceFilter?.format),
                attribute("migrationpolicyclassname", mapping.migrationPolicyClassName),
                attribute("userinfodata", info, "binary"), attribute("autogenerateexpression", "1", "bool"),
                XMLStoreText.relationship("mappingmodel", (1, 1), "XDDEVMAPPINGMODEL", [1]),
                XMLStoreText.relationship("attributemappings", (0, 0), "XDDEVATTRIBUTEMAPPING", attributes),
                XMLStoreText.relationship("relationshipmappings", (0, 0), "XDDEVRELATIONSHIPMAPPING", relationships),
            ])
    }

    /// Writes the mappings of properties and returns their numbers.
    private mutating func write(
        _ properties: [PropertyMapping], _ type: String, of entity: Int64
    ) throws(ModelError) -> [Int64] {
        let first = next
        for property in properties {
            let isAutomatic = property.valueExpression == nil && property.sourceKeyPath == nil
            object(
                type, next,
                [
                    attribute("name", property.name),
                    attribute("autogenerateexpression", isAutomatic ? "1" : nil, "bool"),
                    attribute("sourcemappingname", property.sourceMappingName),
                    attribute("sourcekeypath", property.sourceKeyPath?.format),
                    attribute("valueexpressiondata", try Self.archived(property), "binary"),
                    XMLStoreText.relationship("entitymapping", (1, 1), "XDDEVENTITYMAPPING", [entity]),
                ])
            next += 1
        }
        return Array(first..<next)
    }

    private static func archived(_ property: PropertyMapping) throws(ModelError) -> String? {
        guard let expression = property.valueExpression else { return nil }
        return try ModelError.placing("property mapping \(property.name)") { () throws(ModelError) -> String in
            var archive = KeyedArchiveWriter()
            let root = try archive.expression(expression)
            return base64(archive, root: root)
        }
    }

    private static func base64(_ archive: KeyedArchiveWriter, root: PropertyListValue) -> String {
        Data(archive.bytes(root: root)).base64EncodedString()
    }

    // MARK: Elements

    private mutating func object(_ type: String, _ number: Int64, _ fields: [String]) {
        objects += XMLStoreText.object(type, number, fields.joined())
    }

    /// The element of an attribute; empty for nil.
    private func attribute(_ name: String, _ value: String?, _ type: String = "string") -> String {
        value.map { XMLStoreText.attribute(name, type, XMLStoreText.encoded($0)) } ?? ""
    }
}

import Foundation
import PredicateCoreData
import PredicateModel
import PredicateStore
import PredicateSyntax
import Testing

/// Mapping models of public repositories, which are XML stores, where `PREDICATES_COREDATA` names a folder with some.
///
/// `PREDICATES_COREDATA=/path/to/repositories swift test --filter RealXMLStoreTests`
@Suite struct RealXMLStoreTests {
    /// The model of the stores, as far as the files show it.
    private static let model: ManagedObjectModel = {
        func attributes(_ names: String, _ type: AttributeType) -> [AttributeDescription] {
            names.split(separator: " ").map { AttributeDescription(String($0), type) }
        }
        let property =
            attributes("name sourceKeyPath sourceMappingName transformName", .string)
            + attributes("valueExpressionData userInfoData", .binaryData)
            + attributes("autogenerateExpression", .boolean)
        return ManagedObjectModel([
            EntityDescription(
                "XDDevMappingModel",
                attributes: attributes("sourceModelPath destinationModelPath", .string)
                    + attributes("sourceModelData destinationModelData", .binaryData),
                relationships: [.toMany("entityMappings", "XDDevEntityMapping", inverse: "mappingModel")]),
            EntityDescription(
                "XDDevEntityMapping",
                attributes: attributes(
                    "sourceName destinationName name mappingTypeName migrationPolicyClassName sourceFilterPredicateString",
                    .string) + attributes("mappingNumber", .integer16) + attributes("autogenerateExpression", .boolean)
                    + attributes("userInfoData", .binaryData),
                relationships: [
                    .toOne("mappingModel", "XDDevMappingModel", inverse: "entityMappings"),
                    .toMany("attributeMappings", "XDDevAttributeMapping", inverse: "entityMapping"),
                    .toMany("relationshipMappings", "XDDevRelationshipMapping", inverse: "entityMapping"),
                ]),
            EntityDescription(
                "XDDevAttributeMapping", attributes: property,
                relationships: [.toOne("entityMapping", "XDDevEntityMapping", inverse: "attributeMappings")]),
            EntityDescription(
                "XDDevRelationshipMapping", attributes: property,
                relationships: [.toOne("entityMapping", "XDDevEntityMapping", inverse: "relationshipMappings")]),
        ])
    }()

    @Test func everyMappingModelIsAStoreAndIsWrittenAgain() throws {
        guard let folder = ProcessInfo.processInfo.environment["PREDICATES_COREDATA"] else {
            print("RealXMLStoreTests: PREDICATES_COREDATA names no folder, so no real file was read")
            return
        }
        let scratch = try ScratchFolder()
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var count = 0
        for name in names.sorted() where name.hasSuffix("xcmapping.xml") {
            let path = "\(folder)/\(name)"
            let store = try CoreDataStore(path, models: [Self.model])
            let copy = try CoreDataStore.copy(path, to: scratch["\(count).xml"], models: [Self.model])
            #expect(try MappingModel(path: copy.path) == MappingModel(path: path), "\(path)")
            for entity in Self.model.entities {
                let (old, new) = (try store.objects.fetchAll(entity.name), try copy.objects.fetchAll(entity.name))
                #expect(old.count == new.count)
                for (one, other) in zip(old, new) {
                    for key in one.allKeys { #expect(one[key] == other[key], "\(path) \(key)") }
                }
            }
            count += 1
        }
        print("RealXMLStoreTests: \(count) stores")
    }
}

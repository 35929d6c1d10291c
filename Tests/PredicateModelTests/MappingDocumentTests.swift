import Foundation
import PredicateModel
import Testing

/// Mapping models as sources, and read again. [NSP-479]
@Suite struct MappingDocumentTests {
    @Test func aMappingModelIsReadAgain() throws {
        let mapping = MappingModel(
            [
                EntityMapping(
                    "ItemToTask", source: "Item", destination: "Task",
                    sourceFilter: "count < 5 AND name != \"\\\\u3c00\"",
                    attributeMappings: [
                        PropertyMapping("fresh"),
                        PropertyMapping("label", "TERNARY($source.name == nil, \"—\", uppercase:($source.name))"),
                    ],
                    relationshipMappings: [
                        PropertyMapping(
                            "group", sourceMappingName: "CategoryToGroup", sourceKeyPath: "$source.category")
                    ], migrationPolicyClassName: "App.Policy", userInfo: ["a": .array([.integer(1), "b"])]),
                EntityMapping("Group", source: nil, destination: "Group"),
                EntityMapping("Gone", source: "Gone", destination: nil),
            ], sourceModelPath: "A/M & 1.xcdatamodel", destinationModelPath: "A/M 2.xcdatamodel")
        let document = try MappingDocument(mapping)
        #expect(try MappingModel(bytes: Array(document.text.utf8)) == mapping)
    }

    @Test func anExpressionWithoutAnArchivedFormIsAnError() throws {
        let mapping = MappingModel([
            EntityMapping(
                "AToB", source: "A", destination: "B", attributeMappings: [PropertyMapping("x", "$source.")])
        ])
        do throws(ModelError) {
            _ = try MappingDocument(mapping)
            Issue.record("there is no error")
        } catch {
            #expect(error.code == .notWritable("the invalid expression '$source.'"))
            #expect(error.place.path == ["entity mapping AToB", "property mapping x"])
        }
    }
}

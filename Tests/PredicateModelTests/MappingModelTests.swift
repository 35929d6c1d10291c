import Foundation
import PredicateModel
import PredicateSyntax
import Testing

/// Mapping models, as source and compiled.
@Suite struct MappingModelTests {
    private static func archived(_ make: (inout ArchiveWriter) -> ListValue) -> String {
        var writer = ArchiveWriter()
        let root = make(&writer)
        return Data(writer.bytes(root: root)).base64EncodedString()
    }

    private static func source() -> String {
        let constant = archived { writer in
            let text = writer.string("Unknown")
            return writer.object("NSConstantValueExpression", [("NSConstantValue", text)])
        }
        return """
            <?xml version="1.0"?><!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database>
              <databaseInfo><version>1</version></databaseInfo>
              <object type="XDDEVENTITYMAPPING" id="z1">
                <attribute name="mappingnumber" type="int16">2</attribute>
                <attribute name="sourcename" type="string">Item</attribute>
                <attribute name="destinationname" type="string">Task</attribute>
                <attribute name="sourcefilterpredicatestring" type="string">count \\u3c00 5</attribute>
                <relationship name="attributemappings" type="0/0" idrefs="z2 z3 z4"></relationship>
                <relationship name="relationshipmappings" type="0/0" idrefs="z5 z6"></relationship>
              </object>
              <object type="XDDEVATTRIBUTEMAPPING" id="z2"><attribute name="name" type="string">name</attribute></object>
              <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name" type="string">label</attribute>
                <attribute name="valueexpressiondata" type="binary">\(constant)</attribute></object>
              <object type="XDDEVATTRIBUTEMAPPING" id="z4"><attribute name="name" type="string">fresh</attribute></object>
              <object type="XDDEVRELATIONSHIPMAPPING" id="z5"><attribute name="name" type="string">group</attribute>
                <attribute name="sourcekeypath" type="string">$source.category</attribute>
                <attribute name="sourcemappingname" type="string">CategoryToGroup</attribute></object>
              <object type="XDDEVRELATIONSHIPMAPPING" id="z6"><attribute name="name" type="string">parts</attribute></object>
              <object type="XDDEVENTITYMAPPING" id="z7">
                <attribute name="mappingnumber" type="int16">1</attribute>
                <attribute name="destinationname" type="string">Group</attribute>
                <attribute name="migrationpolicyclassname" type="string">App.Policy</attribute>
              </object>
              <object type="XDDEVMAPPINGMODEL" id="z9">
                <attribute name="sourcemodelpath" type="string">A/M.xcdatamodel</attribute></object>
            </database>
            """
    }

    private static let old = ManagedObjectModel([
        EntityDescription(
            "Item", attributes: [.init("name", .string), .init("count", .integer32)],
            relationships: [.toMany("parts", "Item"), .toOne("category", "Item")])
    ])
    private static let new = ManagedObjectModel([
        EntityDescription(
            "Task", attributes: [.init("name", .string), .init("label", .string), .init("fresh", .date)],
            relationships: [.toMany("parts", "Task"), .toOne("group", "Group")]), EntityDescription("Group"),
    ])

    private static func call(_ selector: String, _ arguments: String) -> ModelExpression {
        ModelExpression("FUNCTION($manager, \"\(selector):sourceInstances:\", \(arguments))")
    }

    /// With two mappings of one entity no name tells which of them made the objects.
    @Test func severalMappingsOfADestination() throws {
        let mapping = MappingModel([
            EntityMapping("one", source: "Item", destination: "Task", relationshipMappings: [PropertyMapping("parts")]),
            EntityMapping("two", source: "Item", destination: "Task"),
        ])
        let found = try mapping.resolved(from: Self.old, to: Self.new).entityMappings[0].relationshipMappings[0]
        let expected = Self.call("destinationInstancesForSourceRelationshipNamed", "\"parts\", $source.parts")
        #expect(found.valueExpression == expected)
    }

    private static func findings(_ mapping: EntityMapping) -> [String] {
        MappingModel([mapping]).check(from: old, to: new).map { finding in
            let place = finding.place.path.dropFirst().joined(separator: ", ")
            return "\(finding.isWarning ? "warning " : "")\(finding.code.name), \(place): \(finding.message)"
                + (finding.hint.map { "; \($0)" } ?? "")
        }
    }

    @Test func aRightMappingHasNoFindings() throws {
        let mapping = try MappingModel(bytes: Array(Self.source().utf8))
        let found = try mapping.resolved(from: Self.old, to: Self.new).check(from: Self.old, to: Self.new)
        #expect(
            found.map(\.message) == [
                "there is no entity mapping 'CategoryToGroup'", "there is no entity mapping 'CategoryToGroup'",
            ])
    }

    @Test func expressionsAreCheckedAgainstBothModels() {
        let mapping = EntityMapping(
            "ItemToTask", source: "Item", destination: "Task", sourceFilter: "cuont < 5",
            attributeMappings: [
                PropertyMapping("name", "$source.nam"), PropertyMapping("label", "$destination.lable"),
                PropertyMapping("fresh", "$source.count"), PropertyMapping("nmae", "\"x\""),
            ],
            relationshipMappings: [
                PropertyMapping("parts", Self.call("destinationInstancesForEntityMappingNamed", "\"ItemToTsk\", nil")),
                PropertyMapping(
                    "group", Self.call("destinationInstancesForSourceRelationshipNamed", "\"kategory\", nil")),
                PropertyMapping("label", "nil"),
            ])
        #expect(
            Self.findings(mapping) == [
                "unknown-key, source filter: Item has no key 'cuont'; did you mean count?",
                "unknown-key, attribute name: Item has no key 'nam'; did you mean name?",
                "unknown-key, attribute label: Task has no key 'lable'; did you mean label?",
                "kind-mismatch, attribute fresh: expected a date, found a number",
                "unknown-key, attribute nmae: Task has no attribute 'nmae'; did you mean name?",
                "unknown-mapping, relationship parts: there is no entity mapping 'ItemToTsk'; did you mean ItemToTask?",
                "unknown-key, relationship group: Item has no relationship 'kategory'; did you mean category?",
                "unknown-key, relationship label: Task has no relationship 'label'",
            ])
    }

    @Test func aPolicyMayMakeOtherValues() {
        let values = [PropertyMapping("fresh", "$source.count"), PropertyMapping("label", "$source.category.name")]
        let mapping = EntityMapping(
            "A", source: "Item", destination: "Task", attributeMappings: values, migrationPolicyClassName: "App.Policy")
        #expect(
            Self.findings(mapping) == ["warning kind-mismatch, attribute fresh: expected a date, found a number"])
        #expect(
            Self.findings(EntityMapping("A", source: "Itm", destination: "Nothing")) == [
                "unknown-entity, : the source model has no entity 'Itm'; did you mean Item?",
                "unknown-entity, : the destination model has no entity 'Nothing'",
            ])
    }

    @Test func theSourceIsReadInOrder() throws {
        let mapping = try MappingModel(bytes: Array(Self.source().utf8))
        #expect(mapping.sourceModelPath == "A/M.xcdatamodel")
        #expect(mapping.entityMappings.map(\.name) == ["Group", "ItemToTask"])
        #expect(mapping.entityMappings[1].sourceFilter == "count < 5")
        #expect(mapping.entityMappings[0].migrationPolicyClassName == "App.Policy")
        let values = mapping.entityMappings[1].attributeMappings
        #expect(values.map(\.name) == ["fresh", "label", "name"])
        #expect(values.map(\.valueExpression) == [nil, "\"Unknown\"", nil])
    }

    /// [NSP-373]
    @Test func whatIsLeftOutFollowsFromTheModels() throws {
        let mapping = try MappingModel(bytes: Array(Self.source().utf8)).resolved(from: Self.old, to: Self.new)
        let item = mapping.entityMappings[1]
        #expect(mapping.entityMappings.map(\.type) == [.custom, .transform])
        #expect(item.attributeMappings.map { $0.valueExpression?.format } == [nil, "\"Unknown\"", "$source.name"])
        #expect(
            item.relationshipMappings.map(\.valueExpression) == [
                Self.call("destinationInstancesForEntityMappingNamed", "\"CategoryToGroup\", $source.category"),
                Self.call("destinationInstancesForEntityMappingNamed", "\"ItemToTask\", $source.parts"),
            ])
        #expect(throws: ModelError.self) {
            try MappingModel(bytes: Array(Self.source().utf8)).resolved(from: Self.new, to: Self.old)
        }
    }

    /// A relationship of the destination under the name of an attribute of the source, which a policy fills. [NSP-373]
    @Test func aRelationshipThatTheSourceLacksHasNoExpression() throws {
        let new = ManagedObjectModel([
            EntityDescription("Item", relationships: [.toOne("name", "Name")]),
            EntityDescription("Name", attributes: [AttributeDescription("text", .string)]),
        ])
        let entity = EntityMapping(
            "ItemToItem", source: "Item", destination: "Item", relationshipMappings: [PropertyMapping("name")],
            migrationPolicyClassName: "App.Policy")
        let mapping = try MappingModel([entity]).resolved(from: Self.old, to: new)
        #expect(mapping.entityMappings[0].relationshipMappings.map(\.valueExpression) == [nil])
        #expect(mapping.check(from: Self.old, to: new).isEmpty)
    }

    @Test func aCompiledMappingHasItsFilter() throws {
        var writer = ArchiveWriter()
        func constant(_ text: String) -> ListValue {
            writer.object("NSConstantValueExpression", [("NSConstantValue", writer.string(text))])
        }
        let manager = writer.object("NSVariableExpression", [("NSVariable", writer.string("manager"))])
        let call = writer.object(
            "NSFunctionExpression",
            [
                ("NSOperand", manager),
                ("NSSelectorName", writer.string("fetchRequestForSourceEntityNamed:predicateString:")),
                ("NSArguments", writer.array([constant("Car"), constant("wheels == 4")])),
            ])
        let context = writer.object(
            "NSKeyPathExpression",
            [
                ("NSOperand", manager),
                (
                    "NSArguments",
                    writer.array([
                        writer.object("NSKeyPathSpecifierExpression", [("NSKeyPath", writer.string("sourceContext"))])
                    ])
                ),
            ])
        let fetch = writer.object(
            "NSFetchRequestExpression",
            [("NSFRExpression", call), ("NSMOCExpression", context), ("NSCountOnlyFlag", .bool(false))])
        let property = writer.object(
            "NSPropertyMapping",
            [
                ("NSDestinationPropertyName", writer.string("name")),
                ("NSValueExpression", writer.object("NSConstantValueExpression", [])),
            ])
        let entity = writer.object(
            "NSEntityMapping",
            [
                ("NSMappingName", writer.string("CarToCar")), ("NSMappingType", .integer(5)),
                ("NSSourceEntityName", writer.string("Car")), ("NSDestinationEntityName", writer.string("Car")),
                ("NSSourceExpression", fetch), ("NSAttributeMappings", writer.array([property])),
            ])
        let root = writer.object("NSMappingModel", [("NSEntityMappings", writer.array([entity]))])
        let mapping = try MappingModel(bytes: writer.bytes(root: root)).entityMappings[0]
        #expect(mapping.type == .transform && mapping.sourceFilter == "wheels == 4")
        #expect(mapping.attributeMappings == [PropertyMapping("name", "nil")])
        #expect(mapping.sourceExpression?.format.hasPrefix("FETCH(FUNCTION($manager") == true)
    }
}

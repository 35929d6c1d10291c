import Foundation
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Columns of arrays, 32-bit floating-point numbers and strings of a fixed length.
@Suite struct ArrayColumnTests {
    private func read(_ attribute: String) throws -> SQLAttribute? {
        let text = #"{"entities": {"A": {"attributes": {"a": \#(attribute)}}}}"#
        return try SQLSchema(json: Data(text.utf8)).entities["A"]?.attributes["a"]
    }

    @Test func typesInJSON() throws {
        #expect(try read(#"{"type": "string[]"}"#)?.type == .array(.string, .native))
        #expect(try read(#"{"type": "integer[]", "storage": "json"}"#)?.type == .array(.integer, .json))
        #expect(try read(#"{"type": "date[]"}"#)?.type == .array(.date(.timestamp), .native))
        #expect(try read(#"{"type": "uuid[]"}"#)?.type == .array(.uuid(.blob), .native))
        #expect(try read(#"{"type": "double", "storage": "single"}"#)?.type == .single)
        #expect(try read(#"{"type": "string", "storage": "padded"}"#)?.type == .paddedString)
    }

    @Test func typesAreWrittenAsTheyAreRead() throws {
        let types: [SQLType] = [
            .array(.string, .native), .array(.double, .json), .array(.date(.timestamp), .native), .single,
            .paddedString,
        ]
        for type in types {
            let schema = SQLSchema([SQLEntity("A", attributes: ["a": SQLAttribute(type)])])
            #expect(try SQLSchema(json: schema.json) == schema)
        }
    }

    @Test func mistakesInJSON() {
        let mistakes: [(String, SQLSchemaError.Code)] = [
            (#"{"type": "date[]", "storage": "json"}"#, .notAnElement("date[]")),
            (#"{"type": "string[][]"}"#, .notAnElement("string[][]")),
            (#"{"type": "any[]"}"#, .notAnElement("any[]")),
            (#"{"type": "string[]", "storage": "text"}"#, .unknownWord("text", expected: ["native", "json"])),
            (#"{"type": "double", "storage": "half"}"#, .unknownWord("half", expected: ["single"])),
        ]
        for (attribute, code) in mistakes {
            let error = SQLSchemaError.thrown { try read(attribute) }
            #expect(error?.code == code, "\(attribute)")
        }
    }

    @Test func aSchemaKnowsTheKindOfTheElements() {
        let schema = SQLSchema(
            table: "a", columns: ["tags": .array(.string, .json), "sizes": .array(.integer, .native)])
        #expect(schema.property("tags", of: "a")?.kinds == [.string])
        #expect(schema.property("tags", of: "a")?.isToMany == true)
        #expect(schema.property("sizes", of: "a")?.isWhole == true)
    }

    @Test func aKeyOfTheElementsHasNoColumn() throws {
        let schema = SQLSchema(table: "a", columns: ["tags": .array(.string, .json)])
        let query = try SQLCompiler(schema: schema).compile(FormatPredicate("TRUEPREDICATE"), entity: "a")
        #expect(throws: SQLCompilationError(.notAColumn(key: "tags.length"))) {
            try query.select(keys: ["tags.length"])
        }
        #expect(throws: SQLCompilationError(.notAColumn(key: "tags.length"))) {
            try query.select(results: ["tags.length"])
        }
    }

    @Test func aWholeArrayIsNoValue() throws {
        let schema = SQLSchema(table: "a", columns: ["tags": .array(.string, .json)])
        let compiler = SQLCompiler(schema: schema)
        for format in [#"tags == "x""#, "tags == {\"x\"}", "tags < 3"] {
            let predicate = try FormatPredicate(format)
            let error = SQLCompilationError.thrown { try compiler.compile(predicate, entity: "a") }
            #expect(error?.code == .toManyWithoutModifier("tags"), "\(format)")
        }
    }
}

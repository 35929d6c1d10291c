import Foundation
import PredicateConformance
import Testing

/// Golden fields are rewritten in place, and nothing else is.
@Suite struct RewritingTests {
    @Test func goldenFieldsAreRewritten() throws {
        let before = """
            # the head stays

            case    numbers      [NSP-001]
            format  a = 1
              prints   a is 1
            tree
            row     {"a": 1}   false

            case    a line end
            formatjson "a = '\\n'"
            prints  a
            \r
            case    a gap
            format  a = 1
            prints  a = 1
            gap     prints not yet

            case    an error
            format  a =
            error   expectedExpression @ 3..<3
            """
        let after =
            before
            .replacingOccurrences(of: "prints   a is 1", with: "prints   a == 1")
            .replacingOccurrences(of: "tree\n", with: "tree (comparison == (keyPath a) (constantValue 1))\n")
            .replacingOccurrences(of: "prints  a\n", with: #"printsjson "a == \"\n\"""# + "\n")
        #expect(try Self.rewritten(before) == (after, 3))
        #expect(try Self.rewritten(after) == (after, 0))
    }

    private static func rewritten(_ text: String) throws -> (String, Int) {
        let name = "\(UUID().uuidString).cases"
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let changes = try ConformanceSuite.rewriteGoldenFields(path: path)
        return (try String(contentsOfFile: path, encoding: .utf8), changes)
    }
}

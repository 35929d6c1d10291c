import Foundation
import PredicateData
import PredicateJSON
import PredicateSession
import PredicateSyntax
import Testing

/// `PREDICATES_REWRITE=1 swift test --filter EditorGrammarTests` writes the definition anew.
struct EditorGrammarTests {
    @Test func theFileIsMadeFromTheTables() throws {
        let file = TestFile.folder.appendingPathComponent("../../Grammar/predicate.tmLanguage.json")
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] == "1" {
            try Data(EditorGrammar.text.utf8).write(to: file)
        } else {
            #expect(try String(contentsOf: file, encoding: .utf8) == EditorGrammar.text)
        }
    }

    @Test func everyWordAndSignHasItsScope() throws {
        for keyword in Keyword.allCases {
            #expect(try Self.scope(of: keyword.rawValue) == keyword.scope.rawValue)
            #expect(try Self.scope(of: keyword.rawValue.lowercased()) == keyword.scope.rawValue)
        }
        for function in FunctionExpression.Predefined.allCases {
            #expect(try Self.scope(of: function.rawValue + "(a)") == "support.function.predicate")
        }
    }

    @Test(arguments: [
        ("age", "variable.other.key.predicate"), ("#size", "variable.other.member.escaped.predicate"),
        ("@count", "support.function.collection.predicate"), ("@owner", "variable.other.member.predicate"),
        ("$limit", "variable.other.predicate"), ("%@", "constant.other.placeholder.predicate"),
        ("%lld", "constant.other.placeholder.predicate"), ("0x1F", "constant.numeric.integer.predicate"),
        ("9.2e-5", "constant.numeric.predicate"), ("&&", "keyword.operator.predicate"),
        ("ANDx", "variable.other.key.predicate"), ("mgl_round(1)", "entity.name.function.predicate"),
    ])
    func textHasItsScope(text: String, scope: String) throws {
        #expect(try Self.scope(of: text) == scope)
    }

    /// Returns the scope at the beginning of a text, as an editor finds it: by the first pattern that matches.
    private static func scope(of text: String) throws -> String? {
        guard case .dictionary(let root) = try JSONReader.parse(EditorGrammar.text),
            case .array(let patterns)? = root["patterns"]
        else { return nil }
        let whole = NSRange(text.startIndex..., in: text)
        for case .dictionary(let pattern) in patterns {
            guard case .string(let match)? = pattern["match"], case .string(let name)? = pattern["name"] else {
                continue
            }
            let expression = try NSRegularExpression(pattern: match)
            if expression.firstMatch(in: text, options: .anchored, range: whole) != nil { return name }
        }
        return nil
    }
}

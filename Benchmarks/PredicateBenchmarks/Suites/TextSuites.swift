import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Case- and diacritic-insensitive comparisons of names in ASCII and of names with other letters.
///
/// `SELF` is an evaluator over an array of strings.
enum TextSuites {
    static var all: [Suite] { [names("text-ascii", isASCII: true), names("text-accented", isASCII: false)] }

    /// One operator in the forms that are compared.
    private struct Operation {
        var name: String
        var format: String
        var needle: String
        var foundation: (String) -> Bool
        /// The standard library's, correct for ASCII only.
        var library: (String) -> Bool
    }

    private static let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]

    private static var operations: [Operation] {
        [
            Operation(
                name: "BEGINSWITH[cd]", format: "SELF BEGINSWITH[cd] %@", needle: "jo",
                foundation: { $0.range(of: "jo", options: options.union(.anchored)) != nil },
                library: { $0.lowercased().hasPrefix("jo") }),
            Operation(
                name: "ENDSWITH[cd]", format: "SELF ENDSWITH[cd] %@", needle: "son",
                foundation: { $0.range(of: "son", options: options.union([.anchored, .backwards])) != nil },
                library: { $0.lowercased().hasSuffix("son") }),
            Operation(
                name: "CONTAINS[cd]", format: "SELF CONTAINS[cd] %@", needle: "an",
                foundation: { $0.range(of: "an", options: options) != nil },
                library: { $0.lowercased().contains("an") }),
            Operation(
                name: "==[cd]", format: "SELF ==[cd] %@", needle: "jose garcia",
                foundation: { $0.compare("jose garcia", options: options) == .orderedSame },
                library: { $0.lowercased() == "jose garcia" }),
        ]
    }

    private static func names(_ suite: String, isASCII: Bool) -> Suite {
        let kind = isASCII ? "ASCII" : "accented"
        return Suite(name: suite, summary: "folding comparisons of \(kind) names with a constant") { context in
            operations.map { operation in
                Group(suite: suite, name: operation.name, scale: 10_000, unit: "text") {
                    let people = PersonGenerator().lazy.map(\.name)
                    let names = Array(people.filter { $0.utf8.allSatisfy { $0 < 0x80 } == isASCII }.prefix(10_000))
                    return try variants(operation, names, isASCII)
                }
            }
        }
    }

    private static func variants(_ operation: Operation, _ names: [String], _ isASCII: Bool) throws -> [Variant] {
        let expected = names.count(where: operation.foundation)
        let evaluator = try PredicateEvaluator(FormatPredicate(operation.format, operation.needle))
        let variants = [
            Variant("SELF", operations: names.count, expected: expected) {
                try names.count(matching: evaluator)
            },
            .closure(names, expected, named: "Foundation", operation.foundation),
        ]
        return variants + (isASCII ? [.closure(names, expected, named: "lowercased", operation.library)] : [])
    }
}

import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateSyntax
import PredicateText

/// Comparisons without case and diacritics, of names in ASCII and of names with other letters.
///
/// `kernel` is a prepared needle, `SELF` the same by way of an evaluator over an array of strings.
enum TextSuites {
    static var all: [Suite] { [names("text-ascii", isASCII: true), names("text-accented", isASCII: false)] }

    /// One operator: how each side does it.
    private struct Operation {
        var name: String
        var format: String
        var needle: String
        /// How many names it holds for: the loop is inside, since a closure for each name would take as long as the work.
        var kernel: (PreparedNeedle, [String]) -> Int
        var foundation: (String) -> Bool
        /// By the standard library; right for ASCII only.
        var library: (String) -> Bool
    }

    private static let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]

    private static var operations: [Operation] {
        [
            Operation(
                name: "BEGINSWITH[cd]", format: "SELF BEGINSWITH[cd] %@", needle: "jo",
                kernel: { needle, names in tally(names) { needle.isPrefix(of: $0) } },
                foundation: { $0.range(of: "jo", options: options.union(.anchored)) != nil },
                library: { $0.lowercased().hasPrefix("jo") }),
            Operation(
                name: "ENDSWITH[cd]", format: "SELF ENDSWITH[cd] %@", needle: "son",
                kernel: { needle, names in tally(names) { needle.isSuffix(of: $0) } },
                foundation: { $0.range(of: "son", options: options.union([.anchored, .backwards])) != nil },
                library: { $0.lowercased().hasSuffix("son") }),
            Operation(
                name: "CONTAINS[cd]", format: "SELF CONTAINS[cd] %@", needle: "an",
                kernel: { needle, names in tally(names) { needle.isContained(in: $0) } },
                foundation: { $0.range(of: "an", options: options) != nil },
                library: { $0.lowercased().contains("an") }),
            Operation(
                name: "==[cd]", format: "SELF ==[cd] %@", needle: "jose garcia",
                kernel: { needle, names in tally(names) { needle.isEqual(to: $0) } },
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
        let needle = PreparedNeedle(operation.needle, .caseAndDiacriticInsensitive)
        let evaluator = try PredicateEvaluator(FormatPredicate(operation.format, operation.needle))
        let kernel = operation.kernel
        let variants = [
            Variant("kernel", operations: names.count, expected: expected) {
                kernel(needle, names)
            },
            Variant("SELF", operations: names.count, expected: expected) {
                try names.count(matching: evaluator)
            },
            .closure(names, expected, named: "Foundation", operation.foundation),
        ]
        return variants + (isASCII ? [.closure(names, expected, named: "lowercased", operation.library)] : [])
    }

    @inline(__always)
    private static func tally(_ names: [String], _ test: (String) -> Bool) -> Int {
        var count = 0
        names.withUnsafeBufferPointer { names in
            for index in names.indices where test(names[index]) { count += 1 }
        }
        return count
    }
}

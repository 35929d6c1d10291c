import Foundation
import PredicateChecks
import PredicateEvaluation
import PredicateSyntax
import Testing

/// The evaluator and the checks have the same keys of values, and the evaluator gives what the table of keys says.
struct ValueKeyTests {
    /// A value of each kind, and what the schema says of it.
    private static let samples: [(kind: PredicateValue.Kind, value: PredicateValue)] = [
        (.number, .integer(-7)), (.number, .double(2.5)), (.number, .decimal(1)), (.boolean, .bool(true)),
        (.string, .string("/tmp/Zoë.txt")), (.date, .date(Date(timeIntervalSinceReferenceDate: 0.001))),
        (.data, .data(Data([1, 2]))), (.uuid, .uuid(UUID())),
        (.url, .url(URL(string: "https://swift.org:80/a/b.c?q#f") ?? URL(filePath: "/"))),
        (.array, .array([.integer(1), .integer(2)])), (.dictionary, .dictionary(["a": .integer(1)])),
    ]

    /// Names of keys of any kind, and of none.
    private static let names: Set<String> = Set(PredicateValue.Kind.allCases.flatMap(\.keys)).union([
        "hash", "lenght", "localizedUppercaseString", "user", "uuidString", "bytes", "isEqual", "Length", "size", "@x",
    ])

    private struct OneKey: PredicateSchema {
        let kind: PredicateValue.Kind
        var origin: SchemaOrigin { .declared }
        func property(_ key: String, of entity: String) -> PredicateProperty? { PredicateProperty(kind) }
        func keys(of entity: String) -> [String] { ["k"] }
    }

    @Test func everyKeyOfEveryKindIsKnownToBoth() throws {
        var known = 0
        for (kind, value) in Self.samples {
            for name in Self.names where !name.hasPrefix("@") {
                let predicate = FormatPredicate(
                    .comparison(
                        ComparisonPredicate(
                            .keyPath(KeyPathExpression([.key("k"), .key(name)])), .notEqualTo, .constantValue(.null))))
                let object: [String: PredicateValue] = ["k": value]
                let isEvaluated = (try? PredicateEvaluator(predicate).evaluate(with: object)) != nil
                let found = predicate.check(against: OneKey(kind: kind), entity: "E").map(\.code)
                let isRefused = found.contains(.unknownProperty) || found.contains(.cannotBePrepared)
                // A dictionary's keys are data, and elements of an array may have any key.
                if kind == .dictionary || kind == .array, kind.key(name) == nil { continue }
                #expect(isEvaluated == !isRefused, "\(kind).\(name): evaluated \(isEvaluated), \(found)")
                known += isEvaluated ? 1 : 0
            }
        }
        #expect(known > 100)
    }

    @Test func resultsAreOfTheKindThatTheTableSays() throws {
        for (kind, value) in Self.samples {
            // The elements of an array answer the keys of every value.
            for name in kind == .array ? kind.ownKeys : kind.keys {
                let expression = FormatExpression(.keyPath(KeyPathExpression([.key("k"), .key(name)])))
                let result = try ExpressionEvaluator(expression).value(KeyedValue.value(.dictionary(["k": value])))
                let own = kind.key(name)?.result
                let found: PredicateValue.Kind? = result.collectionKind != nil ? .array : result.kind
                guard let own, let found else { continue }
                #expect(own == found, "\(kind).\(name) is \(found), not \(own)")
            }
        }
    }

    /// Functions and casts give values of the kind that the table says.
    @Test(arguments: FunctionExpression.Predefined.allCases)
    func functions(_ function: FunctionExpression.Predefined) throws {
        let list = FormatExpression(.constantValue(.array([.integer(4), .integer(2)])))
        let text = function == .uppercase || function == .lowercase || function == .length
        let argument: ExpressionNode = text ? .constantValue(.string("Zoë")) : .constantValue(.integer(4))
        let count = function.arity.upperBound == .max ? 1 : function.arity.lowerBound
        let arguments = function.arity.upperBound == .max ? [list.node] : Array(repeating: argument, count: count)
        guard function != .distance else { return }
        let value = try ExpressionEvaluator(
            FormatExpression(.function(FunctionExpression(.predefined(function), arguments)))
        )
        .value(KeyedValue.value(.integer(0)))
        switch function.result {
        case .kind(let kind): #expect(value.kind == kind)
        case .arithmetic, .element, .argument: #expect(value.kind == .number)
        }
    }

    @Test(arguments: [
        (CastType.string, PredicateValue.integer(1)), (CastType.number, PredicateValue.string("1")),
        (.decimalNumber, .string("1")),
        (.date, .integer(1)), (.data, .string("aGk=")), (.uuid, .string("137DECC8-B300-4954-A233-F89909F4FD89")),
        (.url, .string("https://swift.org")), (.array, .array([])), (.set, .array([])), (.orderedSet, .array([])),
        (.dictionary, .dictionary([:])), (.type, .string("NSNumber")),
    ])
    func casts(_ type: CastType, _ value: PredicateValue) throws {
        let cast = FormatExpression(.cast(CastExpression(.variable("x"), type: type.rawValue)))
        let result = try ExpressionEvaluator(cast, variables: ["x": value]).value(KeyedValue.value(.integer(0)))
        #expect(result.kind == type.kind)
    }
}

import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Expressions and predicates over flat records have the values of their plans, or leave the record to them.
@Suite struct FlatOperandTests {
    private static let registry: EvaluationRegistry = {
        var registry = EvaluationRegistry.standard
        registry.registerCalendarFunctions(timeZone: TimeZone(identifier: "Asia/Kolkata") ?? .gmt)
        return registry
    }()

    @Test(arguments: 0..<8) func randomExpressionsHaveTheValuesOfTheirPlans(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var decided = 0
        for _ in 0..<400 {
            let format = Self.expression(&random, 3)
            guard let expression = try? FormatExpression(format: format, arguments: []),
                let evaluator = try? ExpressionEvaluator(expression, registry: Self.registry)
            else { continue }
            let layout = FlatLayout()
            let flat = FlatExpression(evaluator, known: FlatRecord.keys.map { [$0] }, layout)
            for _ in 0..<6 {
                let record = FlatRecord(&random, layout.paths)
                let found = record.value(of: flat)
                guard let found else { continue }
                decided += 1
                let expected = try? evaluator.valueOrNil(.value(.dictionary(record.members)))
                #expect(expected.map(Self.text) == Self.text(found), "\(format) of \(record.members)")
            }
        }
        #expect(decided > 250)
    }

    @Test(arguments: 0..<8) func randomPredicatesHoldAsTheirPlansDo(_ seed: UInt64) throws {
        var random = RandomSource(seed: 100 + seed)
        var decided = 0
        for _ in 0..<400 {
            let format = Self.predicate(&random, 2)
            guard let predicate = try? FormatPredicate(format: format, arguments: []),
                let evaluator = try? PredicateEvaluator(predicate, registry: Self.registry),
                let flat = FlatEvaluator(evaluator, known: FlatRecord.keys.map { [$0] })
            else { continue }
            for _ in 0..<6 {
                let record = FlatRecord(&random, flat.paths)
                guard let holds = record.withSlots({ flat.holds($0) }) else { continue }
                decided += 1
                let expected = try? evaluator.evaluate(.value(.dictionary(record.members)))
                #expect(expected == holds, "\(format) of \(record.members)")
            }
        }
        #expect(decided > 250)
    }

    /// These are decided without a plan, so that they are fast.
    @Test func usualExpressionsAreCompiled() throws {
        for format in [
            "lowercase(t)", "uppercase(t)", "t.length", "length(t)", "month:(d)", "hour:(d)", "n * 2 + t.length",
            "abs(n)",
            "TERNARY(n > 1, t, \"none\")", "CAST(n, \"NSString\")", "date:truncatedTo:(d, \"month\")", "month:(s)",
        ] {
            let evaluator = try ExpressionEvaluator(
                FormatExpression(format: format, arguments: []), registry: Self.registry)
            // Without known keys, the plan finds no value.
            let layout = FlatLayout()
            let flat = FlatExpression(evaluator, known: [["missing"]], layout)
            let record = FlatRecord(
                [
                    "n": .integer(7), "t": .string("Zürich"), "d": .date(Date(timeIntervalSinceReferenceDate: 1e8)),
                    "s": .string("2024-02-29T23:59:59.5+14:00"),
                ], layout.paths)
            let expected = try evaluator.valueOrNil(.value(.dictionary(record.members)))
            #expect(record.value(of: flat).map(Self.text) == Self.text(expected), "\(format)")
        }
    }

    /// A text that tells values apart which `==` does not.
    private static func text(_ value: PredicateValue) -> String {
        if case .double(let number) = value, !number.isNaN { return "double \(number.bitPattern)" }
        return "\(String(describing: value.kind)) \(value)"
    }
}

// MARK: - Random formats

extension FlatOperandTests {
    private static func expression(_ random: inout RandomSource, _ depth: Int) -> String {
        if depth == 0 || random.percent(25) { return operand(&random) }
        let (first, second) = (expression(&random, depth - 1), expression(&random, depth - 1))
        switch random.below(8) {
        case 0: return "(\(first) \(random.one(of: ["+", "-", "*", "/"])) \(second))"
        case 1: return "TERNARY(\(predicate(&random, depth - 1)), \(first), \(second))"
        case 2: return "CAST(\(first), \"\(random.one(of: ["NSString", "NSNumber", "NSDate", "NSDecimalNumber"]))\")"
        case 3: return "date:truncatedTo:(\(first), \"\(random.one(of: ["month", "day", "week"]))\")"
        case 4:
            return "\(random.one(of: ["year", "month", "day", "weekday", "weekOfYear", "hour", "second"])):(\(first))"
        case 5:
            return
                "\(random.one(of: ["abs", "floor", "trunc", "sqrt", "modulus:by"])):(\(first)\(random.percent(10) ? ", 3" : ""))"
        default: return "\(random.one(of: ["lowercase", "uppercase", "length"])):(\(first))"
        }
    }

    private static func operand(_ random: inout RandomSource) -> String {
        random.one(
            of: FlatRecord.keys + FlatRecord.keys + [
                "a.length", "b.uppercaseString", "c.stringValue", "a.intValue", "0", "1", "-1", "2.5",
                "9007199254740993", "\"\"",
                "\"zürich\"", "\"ΑΣ\"", "\"2024-02-29\"", "nil", "1e300",
            ])
    }

    private static func predicate(_ random: inout RandomSource, _ depth: Int) -> String {
        if depth > 0, random.percent(25) {
            let (first, second) = (predicate(&random, depth - 1), predicate(&random, depth - 1))
            return random.one(of: ["(\(first) AND \(second))", "(\(first) OR \(second))", "NOT (\(first))"])
        }
        let left = expression(&random, depth)
        let right = random.percent(70) ? operand(&random) : expression(&random, depth)
        let relation = random.one(of: ["==", "!=", "<", ">=", "BEGINSWITH", "CONTAINS[cd]", "==[c]", "LIKE"])
        return random.percent(10) ? "\(left) IN {\(right), 1, \"a\"}" : "\(left) \(relation) \(right)"
    }
}

/// A record with awkward values, and its values in slots.
private final class FlatRecord {
    static let keys = ["a", "b", "c", "n", "t", "d"]
    let members: [String: PredicateValue]
    private let paths: [[String]]
    private var texts: [UnsafeMutableBufferPointer<UInt8>] = []

    init(_ members: [String: PredicateValue], _ paths: [[String]]) {
        (self.members, self.paths) = (members, paths)
    }

    convenience init(_ random: inout RandomSource, _ paths: [[String]]) {
        var members: [String: PredicateValue] = [:]
        for key in Self.keys where !random.oneIn(8) { members[key] = random.one(of: Self.values) }
        self.init(members, paths)
    }

    deinit { for text in texts { text.deallocate() } }

    private static let values: [PredicateValue] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(7), .integer(.max), .integer(.min),
        .integer(9_007_199_254_740_993), .integer(-9_007_199_254_740_991), .double(.nan), .double(-0.0), .double(0.1),
        .double(-2.5), .double(.infinity), .double(9_007_199_254_740_992), .double(1e300), .string(""), .string("a"),
        .string("Zürich"), .string("e\u{301}"), .string("ΑΣ"),
        .string("ŉİß"), .string("2024-02-29"), .string("2024-02-29T23:59:59.5+14:00"), .string("2024-02-30"),
        .string("x\r\ny"), .string("12abc"), .string("\u{1F600}\u{1F1E9}\u{1F1EA}"), .string("ǅ\u{345}"),
        .string(String(repeating: "Long ", count: 300)), .date(Date(timeIntervalSinceReferenceDate: 0)),
        .date(Date(timeIntervalSinceReferenceDate: -0.25)),
        .date(Date(timeIntervalSinceReferenceDate: 731_116_799.999)),
        .date(Date(timeIntervalSinceReferenceDate: 2e15)), .date(Date(timeIntervalSinceReferenceDate: .nan)),
        .decimal(Decimal(string: "12345678901234567890123456789012345678") ?? 0), .array([1, "a"]), .data(Data([1])),
    ]

    /// Returns the value of an expression; nil if the record must be read in full.
    func value(of expression: FlatExpression) -> PredicateValue? {
        withSlots { slots in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: FlatRoom.size) { memory in
                var room = FlatRoom(memory)
                return PredicateValue(whole: expression.value(slots, &room))
            }
        }
    }

    func withSlots<Result>(_ body: (UnsafePointer<FlatValue>) -> Result?) -> Result? {
        withUnsafeTemporaryAllocation(of: FlatValue.self, capacity: max(paths.count, 1)) { slots -> Result? in
            for (index, path) in paths.enumerated() { slots.initializeElement(at: index, to: slot(path)) }
            return slots.baseAddress.flatMap { body(UnsafePointer($0)) }
        }
    }

    /// The value in a slot: values have no members.
    private func slot(_ path: [String]) -> FlatValue {
        let value = members[path[0]] ?? .null
        if path.count > 1, value != .null { return .opaque }
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .double(let value): return .double(value)
        case .date(let date): return .date(date.timeIntervalSinceReferenceDate)
        case .string(let text):
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
            _ = copy.initialize(from: text.utf8)
            texts.append(copy)
            return .text(UnsafeBufferPointer(copy))
        default: return .opaque
        }
    }
}

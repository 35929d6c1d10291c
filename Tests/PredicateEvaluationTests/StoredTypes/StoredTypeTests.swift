import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Stored properties that are read by their offsets have the values that mirrors have.
///
/// `PREDICATES_TYPE_COUNT=100000` asks for so many random types.
@Suite struct StoredTypeTests {
    private static let count = ProcessInfo.processInfo.environment["PREDICATES_TYPE_COUNT"].flatMap(Int.init) ?? 1500

    /// true, false, or the code of the error.
    private enum Outcome: Equatable {
        case holds(Bool)
        case error(EvaluationError.Code)

        init(_ work: () throws -> Bool) {
            do { self = .holds(try work()) } catch let error as EvaluationError {
                self = .error(error.code)
            } catch { self = .error(.undefinedKey("\(error)", of: "", nearMisses: [])) }
        }
    }

    @Test func randomTypesAreReadAsMirrorsReadThem() throws {
        var source = RandomSource(seed: 46)
        var held = 0, decided = 0
        for _ in 0..<Self.count {
            let type = RandomType.any(&source, 3)
            let format = Self.format(type, &source)
            let evaluator = try PredicateEvaluator(FormatPredicate(format))
            let found = Self.compare(type, format, evaluator, &source)
            held += found.held
            decided += found.decided
        }
        // Neither everything nor nothing holds, and most is no error.
        #expect(held > Self.count && decided > held && decided > Self.count * 2)
    }

    /// Compares one by one, opened from `Any`, and in a batch.
    private static func compare<Value: Arbitrary>(
        _ type: Value.Type, _ format: String, _ evaluator: PredicateEvaluator, _ source: inout RandomSource
    ) -> (held: Int, decided: Int) {
        let values = (0..<8).map { _ in Value.random(&source, 3) }
        let expected = values.map { value in
            Outcome { try evaluator.evaluate(ReflectedObject.mirrored(KeyedValue(bridging: value))) }
        }
        for (value, expected) in zip(values, expected) {
            let found = Outcome { try evaluator.evaluate(with: value) }
            #expect(found == expected, "\(format) of \(type)")
            #expect(Outcome { try evaluator.evaluate(KeyedValue(bridging: value)) } == expected, "\(format) of \(type)")
        }
        let fine = zip(values, expected).filter { if case .holds = $1 { true } else { false } }
        let many = (0..<40).flatMap { _ in fine.map(\.0) }
        let held = fine.filter { $0.1 == .holds(true) }.count
        #expect((try? many.count(matching: evaluator)) == held * 40, "\(format) of many \(type)")
        return (held, fine.count)
    }

    // MARK: Predicates

    /// A predicate whose path leads through parts of a type, now and then elsewhere.
    private static func format(_ type: any Arbitrary.Type, _ source: inout RandomSource) -> String {
        let comparisons = (0...source.below(2)).map { _ in comparison(path(type, &source), &source) }
        return comparisons.joined(separator: source.pick(" AND ", " OR "))
    }

    private static func path(_ type: any Arbitrary.Type, _ source: inout RandomSource) -> String {
        var (keys, type): ([String], any Arbitrary.Type) = ([], type)
        while let (key, next) = source.any(of: type.parts), keys.count < 4, keys.isEmpty || !source.oneIn(6) {
            keys.append(key)
            type = next
        }
        if source.oneIn(25) { keys.append(source.pick("alpha", "length", "cost", "wings", "gamma")) }
        return keys.isEmpty ? "SELF" : keys.joined(separator: ".")
    }

    private static func comparison(_ path: String, _ source: inout RandomSource) -> String {
        source.pick(
            "\(path) == 1", "\(path) != 1", "\(path) > 1", "\(path) <= 3", "\(path) == 's'", "\(path) == 'Ann'",
            "\(path) BEGINSWITH 's'", "\(path) CONTAINS[c] 'A'", "\(path) IN {1, 'small', nil}", "\(path) != nil",
            "\(path) == nil", "\(path) + 1 > 2", "\(path).@count > 0", "ANY \(path) == 1", "ALL \(path) == 'a'",
            "\(path) BETWEEN {0, 2}", "\(path) MATCHES '[a-s].*'", "SUBQUERY(\(path), $x, $x == 'a').@count > 0",
            "\(path).length > 1", "NOT (\(path) == 'small')", "\(path) == CAST(1, 'NSDate')", "\(path) == YES")
    }
}

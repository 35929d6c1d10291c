import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Foundation as the judge of comparisons of numbers and dates.
///
/// `PREDICATES_JUDGE_COUNT=100000 PREDICATES_JUDGE_SEED=7 swift test --filter NumberJudgeTests` asks more, and about others.
struct NumberJudgeTests {
    private static let count = setting("COUNT", 1500)
    private static let seed = UInt64(truncatingIfNeeded: setting("SEED", 24))

    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment["PREDICATES_JUDGE_\(name)"].flatMap(Int.init) ?? standard
    }

    @Test("all operators compare numbers and dates as NSNumber and NSDate do [NSP-080] [NSP-176] [NSP-177]")
    func pairs() throws {
        var samples = JudgedSamples(seed: Self.seed)
        let operators = try JudgedOperators()
        var seen: Set<DeclaredDifference> = []
        var problems: [String] = []
        for number in 0..<Self.count {
            let isDate = number % 8 == 7
            let left = isDate ? samples.date() : samples.number()
            let right = number % 5 == 0 ? left : isDate ? samples.date() : samples.number()
            if let problem = try problem(left, right, operators, &seen) { problems.append(problem) }
        }
        #expect(problems.isEmpty, "\(problems.count) of \(Self.count): \(problems.prefix(20).joined(separator: "\n"))")
        // Some are rare: the standard questions have them all.
        if Self.seed == 24, Self.count >= 1_500 { #expect(seen == Set(DeclaredDifference.allCases)) }
    }

    private func problem(
        _ left: JudgedValue, _ right: JudgedValue, _ operators: JudgedOperators, _ seen: inout Set<DeclaredDifference>
    ) throws -> String? {
        guard let order = FoundationAnswer.order(left, right), let isEqual = FoundationAnswer.areEqual(left, right),
            let answer = try operators.answer(left, right)
        else { return "\(left), \(right): the operators disagree with each other" }
        if answer.order == order, answer.isEqual == isEqual { return nil }
        guard let declared = DeclaredDifference(left, right, ours: answer.order, theirs: order) else {
            return "\(left), \(right): \(answer), Foundation says \(order), \(isEqual)"
        }
        seen.insert(declared)
        return nil
    }

    @Test("numbers stand in one order, that of NSNumber [NSP-176]") func order() throws {
        var samples = JudgedSamples(seed: Self.seed &+ 1)
        let all = (0..<200).map { _ in samples.number() }.filter { value in
            if case .decimal = value { false } else { true }
        }
        let ours = all.sorted { Number($0.value)?.compare(Number($1.value) ?? .integer(0)) == .less }
        let numbers = ours.compactMap(\.number)
        for (left, right) in zip(numbers, numbers.dropFirst()) {
            #expect(left.compare(right) != .orderedDescending, "\(left), \(right)")
        }
    }

    @Test("the order of numbers is one: less is transitive, and equal numbers hash alike [NSP-176]") func laws() {
        var samples = JudgedSamples(seed: Self.seed &+ 2)
        for _ in 0..<Self.count {
            let values = [samples.number().value, samples.number().value]
            guard let left = Number(values[0]), let right = Number(values[1]) else { continue }
            let order = left.compare(right)
            #expect(right.compare(left) == order.mirrored, "\(left), \(right)")
            guard order == .equal else { continue }
            #expect(DistinctValue(.value(values[0])).hashValue == DistinctValue(.value(values[1])).hashValue)
        }
    }
}

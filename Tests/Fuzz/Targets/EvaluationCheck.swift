import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateReference
import PredicateSyntax

/// One answer for an object, whichever way it is found: plan, program over a struct, dictionary or record,
/// batch. It is that of the reference, which walks the tree, and the places of errors are those of the plan.
struct EvaluationCheck {
    private typealias Outcome = Result<Bool, EvaluationError>
    private static let layout = KeyedRecord.Layout(Sample.keys.names)
    private static var variables: PredicateVariables { ["n": 21, "t": "jo"] }

    private let predicate: PredicateNode?
    private let samples: [Sample]

    init(_ bytes: [UInt8]) {
        var source = RandomSource(bytes: bytes[...])
        var samples = [Sample(&source), Sample(&source), Sample(&source)]
        // Batches go another way from some hundred objects on.
        if source.oneIn(8) { samples = Array(repeatElement(samples, count: 120).joined()) }
        self.samples = samples
        if source.oneIn(4) {
            var trees = RandomTree(random: source)
            predicate = trees.predicate(depth: 3)
        } else {
            var formats = RandomFormats(random: source)
            predicate = try? FormatPredicate(format: formats.next(), arguments: []).node
        }
    }

    func run() throws(FuzzFinding) {
        guard let predicate, !TreeNode.predicate(predicate).changesItsMind else { return }
        if !TreeNode.predicate(predicate).makesSets { try checkReference(predicate) }
        let evaluator: PredicateEvaluator
        do {
            evaluator = try PredicateEvaluator(FormatPredicate(predicate))
        } catch {
            return try FuzzFinding.unless(!error.description.isEmpty, "an empty message")
        }
        let distinct = samples.prefix(3).map { sample in
            Outcome { () throws(EvaluationError) in
                try evaluator.evaluate(sample.keyedValue, variables: Self.variables)
            }
        }
        let expected = samples.indices.map { distinct[$0 % distinct.count] }
        try checkOne(evaluator, expected)
        try compare(samples, evaluator, expected, "structs")
        let rows = samples.prefix(3).map(\.data)
        let records = samples.indices.map { KeyedRecord(Self.layout, rows[$0 % rows.count]) }
        let ofRecords = try outcomes(of: Array(records.prefix(3)), evaluator)
        try compare(records, evaluator, records.indices.map { ofRecords[$0 % 3] }, "records")
        let dictionaries = samples.indices.map { rows[$0 % rows.count] }
        let ofRows = try outcomes(of: rows, evaluator)
        try compare(dictionaries, evaluator, dictionaries.indices.map { ofRows[$0 % 3] }, "dictionaries")
        for case .failure(let error) in distinct {
            try FuzzFinding.unless(!error.description.isEmpty, "an empty message")
        }
    }

    private func checkReference(_ predicate: PredicateNode) throws(FuzzFinding) {
        let comparison = ReferenceComparison(predicate, variables: Self.variables)
        let (some, times) = (Array(samples.prefix(3)), samples.count / 3)
        try FuzzFinding.none(comparison.difference(some, times: times), "structs")
        try FuzzFinding.none(comparison.difference(some.map(\.data), times: times), "dictionaries")
        let records = some.map { KeyedRecord(Self.layout, $0.data) }
        try FuzzFinding.none(comparison.difference(records, times: times), "records")
    }

    /// The result of the plan for each object.
    private func outcomes(
        of objects: [some KeyedValueConvertible], _ evaluator: PredicateEvaluator
    ) throws(FuzzFinding) -> [Outcome] {
        objects.map { object in
            Outcome { () throws(EvaluationError) in
                try evaluator.evaluate(object.keyedValue, variables: Self.variables)
            }
        }
    }

    private func checkOne(_ evaluator: PredicateEvaluator, _ expected: [Outcome]) throws(FuzzFinding) {
        for (sample, expected) in zip(samples.prefix(3), expected) {
            let found = Outcome { () throws(EvaluationError) in
                try evaluator.evaluate(with: sample, variables: Self.variables)
            }
            try FuzzFinding.unless(found == expected, difference(evaluator, "one struct", "\(found)", "\(expected)"))
        }
    }

    private func compare<Element: KeyValueCoding>(
        _ objects: [Element], _ evaluator: PredicateEvaluator, _ expected: [Outcome], _ name: String
    ) throws(FuzzFinding) {
        let places = places(expected)
        let indices = Result { () throws(EvaluationError) in
            try objects.indices(matching: evaluator, variables: Self.variables)
        }
        try FuzzFinding.unless(indices == places, difference(evaluator, name, "\(indices)", "\(places)"))
        let count = Result { () throws(EvaluationError) in
            try objects.count(matching: evaluator, variables: Self.variables)
        }
        try FuzzFinding.unless(
            count == places.map(\.count), difference(evaluator, "count of \(name)", "\(count)", "\(places)"))
    }

    private func places(_ outcomes: [Outcome]) -> Result<[Int], EvaluationError> {
        Result { () throws(EvaluationError) in
            var places: [Int] = []
            for (place, outcome) in outcomes.enumerated() where try outcome.get() { places.append(place) }
            return places
        }
    }

    private func difference(
        _ evaluator: PredicateEvaluator, _ way: String, _ found: String, _ expected: String
    ) -> String {
        let objects = samples.prefix(3).map { PredicateValue.dictionary($0.data) }
        return "\(evaluator.predicate.predicateFormat), \(way): \(found), by the plan \(expected)\n\(objects)"
    }
}

/// A check of the whole language, with objects that lead to others.
struct LanguageCheck {
    private static let layout = KeyedRecord.Layout(LanguageSample.keys.names)
    private static var variables: PredicateVariables {
        [
            "n": 2, "t": "jo", "k": "age", "p": "pets",
            "e": PredicateValue.expression(.keyPath(KeyPathExpression([.key("rank")]))),
        ]
    }
    private let samples: [LanguageSample]
    private let predicate: PredicateNode?

    init(_ bytes: [UInt8]) {
        var source = RandomSource(bytes: bytes[...])
        // The predicate first: it is what a fuzzer should choose.
        var formats = LanguageFormats(random: source)
        predicate = try? FormatPredicate(format: formats.next(), arguments: []).node
        source = RandomSource(bytes: bytes.reversed()[...])
        samples = [LanguageSample(&source), LanguageSample(&source), LanguageSample(&source)]
    }

    func run() throws(FuzzFinding) {
        guard let predicate else { throw FuzzFinding("a generated format is an error") }
        let comparison = ReferenceComparison(predicate, variables: Self.variables)
        try FuzzFinding.none(comparison.difference(samples), "structs")
        try FuzzFinding.none(comparison.differenceOfFirst(samples), "structs")
        try FuzzFinding.none(comparison.difference(samples.map(\.data)), "dictionaries")
        let records = samples.map { KeyedRecord(Self.layout, $0.data) }
        try FuzzFinding.none(comparison.difference(records, times: 80), "records")
    }
}

import BenchmarkWorkload
import PredicateEvaluation

/// The objects of the benchmarks, made when they are asked for and kept while the scale stays the same.
final class WorkloadData {
    private var scale = 0
    private var storedPeople: [Person]?
    private var storedObjects: [PersonObject]?
    private var storedDictionaries: [[String: Any]]?
    private var storedRecords: [Record]?
    private var storedLines: [UInt8]?
    private var storedTruths: [String: Int] = [:]

    func people(_ count: Int) -> [Person] {
        turn(to: count)
        return Self.kept(&storedPeople) { PersonGenerator.people(count) }
    }

    func objects(_ count: Int) -> [PersonObject] {
        let people = people(count)
        return Self.kept(&storedObjects) { PersonObject.objects(people) }
    }

    func dictionaries(_ count: Int) -> [[String: Any]] {
        let people = people(count)
        return Self.kept(&storedDictionaries) { people.map(\.dictionary) }
    }

    func records(_ count: Int) -> [Record] {
        let people = people(count)
        return Self.kept(&storedRecords) { people.map(\.record) }
    }

    /// JSON Lines.
    func lines(_ count: Int) -> [UInt8] {
        let people = people(count)
        return Self.kept(&storedLines) { people.flatMap { $0.json.utf8 + [UInt8(ascii: "\n")] } }
    }

    /// How many people a predicate holds for, counted by hand-written Swift.
    func truth(_ predicate: WorkloadPredicate, _ count: Int) -> Int {
        let people = people(count)
        if let known = storedTruths[predicate.id] { return known }
        let truth = people.count(where: predicate.truth)
        storedTruths[predicate.id] = truth
        return truth
    }

    private func turn(to count: Int) {
        guard count != scale else { return }
        scale = count
        (storedPeople, storedObjects, storedDictionaries) = (nil, nil, nil)
        (storedRecords, storedLines, storedTruths) = (nil, nil, [:])
    }

    private static func kept<Value>(_ stored: inout Value?, _ make: () -> Value) -> Value {
        if let stored { return stored }
        let made = make()
        stored = made
        return made
    }
}

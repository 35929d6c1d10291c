import Foundation
import PredicateEvaluation
import PredicateSyntax

/// The value at the end of a key path, written with dots, in anything.
func follow(_ path: String, in object: Any?) throws -> KeyedValue {
    let components = path.split(separator: ".").map(String.init)
    return try ResolvedKeyPath(components: components).value(from: KeyedValue(bridging: object))
}

/// Expects a value of the same kind that is equal.
func isExactly(_ value: KeyedValue, _ expected: PredicateValue) -> Bool {
    value.predicateValue == expected
}

/// The code of the error that a piece of work throws.
func errorCode(_ work: () throws -> some Any) -> EvaluationError.Code? {
    do {
        _ = try work()
        return nil
    } catch {
        return (error as? EvaluationError)?.code
    }
}

final class Company: KeyValueCoding, Sendable {
    let name: String
    let depts: [Dept]

    init(_ name: String, _ depts: [Dept]) {
        self.name = name
        self.depts = depts
    }

    func value(forKey key: String) -> KeyedValue? {
        switch key {
        case "name": name.keyedValue
        case "depts": depts.keyedValue
        default: nil
        }
    }

    var allKeys: [String] { ["name", "depts"] }
}

struct Dept: KeyPathCoding, Sendable {
    var title: String
    var people: [Worker]

    static let keys: KeyPathTable<Dept> = ["title": .key(\.title), "people": .key(\.people)]
}

struct Worker: KeyPathCoding, Hashable, Sendable {
    var name: String?
    var age: Int
    var tags: Set<String> = []

    static let keys: KeyPathTable<Worker> = [
        "name": .key(\.name), "age": .key(\.age), "tags": .key(\.tags), "isAdult": .computed { $0.age >= 18 },
    ]
}

let company = Company(
    "Acme",
    [
        Dept(title: "A", people: [Worker(name: "jo", age: 30, tags: ["x", "y"]), Worker(name: nil, age: 10)]),
        Dept(title: "B", people: [Worker(name: "al", age: 50, tags: ["y"])]),
    ])

import Foundation
import PredicateEvaluation
import PredicateReference
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Predicates and expressions by closure. [NSP-178]
@Suite struct BlockTests {
    private let adult = FormatPredicate(name: "adult") { object, _ in
        guard case .value(.integer(let age))? = object.valueForTests("age") else { throw HostFailure() }
        return age >= 18
    }

    private let doubled = FormatExpression(
        name: "doubled", arguments: [FormatExpression(.keyPath(KeyPathExpression(keys: "age")))]
    ) { _, values, _ in
        guard case .value(.integer(let value))? = values.first else { throw HostFailure() }
        return .value(.integer(2 * value))
    }

    private let people = [Worker(name: "jo", age: 30), Worker(name: "al", age: 10), Worker(name: "kim", age: 50)]

    @Test func combinations() throws {
        let young = try FormatPredicate("age < 40")
        #expect(try people.filtered(using: adult).map(\.age) == [30, 50])
        #expect(try people.filtered(using: adult && young).map(\.age) == [30])
        #expect(try people.filtered(using: young && adult).map(\.age) == [30])
        #expect(try people.filtered(using: !adult || !young).map(\.age) == [10, 50])
        #expect(try people.count(matching: FormatPredicate.and([adult, young, adult])) == 1)
        #expect(try people.concurrentIndices(matching: adult || young) == [0, 1, 2])
    }

    @Test func objectsOfTheHost() throws {
        struct Own { var age = 20 }
        let own = FormatPredicate(name: "own") { object, _ in (object.hostObject as? Own)?.age == 20 }
        #expect(try own.evaluate(with: Own()))
        #expect(try !own.evaluate(with: Own(age: 3)))
        #expect(try !own.evaluate(with: 20))
        let worker = FormatPredicate(name: "worker") { object, _ in (object.hostObject as? Worker)?.name == "jo" }
        #expect(try people.filtered(using: worker).map(\.age) == [30])
        let row = FormatPredicate(name: "row") { object, _ in (object.hostObject as? [String: Any])?.count == 2 }
        #expect(try row.evaluate(with: ["a": 1, "b": 2]))
    }

    /// Every form of evaluation, and the reference, calls the closure.
    @Test func everyForm() throws {
        let comparison = ComparisonPredicate(doubled.node, .greaterThan, .constantValue(50))
        let predicates = try [
            adult, FormatPredicate(.comparison(comparison)), adult && FormatPredicate("age < 40 OR name == 'kim'"),
            FormatPredicate("name BEGINSWITH 'j'") || adult,
        ]
        let many = Array(repeating: people, count: 200).flatMap(\.self)
        let rows = many.map { ["name": $0.name as Any, "age": $0.age] }
        let records = many.map { ["name": .string($0.name ?? ""), "age": .integer(Int64($0.age))] as PredicateValue }
        for predicate in predicates {
            let evaluator = try PredicateEvaluator(predicate)
            let expected = try many.indices.filter {
                try ReferenceEvaluator.holds(predicate.node, for: many[$0].keyedValue).get()
            }
            #expect(try many.indices(matching: evaluator) == expected)
            #expect(try many.concurrentIndices(matching: evaluator) == expected)
            #expect(try many.count(matching: evaluator) == expected.count)
            #expect(try rows.indices(matching: evaluator) == expected)
            #expect(try records.indices(matching: evaluator) == expected)
            #expect(try records.count(matching: evaluator) == expected.count)
            #expect(try many.indices.filter { try evaluator.evaluate(with: many[$0]) } == expected)
            #expect(try rows.indices.filter { try evaluator.evaluate(with: rows[$0] as Any) } == expected)
        }
    }

    @Test func variables() throws {
        let older = FormatPredicate(name: "older") { object, variables in
            guard case .value(.integer(let age))? = object.valueForTests("age"),
                case .value(.integer(let limit))? = variables["limit"]
            else { return false }
            return age > limit
        }
        #expect(try people.filtered(using: older).isEmpty)
        #expect(try people.filtered(using: older, variables: ["limit": 20]).map(\.age) == [30, 50])
        #expect(try older.evaluate(with: people[0], variables: ["limit": 20]))
        #expect(try PredicateEvaluator(older).evaluate(with: people[0], variables: ["limit": 20]))
        let constant = try PredicateEvaluator(older, variables: ["limit": 40])
        #expect(try people.filtered(using: constant).map(\.age) == [50])
        // What is assigned before is seen, and so is the variable of a SUBQUERY.
        let assigning = try FormatPredicate("($limit := 40) > 0") && older
        #expect(try people.filtered(using: assigning).map(\.age) == [50])
        let inside = FormatPredicate(name: "inside") { _, variables in
            guard case .value(.integer(let element))? = variables["e"] else { return false }
            return element > 2
        }
        let subquery = SubqueryExpression(
            .constantValue([1, 2, 3, 4]), variable: "e", predicate: inside.node)
        let counted = ExpressionNode.keyPath(KeyPathExpression(base: .subquery(subquery), keys: "@count"))
        #expect(isExactly(try FormatExpression(counted).value(with: nil), 2))
    }

    @Test func errors() throws {
        let error = try #require(evaluationError { try (adult && adult).evaluate(with: ["age": "x"]) })
        let expected = EvaluationError.HostError(name: "adult", description: "HostFailure()")
        #expect(error.code == .host(expected) && error.node == 0)
        #expect(error.underlyingError is HostFailure)
        #expect(error.text == #"BLOCKPREDICATE(<"adult">)"#)
        #expect(error.title == "the host's 'adult' failed")
        #expect(error.label == "HostFailure()")
        let many = Array(repeating: ["age": "x"], count: 3)
        #expect(evaluationError { try many.filtered(using: adult) }?.code == .host(expected))
        let tax = evaluationError { try doubled.value(with: ["age": "x"]) }
        #expect(tax?.node == 1 && tax?.text == #"BLOCK(<"doubled">, age)"#)
        // An error of the language keeps its code.
        let own = FormatPredicate(name: "own") { _, _ in throw EvaluationError(.divisionByZero) }
        #expect(evaluationError { try own.evaluate(with: nil) } == EvaluationError(.divisionByZero, node: 0))
    }

    @Test func prints() throws {
        let age = try FormatPredicate("age < 40")
        #expect((adult && !age).predicateFormat == #"BLOCKPREDICATE(<"adult">) AND (NOT age < 40)"#)
        #expect(doubled.expressionFormat == #"BLOCK(<"doubled">, age)"#)
        let quoted = FormatPredicate(name: "null\">) == 1") { _, _ in true }
        let tree = ExpressionNode.conditional(
            ConditionalExpression(quoted.node, true: doubled.node, false: .constantValue(1)))
        for format in [
            adult.predicateFormat, (adult && age).predicateFormat, (!adult).predicateFormat, quoted.predicateFormat,
            FormatPredicate(.comparison(ComparisonPredicate(doubled.node, .equalTo, doubled.node))).predicateFormat,
            FormatPredicate(.comparison(ComparisonPredicate(tree, .equalTo, .constantValue(1)))).predicateFormat,
        ] {
            #expect(throws: PredicateFormatError.self, "\(format)") { try FormatPredicate(format) }
        }
        #expect(throws: PredicateFormatError.self) { try FormatExpression(doubled.expressionFormat) }
    }

    @Test func archives() throws {
        let age = try FormatPredicate("age < 40")
        for predicate in [adult, age && adult] {
            let error = PredicateArchiveError.thrown { try JSONEncoder().encode(predicate) }
            #expect(PredicateArchiveError.thrown { try JSONEncoder().encode(predicate.node) }?.code == error?.code)
            #expect(error?.code == .block("adult"))
            #expect(
                error.map { Array($0.text.utf8)[$0.range] }.map { String(decoding: $0, as: UTF8.self) }
                    == adult.predicateFormat)
            #expect(error?.description.contains("a closure exists only in its program") == true)
        }
        #expect(throws: PredicateArchiveError.self) { try JSONEncoder().encode(doubled) }
        let constant = PredicateValue.predicate(adult.node)
        #expect(throws: PredicateArchiveError.self) { try JSONEncoder().encode(constant) }
    }

    @Test func identity() {
        let same = FormatPredicate(name: "adult") { _, _ in true }
        #expect(adult == adult && adult != same)
        #expect(Set([adult, same, adult]).count == 2)
        #expect(Set([doubled, doubled]).count == 1)
        #expect((adult && same) == (adult && same))
        #expect(adult.node != FormatPredicate.constant(true).node)
    }

    @Test func references() throws {
        let comparison = FormatPredicate(.comparison(ComparisonPredicate(doubled.node, .equalTo, .variable("x"))))
        let references = PredicateReferences((adult && comparison && adult).node)
        #expect(references.blocks == ["adult", "doubled"])
        #expect(references.keyPaths == ["age"] && references.variables == ["x"] && references.functions.isEmpty)
    }

    @Test func policies() throws {
        var policy = PredicatePolicy.untrusted
        let comparison = FormatPredicate(.comparison(ComparisonPredicate(doubled.node, .equalTo, .constantValue(1))))
        for predicate in [adult, comparison] {
            let error = PredicateFormatError.thrown { try PredicatePolicy.untrusted.check(predicate) }
            #expect(error?.code == .refused(.feature(.block)))
        }
        policy.features.insert(.block)
        try policy.check(adult && comparison)
        #expect(PredicateFeature.unsafe.contains(.block))
    }

    @Test func treesAreMapped() throws {
        let argument = FormatExpression(.variable("x"))
        let block = FormatExpression(name: "id", arguments: [argument]) { _, values, _ in values[0] }
        #expect(isExactly(try block.substituting(["x": 3]).value(with: nil), 3))
        #expect(try block.substituting(["x": 3]).expressionFormat == #"BLOCK(<"id">, 3)"#)
        #expect(try adult.substituting([:]) == adult)
    }
}

extension KeyedValue {
    /// The value of a key of an object.
    fileprivate func valueForTests(_ key: String) -> KeyedValue? {
        switch self {
        case .object(let object): object.value(forKey: key)
        case .value(let value): value.value(forKey: key)
        case .collection: nil
        }
    }
}

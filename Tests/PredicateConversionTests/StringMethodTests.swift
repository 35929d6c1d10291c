import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateSyntax
import Testing

@testable import PredicateConversion

/// The methods of strings that only Apple's Foundation has in predicates. The nodes here have the form of Apple's.
@Suite struct StringMethodTests {
    private struct Contains<Root: PredicateExpression, Other: PredicateExpression>: StringMethodNode
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        static var method: StringMethod { .localizedStandardContains }
        let root: Root
        let other: Other
        func evaluate(_ bindings: PredicateBindings) throws -> Bool { true }
    }

    private struct CaseInsensitive<Root: PredicateExpression, Other: PredicateExpression>: StringMethodNode
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        static var method: StringMethod { .caseInsensitiveCompare }
        let root: Root
        let other: Other
        func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult { .orderedSame }
    }

    private struct Localized<Root: PredicateExpression, Other: PredicateExpression>: StringMethodNode
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        static var method: StringMethod { .localizedCompare }
        let root: Root
        let other: Other
        func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult { .orderedSame }
    }

    private let variable = PredicateExpressions.Variable<Animal>()

    private var name: PredicateExpressions.KeyPath<PredicateExpressions.Variable<Animal>, String> {
        PredicateExpressions.KeyPath(root: variable, keyPath: \.name)
    }

    private func format(_ node: some PredicateExpression<Bool>) throws -> String {
        try Walk(inputs: [variable.key], names: [:]).predicate(node).predicateFormat
    }

    @Test func aSearchAsPeopleExpectIt() throws {
        let search = Contains(root: name, other: PredicateExpressions.Value("jo"))
        #expect(try format(search) == #"name CONTAINS[cdl] "jo""#)
        #expect(try format(PredicateExpressions.Negation(search)) == #"NOT name CONTAINS[cdl] "jo""#)
    }

    @Test func aSearchCompilesToSQL() throws {
        let search = Contains(root: name, other: PredicateExpressions.Value("jo"))
        let node = try Walk(inputs: [variable.key], names: [:]).predicate(search)
        let schema = SQLSchema(table: "animals", columns: ["name": .string])
        let query = try SQLCompiler(schema: schema).compile(FormatPredicate(node), entity: "animals")
        #expect(query.where.text == #"predicates2_contains(t0."name", ?1, 'cd')"#)
    }

    @Test(arguments: [
        (ComparisonResult.orderedSame, #"name ==[c] "jo""#, #"name !=[c] "jo""#),
        (.orderedAscending, #"name <[c] "jo""#, #"NOT name <[c] "jo""#),
        (.orderedDescending, #"name >[c] "jo""#, #"NOT name >[c] "jo""#),
    ])
    func aResultOfAComparisonIsAnOperator(result: ComparisonResult, equal: String, unequal: String) throws {
        let order = CaseInsensitive(root: name, other: PredicateExpressions.Value("jo"))
        let value = PredicateExpressions.Value(result)
        #expect(try format(PredicateExpressions.Equal(lhs: order, rhs: value)) == equal)
        #expect(try format(PredicateExpressions.Equal(lhs: value, rhs: order)) == equal)
        #expect(try format(PredicateExpressions.NotEqual(lhs: order, rhs: value)) == unequal)
    }

    @Test func aComparisonByTheLocaleHasItsOption() throws {
        let order = Localized(root: name, other: PredicateExpressions.Value("jo"))
        let same = PredicateExpressions.Equal(lhs: order, rhs: PredicateExpressions.Value(ComparisonResult.orderedSame))
        #expect(try format(same) == #"name ==[l] "jo""#)
    }

    @Test func resultsThatAreNoConstantAreNumbers() throws {
        let one = CaseInsensitive(root: name, other: PredicateExpressions.Value("jo"))
        let other = CaseInsensitive(root: name, other: PredicateExpressions.Value("al"))
        let choice = { (text: String) in
            #"TERNARY(name ==[c] "\#(text)", 0, TERNARY(name <[c] "\#(text)", -1, 1))"#
        }
        #expect(try format(PredicateExpressions.Equal(lhs: one, rhs: other)) == "\(choice("jo")) == \(choice("al"))")
    }
}

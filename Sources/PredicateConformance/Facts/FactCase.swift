import PredicateSyntax

/// A fact about the language: a format with its arguments, and the expected result.
///
/// `{"id": "dd-001", "format": "name LIKE 'S*'", "object": {"name": "Smith"}, "expect": true}`
struct FactCase: ConformanceCase {
    let id: String
    var format: String
    var kind: Kind
    var arguments: [PredicateValue]
    var variables: [String: PredicateValue]
    /// The object to evaluate with; a list of objects for a filter.
    var object: PredicateValue
    var expectation: Expectation
    /// The print of the format.
    var predicateFormat: String?
    /// The print after ``substitutions`` have replaced the variables.
    var substitutedFormat: String?
    var substitutions: [String: PredicateValue]
    /// The number of expressions that a visitor on Apple's platforms sees.
    var expressionNodes: Int?
    /// True if the print must equal the format.
    var isRoundTrip: Bool

    enum Kind: Hashable, Sendable {
        case predicate, expression
        /// A compound made by API, as `and([FALSE,mustNotEvaluate])`
        case api(String)
    }

    enum Expectation: Hashable, Sendable {
        /// `true`, `false`
        case truth(Bool)
        /// `"parses"`: no expectation for its evaluation
        case parses
        /// `"parse-error"`
        case parseError
        /// `"eval-error"`: it parses, and preparing or evaluating it fails
        case evaluationError
        /// `"value"`
        case value(PredicateValue)
        /// `"filter"`: the indexes of the matching objects
        case filter(keep: [Int])
    }
}

extension FactCase {
    init(id: String, _ members: [String: PredicateValue]) throws(DataProblem) {
        let fields = JSONFields(members)
        self.id = id
        format = try fields.text("format") ?? ""
        kind = try Self.kind(fields)
        arguments = try Self.arguments(fields)
        variables = try ValueNotation.argument.entries(try fields.optional("variables", "an object", \.entries) ?? [:])
        object = try ValueNotation.object.value(members["object"] ?? .null)
        expectation = try Self.expectation(fields, members["value"] ?? .null)
        predicateFormat = try fields.text("predicateFormat")
        substitutedFormat = try fields.text("substitutedFormat")
        substitutions = try Self.substitutions(fields) ?? variables
        expressionNodes = try fields.optional("expressionNodes", "a whole number", \.wholeNumber)
        isRoundTrip = try fields.optional("roundtrip", "true or false", \.truth) ?? false
    }

    private static func kind(_ fields: JSONFields) throws(DataProblem) -> Kind {
        switch try fields.text("kind") ?? "predicate" {
        case "predicate", "filter": .predicate
        case "expression": .expression
        case "api": .api(try fields.required("api", "a string", \.text))
        case let name: throw DataProblem("unknown kind '\(name)'")
        }
    }

    private static func arguments(_ fields: JSONFields) throws(DataProblem) -> [PredicateValue] {
        var arguments: [PredicateValue] = []
        for argument in try fields.optional("args", "an array", \.list) ?? [] {
            arguments.append(try ValueNotation.argument.value(argument))
        }
        return arguments
    }

    private static func substitutions(_ fields: JSONFields) throws(DataProblem) -> [String: PredicateValue]? {
        guard let members = try fields.optional("variables_for_substitution", "an object", \.entries) else {
            return nil
        }
        var values: [String: PredicateValue] = [:]
        for (name, value) in members { values[name] = try ValueNotation.argument.substitution(value) }
        return values
    }

    private static func expectation(_ fields: JSONFields, _ value: PredicateValue) throws(DataProblem) -> Expectation {
        let expect = fields["expect"] ?? .null
        if let truth = expect.truth { return .truth(truth) }
        switch expect.text {
        case "parses": return .parses
        case "parse-error": return .parseError
        case "eval-error": return .evaluationError
        case "value": return .value(try ValueNotation.argument.value(value))
        case "filter": return .filter(keep: try keep(fields))
        case let name: throw DataProblem("unknown expectation '\(name ?? "")'")
        }
    }

    private static func keep(_ fields: JSONFields) throws(DataProblem) -> [Int] {
        let list = try fields.required("keep", "a list of indexes", \.list)
        let indexes = list.compactMap(\.wholeNumber)
        guard indexes.count == list.count else { throw DataProblem("'keep' should be a list of indexes") }
        return indexes
    }
}

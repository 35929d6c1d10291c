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
    /// The object to evaluate; a list of objects for a filter.
    var object: PredicateValue
    var expectation: Expectation
    /// The expected canonical form.
    var predicateFormat: String?
    /// The expected canonical form after ``substitutions`` have replaced the variables.
    var substitutedFormat: String?
    var substitutions: [String: PredicateValue]
    /// The number of expressions that a visitor on Apple's platforms visits.
    var expressionNodes: Int?
    /// True if the canonical form must equal the format.
    var isRoundTrip: Bool

    enum Kind: Hashable, Sendable {
        case predicate, expression
        /// A compound that is created by API: `and([FALSE,mustNotEvaluate])`
        case api(String)
    }

    enum Expectation: Hashable, Sendable {
        /// `true`, `false`
        case truth(Bool)
        /// `"parses"`: nothing is known about the evaluation
        case parses
        /// `"parse-error"`
        case parseError
        /// `"eval-error"`: the format parses, and preparing or evaluating it fails
        case evaluationError
        /// `"value"`
        case value(PredicateValue)
        /// `"filter"`: the indices of the matching objects
        case filter(keep: [Int])
    }
}

extension FactCase {
    init(id: String, _ members: [String: PredicateValue]) throws(CaseDataError) {
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

    private static func kind(_ fields: JSONFields) throws(CaseDataError) -> Kind {
        switch try fields.text("kind") ?? "predicate" {
        case "predicate", "filter": .predicate
        case "expression": .expression
        case "api": .api(try fields.required("api", "a string", \.text))
        case let name: throw CaseDataError("unknown kind '\(name)'")
        }
    }

    private static func arguments(_ fields: JSONFields) throws(CaseDataError) -> [PredicateValue] {
        var arguments: [PredicateValue] = []
        for argument in try fields.optional("args", "an array", \.list) ?? [] {
            arguments.append(try ValueNotation.argument.value(argument))
        }
        return arguments
    }

    private static func substitutions(_ fields: JSONFields) throws(CaseDataError) -> [String: PredicateValue]? {
        guard let members = try fields.optional("variables_for_substitution", "an object", \.entries) else {
            return nil
        }
        var values: [String: PredicateValue] = [:]
        for (name, value) in members { values[name] = try ValueNotation.argument.substitution(value) }
        return values
    }

    private static func expectation(_ fields: JSONFields, _ value: PredicateValue) throws(CaseDataError) -> Expectation
    {
        let expect = fields["expect"] ?? .null
        if let truth = expect.truth { return .truth(truth) }
        switch expect.text {
        case "parses": return .parses
        case "parse-error": return .parseError
        case "eval-error": return .evaluationError
        case "value": return .value(try ValueNotation.argument.value(value))
        case "filter": return .filter(keep: try keep(fields))
        case let name: throw CaseDataError("unknown expectation '\(name ?? "")'")
        }
    }

    private static func keep(_ fields: JSONFields) throws(CaseDataError) -> [Int] {
        let list = try fields.required("keep", "a list of indexes", \.list)
        let indexes = list.compactMap(\.wholeNumber)
        guard indexes.count == list.count else { throw CaseDataError("'keep' should be a list of indexes") }
        return indexes
    }
}

extension FactCase {
    func judge() -> Verdict {
        switch kind {
        case .predicate: judgeFormat(.predicate)
        case .expression: judgeFormat(.expression)
        case .api(let notation): judgeCompound(notation)
        }
    }

    private func judgeFormat(_ kind: ParsedFormat.Kind) -> Verdict {
        do throws(PredicateFormatError) {
            let parsed = try ParsedFormat(kind, format, arguments)
            guard expectation != .parseError else {
                return .failed(["expected a parse error, found \(parsed.printed)"])
            }
            return Verdict(complaints: complaints(about: parsed))
        } catch {
            guard expectation == .parseError else {
                return .failed(["expected it to parse, found \(error.inOneLine) in \(format)"])
            }
            return Verdict(complaints: [ErrorRangeCheck.complaint(about: error, in: format)].compactMap(\.self))
        }
    }

    private func judgeCompound(_ notation: String) -> Verdict {
        do throws(CaseDataError) {
            let node = try CompoundNotation.predicate(notation)
            return Verdict(complaints: evaluationComplaints(.predicate(FormatPredicate(node))))
        } catch {
            return .failed([error.message])
        }
    }

    private func complaints(about parsed: ParsedFormat) -> [String] {
        printComplaints(parsed) + evaluationComplaints(parsed)
    }

    // MARK: - Text and tree

    private func printComplaints(_ parsed: ParsedFormat) -> [String] {
        var complaints: [String] = []
        if let expected = predicateFormat ?? (isRoundTrip ? format : nil) {
            complaints += Self.difference("print", expected, parsed.printed)
        }
        if let expected = substitutedFormat {
            complaints += substitutionComplaints(parsed, expected)
        }
        if let expected = expressionNodes {
            complaints += Self.difference("expression count", "\(expected)", "\(parsed.tree.expressionCount)")
        }
        return complaints + [RoundTripCheck.complaint(about: parsed)].compactMap(\.self)
    }

    private func substitutionComplaints(_ parsed: ParsedFormat, _ expected: String) -> [String] {
        do throws(PredicateFormatError) {
            let substituted = try parsed.substituting(substitutions)
            return Self.difference("print after substitution", expected, substituted.printed)
        } catch {
            return ["expected the print after substitution \(expected), found \(error.missingValue)"]
        }
    }

    private static func difference(_ what: String, _ expected: String, _ found: String) -> [String] {
        expected.hasSameCodePoints(as: found) ? [] : ["expected the \(what) \(expected), found \(found)"]
    }

    // MARK: - Evaluation

    private func evaluationComplaints(_ parsed: ParsedFormat) -> [String] {
        switch expectation {
        case .truth(let truth): valueComplaints(parsed, .bool(truth))
        case .value(let value): valueComplaints(parsed, value)
        case .parses, .parseError: []
        case .evaluationError: errorComplaints(parsed)
        case .filter(let keep): filterComplaints(parsed, keep)
        }
    }

    private func valueComplaints(_ parsed: ParsedFormat, _ expected: PredicateValue) -> [String] {
        let outcome = parsed.outcome(for: object, variables)
        return outcome.isValue(expected) ? [] : ["expected \(expected.shown), found \(outcome.shown)"]
    }

    private func errorComplaints(_ parsed: ParsedFormat) -> [String] {
        switch parsed.outcome(for: object, variables) {
        case .failure: []
        case .value(let value): ["expected an evaluation error, found \(EvaluationOutcome.value(value).shown)"]
        }
    }

    private func filterComplaints(_ parsed: ParsedFormat, _ keep: [Int]) -> [String] {
        guard let objects = object.list else { return ["a filter needs a list of objects"] }
        let outcomes = parsed.outcomes(for: objects, variables)
        let missing = keep.filter { !objects.indices.contains($0) }.map { "there is no object \($0) to keep" }
        return missing
            + outcomes.enumerated().compactMap { index, outcome in
                let expected = PredicateValue.bool(keep.contains(index))
                if outcome.isValue(expected) { return nil }
                return "object \(index): expected \(expected.shown), found \(outcome.shown)"
            }
    }
}

/// Reads the notation of compounds that are created by API: `and([FALSE,mustNotEvaluate])`, `or([])`, `not(TRUE)`.
///
/// `TRUE` and `FALSE` are predicates. The evaluation of `mustNotEvaluate` throws.
struct CompoundNotation {
    private var rest: Substring
    private let text: String
    /// The limit of nesting, which no valid tree exceeds.
    private static let nesting = PredicateLimits.standard.nesting

    static func predicate(_ text: String) throws(CaseDataError) -> PredicateNode {
        var reader = CompoundNotation(rest: Substring(text), text: text)
        let node = try reader.readPredicate(depth: 0)
        guard reader.rest.isBlank else { throw reader.problem }
        return node
    }

    private var problem: CaseDataError { CaseDataError("cannot read '\(text)'") }

    private mutating func readPredicate(depth: Int) throws(CaseDataError) -> PredicateNode {
        guard depth < Self.nesting else { throw problem }
        switch readWord().lowercased() {
        case "true", "truepredicate": return .constant(true)
        case "false", "falsepredicate": return .constant(false)
        case "mustnotevaluate": return Self.mustNotEvaluate
        case "and": return .compound(CompoundPredicate(.and, try readList(depth: depth)))
        case "or": return .compound(CompoundPredicate(.or, try readList(depth: depth)))
        case "not": return .compound(CompoundPredicate(.not, try readList(depth: depth)))
        default: throw problem
        }
    }

    /// `$mustNotEvaluate == 1`: a variable without a value.
    private static let mustNotEvaluate = PredicateNode.comparison(
        ComparisonPredicate(.variable("mustNotEvaluate"), .equalTo, .constantValue(1)))

    /// `([a, b])` or `(a, b)`
    private mutating func readList(depth: Int) throws(CaseDataError) -> [PredicateNode] {
        try expect("(")
        let hasBrackets = takes("[")
        let close: Character = hasBrackets ? "]" : ")"
        var nodes: [PredicateNode] = []
        while !takes(close) {
            if !nodes.isEmpty { try expect(",") }
            nodes.append(try readPredicate(depth: depth + 1))
        }
        if hasBrackets { try expect(")") }
        return nodes
    }

    private mutating func readWord() -> String {
        rest = rest.drop(while: \.isWhitespace)
        let word = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(word.count)
        return String(word)
    }

    private mutating func takes(_ mark: Character) -> Bool {
        rest = rest.drop(while: \.isWhitespace)
        guard rest.first == mark else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func expect(_ mark: Character) throws(CaseDataError) {
        guard takes(mark) else { throw problem }
    }
}

extension TreeNode {
    /// The number of expressions that a visitor of Apple's classes visits.
    ///
    /// Some nodes of this package are several expressions there. `$v.key` is a function with an operand and a key
    /// path as its argument. A call of a function of the language has the class of functions as its operand. The
    /// elements of a literal array are expressions.
    var expressionCount: Int {
        switch self {
        case .predicate(let node): node.children.expressionCount
        case .expression(let node): node.ownCount + node.children.expressionCount
        }
    }
}

extension [TreeNode] {
    fileprivate var expressionCount: Int {
        reduce(0) { $0 + $1.expressionCount }
    }
}

extension ExpressionNode {
    /// The expressions of the node itself, without its children.
    fileprivate var ownCount: Int {
        switch self {
        case .constantValue(.array(let elements)): 1 + elements.count
        case .keyPath(let path): path.base == nil ? 1 : 2
        // The expression and its operand. A cast has its type as well.
        case .function, .index: 2
        case .cast: 3
        // The member is a key path, which is the argument.
        case .member: 1
        case .constantValue, .evaluatedObject, .variable, .message, .aggregate, .symbol, .subquery, .conditional, .set,
            .assignment, .anyKey, .block, .fetch:
            1
        }
    }
}

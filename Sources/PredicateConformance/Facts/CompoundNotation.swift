import PredicateSyntax

/// The notation of facts for compounds made by API: `and([FALSE,mustNotEvaluate])`, `or([])`, `not(TRUE)`.
///
/// `TRUE` and `FALSE` are predicates; `mustNotEvaluate` is one whose evaluation throws.
struct CompoundNotation {
    private var rest: Substring
    private let text: String
    /// A depth beyond the limit of any tree.
    private static let nesting = PredicateLimits.standard.nesting

    static func predicate(_ text: String) throws(DataProblem) -> PredicateNode {
        var reader = CompoundNotation(rest: Substring(text), text: text)
        let node = try reader.readPredicate(depth: 0)
        guard reader.rest.isBlank else { throw reader.problem }
        return node
    }

    private var problem: DataProblem { DataProblem("cannot read '\(text)'") }

    private mutating func readPredicate(depth: Int) throws(DataProblem) -> PredicateNode {
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
    private mutating func readList(depth: Int) throws(DataProblem) -> [PredicateNode] {
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

    private mutating func expect(_ mark: Character) throws(DataProblem) {
        guard takes(mark) else { throw problem }
    }
}

import PredicateEvaluation
import PredicateSession
import PredicateSyntax

/// Replaces SELF by the key `line`, so that lines of text can be sifted like the strings of a column.
///
/// `SELF CONTAINS "error"` becomes `line CONTAINS "error"`.
struct LinePredicate: TreeMapping {
    private static let key = "line"
    private var hasOther = false

    /// Returns the predicate; nil if it needs more than SELF, such as `length > 80`.
    static func sifting(_ predicate: FormatPredicate) -> FormatPredicate? {
        var mapping = LinePredicate()
        let node = mapping.predicate(predicate.node)
        return mapping.hasOther ? nil : FormatPredicate(node)
    }

    /// Throws the error for a key that no line has, since every line would cause it: `line CONTAINS "error"`.
    static func check(_ evaluator: PredicateEvaluator) throws(CommandFailure) {
        let names = RecordPaths(evaluator.predicate.node).sorted.compactMap(\.first)
        guard names.contains(where: { StringKey(rawValue: $0) == nil }) else { return }
        do throws(EvaluationError) {
            _ = try evaluator.evaluate(.value(.string("")))
        } catch {
            guard case .undefinedKey = error.code else { return }
            let hints = [
                "hint: SELF is the line: SELF CONTAINS \"text\"", "hint: --pattern divides lines into named parts",
            ]
            throw .text(([RecordErrorText.text(of: error, columns: [])] + hints).joined(separator: "\n"))
        }
    }

    mutating func predicate(_ node: PredicateNode) -> PredicateNode { mappingChildren(of: node) }

    mutating func expression(_ node: ExpressionNode) -> ExpressionNode {
        switch node {
        case .evaluatedObject: return .keyPath(KeyPathExpression([.key(Self.key)]))
        case .constantValue, .aggregate, .function, .conditional, .cast, .set: return mappingChildren(of: node)
        case .variable, .keyPath, .member, .message, .index, .symbol, .subquery, .assignment, .anyKey, .block, .fetch:
            hasOther = true
            return node
        }
    }
}

/// Finds strings that are contained in every line for which a predicate holds.
///
/// `SELF CONTAINS "error"`, `SELF MATCHES ".*(error|warning) [0-9]+" AND NOT SELF CONTAINS "x"`
enum RequiredLine {
    /// Returns lists of strings; the line contains at least one string of each list.
    static func texts(of node: PredicateNode) -> [[String]] {
        switch node {
        case .compound(let compound):
            guard compound.type == .and else { return [] }
            // The first clause is evaluated for every line, so it may fail even for a line that lacks the text of a later
            // clause.
            return compound.subpredicates.first.map(texts) ?? []
        case .string(let comparison):
            guard comparison.options.isEmpty, comparison.modifier == .direct,
                comparison.leftExpression == .evaluatedObject,
                case .constantValue(.string(let text)) = comparison.rightExpression
            else { return [] }
            return required(comparison.operator, text)
        case .comparison, .constant, .block: return []
        }
    }

    private static func required(_ type: StringOperator, _ text: String) -> [[String]] {
        switch type {
        case .contains, .beginsWith, .endsWith: [[text]]
        case .matches: PatternTree(text).requiredTexts
        case .like, .utiConformsTo, .utiEquals: []
        }
    }
}

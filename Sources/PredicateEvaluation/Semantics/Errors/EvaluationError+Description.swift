public import PredicateSyntax

extension EvaluationError: CustomStringConvertible {
    /// The error in words, without the place: `error: expected a number (this is NSString "abc")`.
    public var description: String {
        let label = code.label.map { " (\($0))" } ?? ""
        let hints = code.hints.map { "\nhint: \($0)" }.joined()
        return "error: \(code.title)\(label)\(hints)"
    }

    /// The error in words, with the place in the format string under a caret.
    ///
    /// ```
    /// error: expected a number
    ///   name + 1 > 2
    ///   ^~~~ this is NSString "abc"
    /// hint: CAST(x, "NSNumber") reads a number from a string
    /// ```
    ///
    /// Of a predicate made without a format string the sub-expression at fault is shown, as it prints.
    public func description(in predicate: FormatPredicate) -> String {
        description(source: predicate.source, root: .predicate(predicate.node))
    }

    /// The error in words, with the place in an expression's format string under a caret.
    public func description(in expression: FormatExpression) -> String {
        description(source: expression.source, root: .expression(expression.node))
    }

    /// An error without a culprit is about the whole, whose place need not be shown.
    private func description(source: PredicateSourceMap?, root: TreeNode) -> String {
        guard let culprit else { return description }
        if let source, let range = source.range(ofNode: culprit) { return rendered(source.text, range) }
        let printed = root.node(number: culprit)?.printed ?? ""
        return rendered(printed, 0..<printed.utf8.count)
    }

    private func rendered(_ text: String, _ range: Range<Int>) -> String {
        let hints = WrittenPhrase(text, range).hint(for: code).map { [$0] } ?? code.hints
        return ErrorRenderer.render(title: code.title, source: text, range: range, label: code.label, hints: hints)
    }
}

extension TreeNode {
    fileprivate var printed: String {
        switch self {
        case .predicate(let node): node.predicateFormat
        case .expression(let node): node.expressionFormat
        }
    }
}

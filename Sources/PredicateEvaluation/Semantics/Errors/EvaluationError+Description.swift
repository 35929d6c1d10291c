import PredicateSyntax

extension EvaluationError {
    /// One line that says what was expected: `expected a number`.
    public var title: String { code.title }

    /// The words next to the caret: `this is NSString "abc"`.
    public var label: String? { code.label }

    /// Cures; the format string may tell more than the values do.
    public var hints: [String] {
        excerpt.map { hints(for: WrittenPhrase($0.text, $0.range)) } ?? code.hints
    }

    /// The error as a terminal shows it.
    ///
    /// ```
    /// error: expected a number
    ///   name + 1 > 2
    ///   ^~~~ this is NSString "abc"
    /// hint: CAST(x, "NSNumber") reads a number from a string
    /// ```
    ///
    /// An error without a ``text`` has its label in parentheses.
    public var description: String {
        guard let (text, range) = excerpt else {
            let label = code.label.map { " (\($0))" } ?? ""
            return ErrorRenderer.render(
                title: code.title + label, source: "", range: 0..<0, label: nil, hints: code.hints)
        }
        return ErrorRenderer.render(
            title: code.title, source: text, range: range, label: code.label,
            hints: hints(for: WrittenPhrase(text, range)))
    }

    private func hints(for phrase: WrittenPhrase) -> [String] {
        phrase.hint(for: code).map { [$0] } ?? code.hints
    }
}

import PredicateSyntax

extension OpenDocument {
    /// The quick fixes for a range of the document, as the protocol has them.
    func codeActions(_ range: Range<Int>, uri: String) -> [PredicateValue] {
        analysis.fixes.filter { $0.range.lowerBound <= range.upperBound && range.lowerBound <= $0.range.upperBound }.map
        {
            fix in
            let edits = fix.edits.map { edit in
                PredicateValue.object(["range": value(of: edit.range), "newText": .string(edit.replacement)])
            }
            let mended = analysis.problems.filter { $0.range.overlaps(fix.range) }.map(diagnostic)
            return .object([
                "title": .string(fix.title), "kind": .string("quickfix"), "isPreferred": .bool(fix.isCertain),
                "diagnostics": .array(mended), "edit": .object(["changes": .object([uri: .array(edits)])]),
            ])
        }
    }

    /// What is wrong in the document, as the protocol has it.
    var diagnostics: [PredicateValue] { analysis.problems.map(diagnostic) }

    private func diagnostic(_ problem: Problem) -> PredicateValue {
        let lines = [problem.message] + problem.hints.map { "hint: \($0)" }
        let severity: Int64 =
            switch problem.level {
            case .error: 1
            case .warning: 2
            case .note: 3
            }
        return .object([
            "range": value(of: problem.range), "severity": .integer(severity), "source": .string("predicate"),
            "code": .string(problem.rule), "message": .string(lines.joined(separator: "\n")),
        ])
    }

    /// A range of bytes, as lines and characters.
    func value(of range: Range<Int>) -> PredicateValue {
        func value(_ offset: Int) -> PredicateValue {
            let position = text.position(of: offset)
            return .object(["line": .integer(Int64(position.line)), "character": .integer(Int64(position.character))])
        }
        return .object(["start": value(range.lowerBound), "end": value(range.upperBound)])
    }
}

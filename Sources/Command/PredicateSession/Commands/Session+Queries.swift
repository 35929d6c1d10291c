import PredicateChecks
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

// Predicates and expressions

extension Session {
    /// Returns the result of a predicate or an expression for the objects.
    func result(of line: String) throws(SessionError) -> String {
        let query = try Query(line, words: argumentWords, in: zone)
        current = query
        let isEchoed = query.printed != line && query.printed != "(\(line))"
        let echo = isEchoed ? [painter.highlight(query.printed)] : []
        try prepare(query)
        let lines =
            switch query.content {
            case .predicate(let predicate): try result(of: predicate, query)
            case .expression(let expression): try result(of: expression, query)
            }
        return (echo + lines).joined(separator: "\n")
    }

    private func result(of predicate: FormatPredicate, _ query: Query) throws(SessionError) -> [String] {
        let predicate = try reading(predicate)
        let evaluator = try evaluator(predicate, query)
        guard !table.isEmpty else { return try resultWithoutObjects(evaluator, query) }
        let start = ContinuousClock.now
        var notes: [String] = []
        let scan = try scan(evaluator, limit: settings.rowLimit, &notes)
        let time = time(since: start)
        let count = Count.matches(scan.matches, of: scan.total)
        var lines = [painter.paint(count, scan.matches == 0 ? .notable : .good) + time]
        lines += try page(of: scan, from: 0, settings.rowLimit, query, notes)
        lines += failureNote(scan.failures, scan.firstFailure, query)
        if scan.matches == 0, scan.failures == 0 { lines += zeroNote(predicate) }
        return lines
    }

    func evaluator(_ predicate: FormatPredicate, _ query: Query) throws(SessionError) -> PredicateEvaluator {
        try query.evaluating { () throws(EvaluationError) in try PredicateEvaluator(predicate, context: context) }
    }

    func evaluator(_ expression: FormatExpression, _ query: Query) throws(SessionError) -> ExpressionEvaluator {
        try query.evaluating { () throws(EvaluationError) in try ExpressionEvaluator(expression, context: context) }
    }

    /// Reports how many objects could not be evaluated, with the first error.
    func failureNote(_ failures: Int, _ first: ObjectError?, _ query: Query) -> [String] {
        guard failures > 0, let first else { return [] }
        let count = "\(Count.of(failures, "object")) could not be evaluated; the first is object \(first.index + 1):"
        return [
            painter.paint(count, .bad),
            painter.paint(error: fitted(query.text(of: first.error, columns: table.columns))),
        ]
    }

    /// Returns a note for a predicate that matches nothing: the first finding, or the command that helps to find the reason.
    private func zeroNote(_ predicate: FormatPredicate) -> [String] {
        let findings = DataChecker.findings(
            in: predicate, objects: objects, data: statistics, context: context)
        if let first = findings.first {
            let suggestion = first.hint.map { "; \($0)" } ?? ""
            return [painter.paint(fitted("note: \(first.message)\(suggestion)"), .notable)]
        }
        if case .compound = predicate.node {
            return [painter.paint(":explain shows which clause no object passes", .faint)]
        }
        return [painter.paint(":why 1 explains why the first object does not match", .faint)]
    }

    /// Returns the result of a predicate that uses no keys, or else the note that there are no objects.
    private func resultWithoutObjects(_ evaluator: PredicateEvaluator, _ query: Query) throws(SessionError) -> [String]
    {
        if query.fields.keyPaths.isEmpty, let result = try? evaluator.evaluate(.null) {
            return [painter.paint(String(result), result ? .good : .notable)]
        }
        let (text, hints) = reasonForNoObjects
        return [painter.paint(([text] + hints).joined(separator: ": "), .faint)]
    }

    /// Returns the first keys of the key paths in a query.
    func rootKeys(of query: Query) -> [String] {
        query.fields.keyPaths.map { String($0.prefix { $0 != "." }) }
    }
}

// MARK: - Expressions

extension Session {
    private func result(of expression: FormatExpression, _ query: Query) throws(SessionError) -> [String] {
        try settle(.expression(expression.node))
        let evaluator = try evaluator(expression, query)
        if table.isEmpty || !dependsOnObject(query) { return [try single(evaluator, query)] }
        let indexes = Array(0..<min(table.count, settings.rowLimit))
        let results = indexes.map { evaluator.result(for: table[$0]) }
        if let error = Self.commonError(results) {
            throw SessionError(rendered: query.text(of: error, columns: table.columns))
        }
        let cells = results.map(cell)
        let columns = [numberColumn(indexes.map(table.position)), TextTable.Column("value", cells)]
        let rest = table.count - indexes.count
        let more = objectCount == nil ? "more objects" : Count.of((objectCount ?? 0) - indexes.count, "more object")
        return TextTable(columns, width: settings.width).lines(painter)
            + (rest > 0 ? [painter.paint("… \(more)", .faint)] : []) + keyNote(expression)
    }

    /// Returns the first error if every result is an error, so that it is shown only once, with its hints.
    private static func commonError(_ results: [Result<KeyedValue, EvaluationError>]) -> EvaluationError? {
        guard case .failure(let first)? = results.first else { return nil }
        return results.allSatisfy { if case .failure = $0 { true } else { false } } ? first : nil
    }

    /// Returns the note about a key that no object has, in the same form as for predicates.
    private func keyNote(_ expression: FormatExpression) -> [String] {
        guard let finding = unknownKey(in: expression) else { return [] }
        let suggestion = finding.hint.map { "; \($0)" } ?? ""
        return [painter.paint(fitted("note: \(finding.message)\(suggestion)"), .notable)]
    }

    /// Returns the finding about a key that no object has; nil if there is none.
    func unknownKey(in expression: FormatExpression) -> PredicateFinding? {
        let predicate = FormatPredicate(
            .comparison(ComparisonPredicate(expression.node, .notEqualTo, .constantValue(.null))))
        let findings = DataChecker.findings(
            in: predicate, objects: objects, data: statistics, context: context)
        return findings.first { $0.code == .unknownKey }
    }

    private func dependsOnObject(_ query: Query) -> Bool {
        query.predicate != nil || !query.fields.keyPaths.isEmpty
            || query.node.nodes.contains(.expression(.evaluatedObject))
    }

    private func single(_ evaluator: ExpressionEvaluator, _ query: Query) throws(SessionError) -> String {
        let value = try query.evaluating { () throws(EvaluationError) in try evaluator.value(.null) }
        return painter.highlight(ValueText.literal(value, in: zone))
    }

    private func cell(_ result: Result<KeyedValue, EvaluationError>) -> String {
        switch result {
        case .success(let value): return ValueText.literal(value, in: zone).cut(toColumns: 1000)
        case .failure(let error):
            let label = error.code.label.map { ": \($0)" } ?? ""
            return "error: \(error.code.title)\(label)"
        }
    }
}

extension ExpressionEvaluator {
    fileprivate func result(for object: KeyedValue) -> Result<KeyedValue, EvaluationError> {
        Result { () throws(EvaluationError) in try value(object) }
    }
}

// Commands about variables and arguments

extension Session {
    /// `:set LIMIT 18`, `:set LIMIT=18`, `:set`
    func setVariable(_ rest: String) throws(SessionError) -> String {
        guard !rest.isEmpty else { return listVariables() }
        let name = rest.prefix { !$0.isWhitespace && $0 != "=" }
        let word = String(rest.dropFirst(name.count)).trimmed
        let text = word.hasPrefix("=") ? String(word.dropFirst()).trimmed : word
        let bare = name.hasPrefix("$") ? String(name.dropFirst()) : String(name)
        guard !bare.isEmpty, !text.isEmpty else {
            throw SessionError(":set takes a name and a value", hints: [SessionCommand.set.example])
        }
        let value = try SessionError.reading { () throws(ValueError) in
            try ValueWord.value(Self.unquoted(text), in: zone)
        }
        set(bare, value)
        return "$\(bare) = \(ValueText.literal(.value(value), in: zone))"
    }

    /// Removes single quotes, as in a format: `'two words'`
    private static func unquoted(_ text: String) -> String {
        let words = WordSplitter.words(of: text)
        return words.count == 1 ? words[0] : text
    }

    private func listVariables() -> String {
        if context.variables.isEmpty { return "no variables are set; \(SessionCommand.set.example) sets one" }
        return context.variables.sorted { $0.key < $1.key }.map { name, value in
            "$\(name) = \(ValueText.literal(.value(value), in: zone))"
        }.joined(separator: "\n")
    }

    /// `:args 18 "Jo"`, `:args --`, `:args`
    func setArguments(_ rest: String) throws(SessionError) -> String {
        if rest == "--" {
            argumentWords = []
            return "no arguments are set"
        }
        if !rest.isEmpty {
            let words = WordSplitter.words(of: rest)
            try SessionError.reading { () throws(ValueError) in
                for word in words { _ = try ValueWord.value(word, in: zone) }
            }
            argumentWords = words
        }
        if argumentWords.isEmpty { return "no arguments are set; \(SessionCommand.args.example) sets some" }
        return argumentWords.enumerated().map { index, word in
            let value = (try? ValueWord.value(word, in: zone)) ?? .string(word)
            return "\(index + 1): \(ValueText.literal(.value(value), in: zone))"
        }.joined(separator: "\n")
    }
}

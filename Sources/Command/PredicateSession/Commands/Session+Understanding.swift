import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

// Commands that explain a predicate

extension Session {
    /// `:explain`, `:explain 3`, `:explain age > 5`
    func explain(_ rest: String) throws(SessionError) -> String {
        let isNumber = Int(rest) != nil
        let (query, predicate) = try predicate(isNumber ? "" : rest)
        return try explanation(of: predicate, query, object: isNumber ? rest : nil).text
    }

    /// The result of `explain`.
    package struct Explanation {
        package let text: String
        /// The number of objects for which the predicate fails.
        package var failures = 0
    }

    /// Explains the result of a format for the loaded objects, and for one of them, numbered from 1. Throws a ``SessionError``.
    package func explanation(of format: String, words: [String], object: Int?) throws(SessionError) -> Explanation {
        let query = try Query(
            format, words: words, in: zone,
            hint: settings.namesOptions ? "--arg VALUE passes an argument" : Query.argumentHint)
        current = query
        let (_, predicate) = try predicate()
        return try explanation(of: predicate, query, object: object.map { String($0) })
    }

    private func explanation(
        of predicate: FormatPredicate, _ query: Query, object: String?
    ) throws(SessionError) -> Explanation {
        if object == nil, table.isEmpty, settings.namesOptions, source != nil {
            return Explanation(text: Count.matches(0, of: 0))
        }
        try requireObjects()
        let root = try clauses(predicate, query)
        var lines: [String] = []
        if let object { lines = try explain(object, root) + [""] }
        let start = ContinuousClock.now
        var counts = ClauseCounts(root)
        let pass = ObjectPass(root.all.map(\.evaluator), context) { outcomes, row in
            counts.add(outcomes, row)
        }
        try run(pass, task: "explaining")
        lines.append(Count.matches(counts[root].passed, of: pass.count) + time(since: start))
        lines += ClauseTable(counts: counts, width: settings.width, painter: painter).lines
        if counts[root].passed == 0 { lines += kindNotes(predicate) }
        lines += killerNote(counts) + failureNote(counts[root].failures, counts.firstFailure, query)
        return Explanation(text: lines.joined(separator: "\n"), failures: counts[root].failures)
    }

    private func clauses(_ predicate: FormatPredicate, _ query: Query) throws(SessionError) -> Clause {
        try prepare(query)
        return try query.evaluating { () throws(EvaluationError) in
            try Clause.tree(of: predicate, writtenAs: query.predicate, context: context)
        }
    }

    private func explain(_ word: String, _ root: Clause) throws(SessionError) -> [String] {
        let (number, object) = try object(word, .explain, root)
        let explanation = ObjectExplanation(root, object, context: context)
        let tree = ObjectTree(explanation: explanation, width: settings.width, painter: painter, zone: zone)
        return ["object \(number)"] + tree.lines
    }

    /// Returns notes about comparisons with values of a kind that the objects do not have.
    private func kindNotes(_ predicate: FormatPredicate) -> [String] {
        let notes = PredicateNotes.mismatches(
            predicate, DataChecker.scope(table, statistics), mayRead: settings.namesOptions ? { $1 == .uuid } : nil)
        return notes.map { painter.paint("note: \($0)", .notable) }
    }

    /// Returns a note about the clause that no object satisfies, with the values of its left side.
    private func killerNote(_ counts: ClauseCounts) -> [String] {
        guard let killer = counts.killer else { return [] }
        let text = "◀ no object passes \(killer.node.predicateFormat.printable)"
        guard let seen = SeenValues(killer, in: counts.root, table, context), let left = killer.node.leftExpression
        else { return [painter.paint(text, .notable)] }
        let isComplete = seen.isComplete && !isSample
        let sample = isComplete ? "" : ", in the first \(Count.of(seen.total, "object")) that reach it"
        return [painter.paint(text, .notable), "  \(left.expressionFormat) is \(seen.text)\(sample)"]
    }

    /// `:why 3`
    func decide(_ rest: String) throws(SessionError) -> String {
        let (query, predicate) = try predicate()
        try requireObjects()
        guard !rest.isEmpty else {
            throw SessionError(":why takes the number of an object", hints: [SessionCommand.why.example])
        }
        let root = try clauses(predicate, query)
        let (number, object) = try object(rest, .why, root)
        let explanation = ObjectExplanation(root, object, context: context)
        return fitted(Decision(explanation, in: zone).sentence(object: number))
    }

    /// Returns the object that a number means, starting at 1.
    private func object(
        _ word: String, _ command: SessionCommand, _ root: Clause
    ) throws(SessionError) -> (number: Int, object: KeyedValue) {
        try requireObjects()
        let hint = settings.namesOptions ? "" : ": \(command.example)"
        let keys = RecordPaths(root.node, variables: context.variables).roots
        return (Int(word) ?? 0, try object(Int(word), word, hint: hint, typed: keys))
    }
}

// MARK: - Checking

extension Session {
    /// `:check`, `:check age > 5 AND age < 3`
    func check(_ rest: String) throws(SessionError) -> String {
        let query = try query(rest)
        guard case .predicate(let predicate) = query.content else {
            throw SessionError("\(query.printed) is an expression", hints: [SessionCommand.check.example])
        }
        try follow(query)
        let found = try findings(predicate)
        if found.isEmpty {
            return painter.paint("no problems found", .good)
                + (table.isEmpty ? "; more can be checked with data" : "")
        }
        return found.map { painter.paint(finding: fitted($0.description)) }.joined(separator: "\n")
    }

    /// Returns the findings for a format, using the loaded data or the schema in `scope`. Throws a ``SessionError`` if the
    /// format is not a predicate.
    package func findings(
        in format: String, words: [String], scope: CheckScope? = nil
    ) throws(SessionError) -> [PredicateFinding] {
        let needed = FormatPredicate.specifiers(in: format)
        let isOpen = words.count < needed.count
        let query = try Query(format, words: isOpen ? needed.map(\.kind.placeholder) : words, in: zone)
        guard case .predicate(let predicate) = query.content else {
            throw SessionError("expected a predicate, found an expression: \(query.printed)")
        }
        try follow(query)
        return try findings(predicate, open: isOpen ? needed.map(OpenPart.init) : [], scope: scope)
    }

    /// Returns findings about comparisons that hold for no loaded object, but would hold for some if case and accents were
    /// ignored.
    package func differencesInCase(_ predicate: FormatPredicate) -> [PredicateFinding] {
        ((try? findings(predicate)) ?? []).filter { $0.code == .caseDiffers }
    }

    private func findings(
        _ predicate: FormatPredicate, open: [OpenPart] = [], scope: CheckScope? = nil
    ) throws(SessionError) -> [PredicateFinding] {
        let predicate = try reading(predicate)
        let findings = DataChecker.findings(
            in: predicate, open: open, objects: objects, data: table.isEmpty ? nil : statistics, scope: scope,
            context: context)
        if environment.isCancelled() { throw SessionError("stopped") }
        return findings
    }
}

extension Painter {
    /// Returns the text of a finding with its code in colour.
    package func paint(finding text: String) -> String {
        guard isColoured, let colon = text.firstIndex(of: ":") else { return text }
        return paint(String(text[...colon]), .notable) + paint(error: String(text[text.index(after: colon)...]))
    }
}

extension FormatSpecifier.Kind {
    /// A valid argument for the specifier.
    package var placeholder: String {
        switch self {
        case .value, .text: "argument"
        case .keyPath: "key"
        case .integer: "1"
        case .floatingPoint: "1.5"
        }
    }
}

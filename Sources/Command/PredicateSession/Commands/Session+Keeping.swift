import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateQuery
import PredicateSyntax

// Help, and the command that writes conformance records

extension Session {
    /// `:save session.cases`
    func save(_ rest: String) throws(SessionError) -> String {
        guard !rest.isEmpty else { throw SessionError(":save takes a file", hints: [SessionCommand.save.example]) }
        guard !history.isEmpty else { throw SessionError("there is no predicate to save yet") }
        let path = rest.hasSuffix(".cases") ? rest : rest + ".cases"
        let text = CaseRecords(session: self).text
        do throws(DataError) { try environment.create(path).write(text) } catch {
            throw SessionError(error, in: path)
        }
        return "\(Count.of(history.count, "record")) in \(path)"
    }

    /// `:help`, `:help explain`, `:help strings`
    func help(_ rest: String) throws(SessionError) -> String {
        guard !rest.isEmpty else { return helpOverview }
        if let topic = LanguageTopic.named(rest) { return topic.text(width: settings.width) }
        let command = try SessionCommandLine(rest.hasPrefix(":") ? rest : ":" + rest).command
        return "\(command.usage)\n\(command.summary).\nexample: \(command.example)"
    }

    private var helpOverview: String {
        let intro = """
            A line that does not begin with a colon is a predicate or an expression:
              age > 21 AND name BEGINSWITH[c] "j"
              length:(name) + 1
            A predicate shows which objects match, an expression its value for each object. A line continues on the \
            next one while a bracket or a quote is open, and after an operator. Tab completes words, Ctrl-R searches \
            the history, Ctrl-C cancels the line. A command applies to the last predicate, or to the FORMAT after it, \
            which then becomes the last one. :help language explains predicates.
            """
        let head = intro.split(separator: "\n").flatMap { line in
            line.first == " " ? [String(line)] : Paragraph.lines(of: String(line), width: settings.width)
        }
        return (head + [""] + SessionCommand.allCases.flatMap(helpLines)).joined(separator: "\n")
    }

    /// Returns the help for a command: its usage, followed by the summary and an example or, on a narrow terminal, above them.
    private func helpLines(_ command: SessionCommand) -> [String] {
        let column = (SessionCommand.allCases.map { $0.usage.count }.max() ?? 0) + 2
        let isNarrow = settings.width < column + (SessionCommand.allCases.map { $0.example.count }.max() ?? 0)
        let indent = String(repeating: " ", count: isNarrow ? 4 : column)
        let lines =
            Paragraph.lines(of: command.summary, width: settings.width - indent.count)
            + [painter.paint(command.example, .faint)]
        let usage = painter.paint(command.usage, .heading)
        if isNarrow { return [usage] + lines.map { indent + $0 } }
        let space = String(repeating: " ", count: column - command.usage.count)
        return [usage + space + lines[0]] + lines.dropFirst().map { indent + $0 }
    }
}

/// The predicates of a session as conformance records, with their results for some of the objects.
private struct CaseRecords {
    private static let rows = 3

    let session: Session

    var text: String {
        let head = "# Written by a session of predicate.\n"
        let records = session.history.enumerated().map { record($1, number: $0 + 1) }
        return ([head] + records).joined(separator: "\n")
    }

    private func record(_ query: Query, number: Int) -> String {
        let isExpression = if case .expression = query.content { true } else { false }
        var lines = [
            "case     session \(number)", field(isExpression ? "expression" : "format", query.format),
        ]
        if !query.arguments.isEmpty { lines.append("args     " + CaseNotation.argument(.array(query.arguments))) }
        let used = query.fields.variables
        let values = session.context.variables.filter { used.contains($0.key) }
        if !values.isEmpty { lines.append("vars     " + CaseNotation.entries(values)) }
        lines.append(field("prints", query.printed))
        return (lines + rows(query)).joined(separator: "\n") + "\n"
    }

    /// Returns a field of a record. A string with line breaks becomes a JSON string.
    private func field(_ name: String, _ text: String) -> String {
        let fitsOnLine = text == text.trimmed && !text.contains(where: \.isNewline)
        let written = fitsOnLine ? text : JSONWriter().text(of: .string(text))
        return (fitsOnLine ? name : name + "json").padded(toColumns: 8) + " " + written
    }

    private func rows(_ query: Query) -> [String] {
        let table = session.table
        var matching: [Int] = []
        var others: [Int] = []
        for index in 0..<min(table.count, 1000) where matching.count < Self.rows || others.count < Self.rows {
            guard let result = result(query, table[index]) else { continue }
            if result == "true", matching.count < Self.rows { matching.append(index) }
            if result != "true", others.count < Self.rows { others.append(index) }
        }
        return (matching + others).sorted().compactMap { index in
            guard let object = table[index].predicateValue, let result = result(query, table[index]) else { return nil }
            return "row      \(CaseNotation.object(object))   \(result)"
        }
    }

    private func result(_ query: Query, _ object: KeyedValue) -> String? {
        switch query.content {
        case .predicate(let predicate):
            return (try? PredicateEvaluator(predicate, context: session.context).evaluate(object)).map(String.init)
        case .expression(let expression):
            let evaluator = try? ExpressionEvaluator(expression, context: session.context)
            return (try? evaluator?.value(object))?.predicateValue.map { "= " + CaseNotation.object($0) }
        }
    }
}

/// Values in the notation of conformance records: JSON with tags for other types.
enum CaseNotation {
    /// Returns an argument or a variable: `{"date": "2024-01-01T00:00:00Z"}`
    static func argument(_ value: PredicateValue) -> String { JSONWriter().text(of: marked(value, mark: "")) }

    /// Returns an object: `{"$date": "2024-01-01T00:00:00Z"}`
    static func object(_ value: PredicateValue) -> String { JSONWriter().text(of: marked(value, mark: "$")) }

    /// Returns the values of variables by name.
    static func entries(_ values: [String: PredicateValue]) -> String {
        JSONWriter().text(of: .dictionary(values.mapValues { marked($0, mark: "") }))
    }

    private static func marked(_ value: PredicateValue, mark: String) -> PredicateValue {
        func tagged(_ name: String, _ payload: PredicateValue) -> PredicateValue { .dictionary([mark + name: payload]) }
        func text(_ value: PredicateValue) -> PredicateValue { .string(JSONWriter().text(of: value).unquoted) }
        switch value {
        case .null, .bool, .integer, .double, .string: return value
        case .nullObject: return tagged("nsnull", .bool(true))
        case .decimal: return tagged("decimal", text(value))
        case .date: return tagged("date", text(value))
        case .data: return tagged("data", text(value))
        case .uuid: return tagged("uuid", text(value))
        case .url: return tagged("url", text(value))
        case .type(let type): return tagged("class", .string(type.name))
        case .array(let values): return .array(values.map { marked($0, mark: mark) })
        case .orderedSet(let values): return tagged("orderedset", .array(values.map { marked($0, mark: mark) }))
        case .set(let values): return tagged("set", .array(values.map { marked($0, mark: mark) }))
        case .dictionary(let members):
            let inner = PredicateValue.dictionary(members.mapValues { marked($0, mark: mark) })
            return mark.isEmpty ? tagged("dict", inner) : inner
        case .expression(let node): return tagged("expression", .string(node.expressionFormat))
        case .predicate(let node): return tagged("predicate", .string(node.predicateFormat))
        case .object: return .null
        }
    }
}

extension String {
    /// The string without enclosing quotes.
    fileprivate var unquoted: String { hasPrefix("\"") ? String(dropFirst().dropLast()) : self }
}

import PredicateSyntax

/// The values of lists.
extension QueryParser {
    /// `DISTINCT country, avg(age) AS a`, `*`
    mutating func parseSelection(_ list: Range<Int>, isGrouped: Bool) throws {
        var list = list
        if tokens.word(list.lowerBound) == "DISTINCT", !list.isEmpty {
            query.isDistinct = true
            list = list.dropFirst()
        }
        places.ranges[.list] = tokens.range(list)
        if list.isEmpty || list.count == 1 && tokens.isSymbol(.asterisk, list.lowerBound) { return }
        if let word = foreignWord(in: list) {
            throw error(.foreignClause(tokens.text(tokens.entries[word].range)), tokens.entries[word].range)
        }
        let items = tokens.items(list)
        let areCalls = items.allSatisfy { AggregateCall(tokens.text(tokens.range(divided($0).value))) != nil }
        query.keys = []
        for (index, item) in items.enumerated() {
            let key = try parseItem(item, .key(index), nil, takesAggregates: isGrouped || areCalls)
            query.keys?.append(key)
        }
    }

    /// The index of SELECT at the beginning of a list, or of FROM within it, if the word can only be meant as SQL.
    private func foreignWord(in list: Range<Int>) -> Int? {
        list.first { index in
            guard let word = tokens.word(index), index + 1 < list.upperBound else { return false }
            let isBeforeName = tokens.word(index + 1) != nil && tokens.word(index + 1) != "AS"
            switch word {
            case "SELECT": return index == list.lowerBound && (isBeforeName || tokens.isSymbol(.asterisk, index + 1))
            case "FROM": return index > list.lowerBound && isBeforeName && !tokens.isSymbol(.comma, index - 1)
            default: return false
            }
        }
    }

    /// `city, year(born) AS year`
    mutating func parseValues(
        _ content: Range<Int>, _ clause: QueryClause, _ part: (Int) -> QueryPart = { .limitKey($0) }
    ) throws -> [ResultKey] {
        let items = tokens.items(content)
        guard !items.isEmpty else { throw error(.expectedValue, tokens.range(content)) }
        var values: [ResultKey] = []
        for (index, item) in items.enumerated() {
            values.append(try parseItem(item, part(index), clause, takesAggregates: false))
        }
        return values
    }

    /// `avg(age) AS a`. In the list, `clause` is nil.
    private mutating func parseItem(
        _ item: Range<Int>, _ part: QueryPart, _ clause: QueryClause?, takesAggregates: Bool
    ) throws -> ResultKey {
        let (value, alias) = divided(item)
        let name = try alias.map { try parseResultName($0) }
        let range = tokens.range(value)
        places.ranges[part] = range
        if takesAggregates, let call = AggregateCall(tokens.text(range)) {
            return ResultKey(name ?? call.name, try parseAggregateCall(call, range, part))
        }
        if let code = mistake(value, clause) { throw error(code, range) }
        let content = ResultKey.Content(try parseValue(value))
        if case .keyPath(let path) = content { return ResultKey(name ?? path, content) }
        return ResultKey(name ?? tokens.text(range), content)
    }

    /// Divides an item at the last AS.
    private func divided(_ item: Range<Int>) -> (value: Range<Int>, name: Range<Int>?) {
        guard let word = item.dropFirst().last(where: { tokens.word($0) == "AS" }) else { return (item, nil) }
        return (item.lowerBound..<word, word + 1..<item.upperBound)
    }

    /// `a`, `"the average"`, `net-price`
    private func parseResultName(_ name: Range<Int>) throws(QueryFormatError) -> String {
        let range = tokens.range(name)
        let text = tokens.text(range)
        if let text = text.unquoted, !text.isEmpty { return text }
        guard !text.isEmpty, !text.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "'" }) else {
            throw error(.expectedName, range)
        }
        return text
    }

    /// `avg(age)`
    mutating func parseAggregateCall(
        _ call: AggregateCall, _ range: Range<Int>, _ part: QueryPart?
    ) throws -> ResultKey.Content {
        guard let aggregate = call.aggregate else { return .count }
        let start = range.lowerBound + call.operandOffset
        let operand = start..<start + call.operand.utf8.count
        if let part { places.ranges[part] = operand }
        return ResultKey.Content(aggregate, of: try parseExpression(operand))
    }

    /// The mistake in an item that is not an expression; nil if there is none.
    func mistake(_ value: Range<Int>, _ clause: QueryClause?) -> QueryFormatError.Code? {
        if value.isEmpty { return .expectedValue }
        if value.count == 1, tokens.isSymbol(.asterisk, value.lowerBound) { return .wholeRowsBesideValues }
        guard let (name, _) = aggregateWord(in: value) else { return nil }
        let text = tokens.text(tokens.range(value))
        guard OutputList.isCall(text) else { return .misplacedAggregate(name, clause: "an expression") }
        guard AggregateCall(text) != nil else { return .aggregateArguments(name) }
        return clause.map { .misplacedAggregate(name, clause: $0.rawValue) } ?? .aggregateWithoutGroups(name)
    }

    private mutating func parseValue(_ value: Range<Int>) throws -> FormatExpression {
        guard !value.isEmpty else { throw error(.expectedValue, tokens.range(value)) }
        return try parseExpression(tokens.range(value))
    }
}

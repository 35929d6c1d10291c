import PredicateSyntax

/// The keys of ORDER BY.
extension QueryParser {
    /// `a DESC, name[c] NUMERIC NULLS LAST`
    mutating func parseOrder(_ section: QuerySection) throws {
        let items = tokens.items(section.content)
        guard !items.isEmpty else { throw error(.expectedValue, tokens.range(section.content)) }
        let isGrouped = query.groups != nil || query.keys?.allSatisfy(\.isAggregate) == true
        let keys = isGrouped ? (query.keys ?? []).map { ($0.content, $0.name) } : nil
        let names = keys.map { Dictionary($0) { first, _ in first } }
        for (index, item) in items.enumerated() {
            query.sortKeys.append(try parseSortKey(item, .sortKey(index), names))
        }
    }

    /// `-name[cd] NUMERIC ASC NULLS FIRST`, `avg(age)`. `names` contains the names of groups' values; nil without groups.
    private mutating func parseSortKey(
        _ item: Range<Int>, _ part: QueryPart, _ names: [ResultKey.Content: String]?
    ) throws -> SortKey {
        var (value, order) = (item, SortKey(""))
        if let word = trailing(["FIRST", "LAST"], &value, after: "NULLS") {
            order.nils = word == "FIRST" ? .first : .last
        }
        if trailing(["ASC", "DESC"], &value) == "DESC" { order.ascending = false }
        order.isNumeric = trailing(["NUMERIC"], &value) != nil
        if value.count > 1, tokens.isSymbol(.hyphen, value.lowerBound) {
            value = value.dropFirst()
            order.ascending.toggle()
        }
        if let options = options(at: value) {
            order.options = options
            value = value.dropLast(3)
        }
        places.ranges[part] = tokens.range(value)
        return try sortKey(of: value, order, names)
    }

    private mutating func sortKey(
        of value: Range<Int>, _ order: SortKey, _ names: [ResultKey.Content: String]?
    ) throws -> SortKey {
        let range = tokens.range(value)
        if let names, let call = AggregateCall(tokens.text(range)) {
            guard let name = names[try parseAggregateCall(call, range, nil)] else {
                throw error(.misplacedAggregate(call.name, clause: QueryClause.orderBy.rawValue), range)
            }
            return order.of(FormatExpression(keyPath: name))
        }
        if let code = mistake(value, .orderBy) { throw error(code, range) }
        return order.of(try parseExpression(range))
    }

    /// Removes one of these words from the end of an item, and `first` before it if given, unless nothing would be left.
    private func trailing(_ words: [String], _ item: inout Range<Int>, after first: String? = nil) -> String? {
        let count = first == nil ? 1 : 2
        guard item.count > count, let word = tokens.word(item.upperBound - 1), words.contains(word),
            first == nil || tokens.word(item.upperBound - 2) == first
        else { return nil }
        item = item.dropLast(count)
        return word
    }

    /// The options in brackets directly after a value: `name[cd]`.
    private func options(at value: Range<Int>) -> ComparisonOptions? {
        guard value.count > 3, tokens.isSymbol(.openBracket, value.upperBound - 3),
            tokens.isSymbol(.closeBracket, value.upperBound - 1)
        else { return nil }
        let bracket = tokens.entries[value.upperBound - 3].range
        guard tokens.entries[value.upperBound - 4].range.upperBound == bracket.lowerBound else { return nil }
        return ComparisonOptions(letters: tokens.text(tokens.entries[value.upperBound - 2].range))
    }
}

extension ComparisonOptions {
    /// Makes options from their letters: `cd`; nil for other text.
    fileprivate init?(letters: String) {
        let all: [Character: ComparisonOptions] = [
            "c": .caseInsensitive, "d": .diacriticInsensitive, "n": .normalized, "l": .localeSensitive,
        ]
        self = []
        for letter in letters.lowercased() {
            guard let option = all[letter] else { return nil }
            insert(option)
        }
    }
}

import PredicateSyntax

/// Writes a query as a text that parses to an equal query.
///
/// AS is left out if the item has the name anyway. A value that contains a clause word by itself, such as the key `limit`, is
/// written in parentheses.
struct QueryPrinter {
    private(set) var text = ""
    /// The constants that have no literal, if they are printed as arguments.
    private(set) var arguments: [PredicateValue] = []
    /// The first part that cannot be written as text at all, if constants are printed as arguments.
    private(set) var failure: PredicateArchiveError?
    private let drawsOut: Bool

    /// Prints a query. If `drawsOut` is true, constants without a literal become arguments of `%@`.
    init(_ query: FormatQuery, drawsOut: Bool = false) {
        self.drawsOut = drawsOut
        write(query.isDistinct ? "DISTINCT " : "")
        write(query.keys.map { keys in list(keys) { $0.item($1) } } ?? "*")
        if let predicate = query.predicate { write(" WHERE " + condition(predicate)) }
        print(query.groups, of: query.keys)
        if let having = query.having { write(" HAVING " + condition(having)) }
        if let limit = query.limitByKey {
            write(" LIMIT \(limit.limit) BY " + list(limit.keys) { $0.item($1) })
        }
        if !query.sortKeys.isEmpty { write(" ORDER BY " + list(query.sortKeys) { $0.item($1) }) }
        print(query.page)
    }

    /// The text of one value, for errors.
    static func text(_ key: ResultKey) -> String {
        var printer = QueryPrinter(FormatQuery())
        return printer.item(key)
    }

    private mutating func write(_ piece: String) { text += piece }

    private mutating func list<Item>(_ items: [Item], _ print: (inout QueryPrinter, Item) -> String) -> String {
        items.map { print(&self, $0) }.joined(separator: ", ")
    }

    /// Prints GROUP BY, unless the list consists of aggregates for one group of all objects.
    private mutating func print(_ groups: [ResultKey]?, of keys: [ResultKey]?) {
        guard let groups else { return }
        if groups.isEmpty, let keys, keys.allSatisfy(\.isAggregate) { return }
        write(" GROUP BY " + (groups.isEmpty ? "()" : list(groups) { $0.item($1) }))
    }

    private mutating func print(_ page: FormatQuery.Page) {
        switch page {
        case .last(let count): write(" LAST \(count)")
        case .first(let limit, let offset):
            if let limit { write(" LIMIT \(limit)") }
            if offset != 0 { write(" OFFSET \(offset)") }
        }
    }
}

// MARK: - Items

extension QueryPrinter {
    /// `avg(age) AS a`
    private mutating func item(_ key: ResultKey) -> String {
        let (text, name) = value(of: key)
        return key.name == name ? text : "\(text) AS \(Self.written(name: key.name))"
    }

    /// The text of a value, and the name that it has without AS.
    private mutating func value(of key: ResultKey) -> (text: String, name: String) {
        guard key.isAggregate else {
            let text = key.operand.map { separate(expression($0)) } ?? ""
            if case .keyPath(let path) = key.content { return (text, path) }
            return (text, text)
        }
        let operand = key.operand.map { argument(expression($0)) } ?? ""
        let name = AggregateCall.name(key.aggregate, of: operand)
        guard let aggregate = key.aggregate else { return ("count()", name) }
        switch aggregate {
        case .countDistinct: return ("count(DISTINCT \(operand))", name)
        case .percentile(let percent): return ("percentile(\(operand), \(Self.written(percent)))", name)
        case .joined(let separator): return ("joined(\(operand), \(Self.quoted(separator)))", name)
        case .count, .sum, .average, .minimum, .maximum, .median, .standardDeviation:
            return ("\(aggregate.name)(\(operand))", name)
        }
    }

    /// `-price NULLS LAST`: a sort key.
    private mutating func item(_ key: SortKey) -> String {
        var text = separate(expression(key.value))
        if text.hasPrefix("-") || text.hasSuffix("]") { text = "(\(text))" }
        text += key.options.spelling + (key.isNumeric ? " NUMERIC" : "") + (key.ascending ? "" : " DESC")
        switch key.nils {
        case .first?: return text + " NULLS FIRST"
        case .last?: return text + " NULLS LAST"
        case nil: return text
        }
    }

    private static func written(name: String) -> String {
        name.isIdentifier && !words.contains(name.uppercased()) ? name : quoted(name)
    }

    private static func quoted(_ text: String) -> String {
        FormatExpression(.constantValue(.string(text))).expressionFormat
    }

    /// `95`, `99.9`
    private static func written(_ percent: Double) -> String {
        Int(exactly: percent).map(String.init) ?? percent.description
    }
}

// MARK: - Expressions

extension QueryPrinter {
    private mutating func expression(_ expression: FormatExpression) -> String {
        guard drawsOut else { return expression.expressionFormat }
        return drawnOut { () throws(PredicateArchiveError) in try EncodedFormat(expression) }
    }

    private mutating func condition(_ predicate: FormatPredicate) -> String {
        guard drawsOut else { return separate(predicate.predicateFormat) }
        return separate(drawnOut { () throws(PredicateArchiveError) in try EncodedFormat(predicate) })
    }

    private mutating func drawnOut(_ encode: () throws(PredicateArchiveError) -> EncodedFormat) -> String {
        do throws(PredicateArchiveError) {
            let encoded = try encode()
            arguments += encoded.arguments ?? []
            return encoded.format
        } catch {
            failure = failure ?? error
            return error.text
        }
    }

    /// Words that have a meaning in a query, outside brackets.
    private static let words: Set<String> = [
        "WHERE", "GROUP", "HAVING", "LIMIT", "BY", "DISTINCT", "ON", "ORDER", "OFFSET", "LAST", "AS", "ASC", "DESC",
        "NUMERIC", "NULLS", "SELECT", "FROM",
    ]

    /// The text, in parentheses if it contains a clause word or is a call of an aggregate.
    private func separate(_ text: String) -> String {
        let tokens = QueryTokens(text)
        let hasWord = tokens.entries.indices.contains { tokens.word($0).map(Self.words.contains) ?? false }
        return hasWord || AggregateCall(text) != nil ? "(\(text))" : text
    }

    /// The text as the operand of an aggregate.
    private func argument(_ text: String) -> String {
        text.hasPrefix("{") || text.lowercased().hasPrefix("distinct ") ? "(\(text))" : text
    }
}

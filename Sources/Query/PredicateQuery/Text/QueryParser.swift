import PredicateSyntax

/// A part of a query that has a place in its text.
enum QueryPart: Hashable {
    /// The list of values, or `*`.
    case list
    /// A value in the list; for an aggregate, its operand.
    case key(Int)
    case predicate
    case group(Int)
    case having
    case limitKey(Int)
    case sortKey(Int)
    /// The number in `LIMIT n BY`, and the numbers of the clauses at the end.
    case limit, page
}

/// The text of a query and the places of its parts.
struct QueryPlaces {
    let text: String
    /// UTF-8 offsets into the text.
    var ranges: [QueryPart: Range<Int>] = [:]
}

/// A parser of queries, with one function for each production of Grammar/Query.ebnf.
///
/// The parser looks for clauses among the language's tokens. It parses each expression and predicate as a format of its own,
/// with the arguments for its specifiers, and moves their errors to their places in the query.
struct QueryParser {
    let tokens: QueryTokens
    let arguments: [PredicateValue]
    let options: FormatOptions
    var places: QueryPlaces
    var query = FormatQuery()
    var drawn = 0
    var nodes = 0

    init(_ text: String, _ arguments: [PredicateValue], _ options: FormatOptions) {
        (self.arguments, self.options) = (arguments, options)
        places = QueryPlaces(text: text)
        tokens = QueryTokens(text.utf8.count <= options.limits.formatLength ? text : "")
    }

    /// Parses the text.
    /// - Throws: `PredicateFormatError` or ``QueryFormatError``.
    mutating func parse() throws -> FormatQuery {
        let (limit, length) = (options.limits.formatLength, places.text.utf8.count)
        guard length <= limit else { throw PredicateFormatError(.formatTooLong(limit: limit)) }
        try check(arguments.count, .arguments)
        try parseQuery()
        if options.surplusArguments == .refused, drawn < arguments.count {
            let code = PredicateFormatError.Code.surplusArguments(expected: drawn, found: arguments.count)
            throw PredicateFormatError(code, text: places.text, range: 0..<length)
        }
        query.settle()
        try QueryRules(query, places).check()
        return query
    }

    func check(_ count: Int, _ limit: PredicateLimits.Limit) throws(PredicateFormatError) {
        let most = options.limits[limit]
        guard count > most else { return }
        throw PredicateFormatError(.exceeds(limit, limit: most), text: places.text, range: 0..<tokens.length)
    }
}

// MARK: - Clauses

extension QueryParser {
    /// `DISTINCT country, avg(age) WHERE age > 20 GROUP BY country LIMIT 10`
    private mutating func parseQuery() throws {
        var (list, clauses) = tokens.sections
        if list.isEmpty, let first = clauses.first, first.clause == .distinctOn {
            clauses.removeFirst()
            list = try parseDistinctOn(first)
        }
        try checkOrder(clauses)
        try parseSelection(list, isGrouped: clauses.contains { $0.clause == .groupBy })
        for clause in clauses { try parseClause(clause) }
    }

    private func checkOrder(_ clauses: [QuerySection]) throws(QueryFormatError) {
        for (index, section) in clauses.enumerated() {
            for earlier in clauses[..<index] {
                let (clause, other) = (section.clause, earlier.clause)
                if clause.excludes(other) {
                    throw error(.repeatedClause(clause.rawValue, after: other.rawValue), tokens.range(section.words))
                }
                if clause.place < other.place {
                    throw error(.clauseOrder(clause.rawValue, before: other.rawValue), tokens.range(section.words))
                }
            }
        }
    }

    private mutating func parseClause(_ section: QuerySection) throws {
        switch section.clause {
        case .where: query.predicate = try parseCondition(section, .predicate)
        case .having: query.having = try parseCondition(section, .having)
        case .groupBy: query.groups = try parseGroups(section)
        case .limitBy: try parseLimitBy(section)
        case .distinctOn: query.limitByKey = .init(1, by: try parseValues(section.content, section.clause))
        case .orderBy: try parseOrder(section)
        case .limit, .offset, .last: try parsePage(section)
        }
    }

    /// `age > 20`
    private mutating func parseCondition(_ section: QuerySection, _ part: QueryPart) throws -> FormatPredicate {
        let range = tokens.range(section.content)
        places.ranges[part] = range
        if let (name, word) = aggregateWord(in: section.content) {
            throw error(.misplacedAggregate(name, clause: section.clause.rawValue), word)
        }
        let (piece, options) = (piece(range), options)
        let predicate = try piece.parse { format, arguments throws(PredicateFormatError) in
            try FormatPredicate(format: format, arguments: arguments, options: options)
        }
        try count(.predicate(predicate.node))
        return predicate
    }

    /// The name before a parenthesis that is an aggregate and not a function of the language.
    func aggregateWord(in content: Range<Int>) -> (name: String, range: Range<Int>)? {
        for index in content where tokens.isSymbol(.openParenthesis, index + 1) && !tokens.isSymbol(.dot, index - 1) {
            let name = tokens.text(tokens.entries[index].range).lowercased()
            let isCount = name == "count" && countsRows(at: index + 2)
            if isCount || ["avg", "percentile", "joined"].contains(name) { return (name, tokens.entries[index].range) }
        }
        return nil
    }

    /// True if the contents of the parentheses are those of `count()`, `count(*)` or `count(DISTINCT a)`.
    private func countsRows(at index: Int) -> Bool {
        guard index < tokens.entries.count else { return false }
        return [")", "*", "DISTINCT"].contains(tokens.text(tokens.entries[index].range).uppercased())
    }

    /// `country, year(born) AS year`, `()`
    private mutating func parseGroups(_ section: QuerySection) throws -> [ResultKey] {
        let content = section.content
        if content.count == 2, tokens.isSymbol(.openParenthesis, content.lowerBound),
            tokens.isSymbol(.closeParenthesis, content.lowerBound + 1)
        {
            return []
        }
        return try parseValues(content, section.clause) { .group($0) }
    }

    /// `3 BY city, street`
    private mutating func parseLimitBy(_ section: QuerySection) throws {
        let limit = try parseRowCount(section.content.prefix(1), section.clause, .limit)
        let keys = try parseValues(section.content.dropFirst(2), section.clause)
        query.limitByKey = .init(limit, by: keys)
    }

    /// `(city, street) name, age`, before a list; returns the list.
    private mutating func parseDistinctOn(_ section: QuerySection) throws -> Range<Int> {
        var (keys, list) = (section.content, section.content.upperBound..<section.content.upperBound)
        let close = keys.first.flatMap { first in
            keys.dropFirst().first { tokens.entries[$0].depth == tokens.entries[first].depth }
        }
        if let first = keys.first, let close, tokens.isSymbol(.openParenthesis, first), close + 1 < keys.upperBound,
            !tokens.isSymbol(.comma, close + 1)
        {
            (keys, list) = (first + 1..<close, close + 1..<keys.upperBound)
        }
        query.limitByKey = .init(1, by: try parseValues(keys, section.clause))
        return list
    }

    /// `10`
    private mutating func parsePage(_ section: QuerySection) throws {
        let number = try parseRowCount(section.content, section.clause, .page)
        guard section.clause != .last, case .first(let limit, let offset) = query.page else {
            query.page = .last(number)
            return
        }
        query.page =
            section.clause == .limit ? .first(limit: number, offset: offset) : .first(limit: limit, offset: number)
    }

    private mutating func parseRowCount(
        _ content: Range<Int>, _ clause: QueryClause, _ part: QueryPart
    ) throws -> Int {
        let range = tokens.range(content)
        places.ranges[part] = range
        let name = clause == .limitBy ? QueryClause.limit.rawValue : clause.rawValue
        guard content.count == 1, let first = content.first else { throw error(.expectedNumber(name), range) }
        switch tokens.entries[first].kind {
        case .token(.integer):
            if let number = Int(tokens.text(range)) { return number }
        case .token(.specifier(.value)), .token(.specifier(.integer)):
            guard drawn < arguments.count else {
                throw PredicateFormatError(.missingArgument(index: drawn), text: places.text, range: range)
            }
            drawn += 1
            if case .integer(let value) = arguments[drawn - 1], let number = Int(exactly: value), number >= 0 {
                return number
            }
        case .token, .error: break
        }
        throw error(.expectedNumber(name), range)
    }
}

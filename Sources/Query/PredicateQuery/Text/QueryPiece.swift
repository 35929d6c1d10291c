import PredicateSyntax

/// The expressions and predicates of a query.
extension QueryParser {
    mutating func parseExpression(_ range: Range<Int>) throws -> FormatExpression {
        let (piece, options) = (piece(range), options)
        let expression = try piece.parse { format, arguments throws(PredicateFormatError) in
            try FormatExpression(ofQuery: format, arguments: arguments, options: options)
        }
        try count(.expression(expression.node))
        return expression
    }

    /// Makes a piece of the text in a range, and takes the arguments of its specifiers.
    mutating func piece(_ range: Range<Int>) -> QueryPiece {
        let own = arguments.dropFirst(drawn).prefix(tokens.specifiers(in: range))
        defer { drawn += own.count }
        return QueryPiece(query: places.text, format: tokens.text(range), offset: range.lowerBound, arguments: own)
    }

    /// Adds to the number of nodes. The limit for one tree applies to all trees of a query together.
    mutating func count(_ tree: TreeNode) throws(PredicateFormatError) {
        nodes += tree.count
        try check(nodes, .nodes)
    }

    func error(_ code: QueryFormatError.Code, _ range: Range<Int>) -> QueryFormatError {
        QueryFormatError(code, text: places.text, range: range)
    }
}

/// An expression or a predicate in the text of a query.
struct QueryPiece {
    let query: String
    let format: String
    /// The UTF-8 offset of the format in the query.
    let offset: Int
    /// The arguments of its specifiers.
    let arguments: ArraySlice<PredicateValue>

    /// Parses the format. Errors are placed in the query.
    func parse<Result>(
        _ body: (String, [PredicateValue]) throws(PredicateFormatError) -> Result
    ) throws(PredicateFormatError) -> Result {
        do throws(PredicateFormatError) {
            return try body(format, Array(arguments))
        } catch {
            throw error.moved(to: offset, in: query, arguments: arguments.startIndex)
        }
    }
}

extension FormatExpression {
    /// Parses an expression, which may call a function that the language does not have: `year(joined)`. Such a call is parsed
    /// within parentheses, as an operand would be.
    package init(
        ofQuery format: String, arguments: [PredicateValue], options: FormatOptions = FormatOptions()
    ) throws(PredicateFormatError) {
        do throws(PredicateFormatError) {
            try self.init(format: format, arguments: arguments, options: options)
        } catch {
            guard case .unknownFunction = error.code else { throw error }
            let operand = try FormatExpression(format: "(\(format))", arguments: arguments, options: options)
            let ranges = operand.source?.ranges.map { $0.lowerBound - 1..<$0.upperBound - 1 }
            self.init(operand.node, source: ranges.map { PredicateSourceMap(text: format, ranges: $0) })
        }
    }
}

extension PredicateFormatError {
    /// The same error in a longer text, which contains the format at `offset` and after that number of `arguments`.
    func moved(to offset: Int, in text: String, arguments: Int = 0) -> PredicateFormatError {
        var moved = self
        (moved.text, moved.range) = (text, range.lowerBound + offset..<range.upperBound + offset)
        if case .missingArgument(let index) = code { moved.code = .missingArgument(index: index + arguments) }
        if case .argumentKind(let index, let expected, let found) = code {
            moved.code = .argumentKind(index: index + arguments, expected: expected, found: found)
        }
        return moved
    }
}

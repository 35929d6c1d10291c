/// The two kinds of text that are parsed whole.
extension Parser {
    /// A predicate and nothing after it: `age >= 21`.
    mutating func parseFormat() throws(PredicateFormatError) -> PredicateNode {
        guard token.kind != .end else { throw error(.emptyFormat, at: token.range) }
        let term = try parseDisjunction()
        guard token.kind == .end else { throw unexpectedToken(after: term.sort) }
        let node = try predicate(term)
        try checkArguments()
        return node
    }

    /// An expression and nothing after it: `age + 1`. [NSP-017]
    mutating func parseExpressionFormat() throws(PredicateFormatError) -> ExpressionNode {
        guard token.kind != .end else { throw error(.expectedExpression, at: token.range) }
        let first = token
        let term = try parseDisjunction()
        guard term.sort == .expression else {
            throw error(.predicateIsNotAnExpression, at: term.start..<previous.end)
        }
        let node = try value(term).node
        guard token.kind == .end else { throw unexpectedToken(after: nil) }
        if first.kind == .word { try checkBareCall(node, name: first) }
        try checkArguments()
        return node
    }

    /// A call alone must name a function that the language knows; with a colon it is a host's. [NSP-018]
    private func checkBareCall(_ node: ExpressionNode, name: Token) throws(PredicateFormatError) {
        guard case .function(let call) = node, case .custom(let function) = call.function,
            !function.contains(":"), name.end - name.start == function.utf8.count
        else { return }
        let names = PredefinedFunction.allCases.map(\.rawValue)
        let nearMisses = NearMiss.candidates(for: function, among: names)
        throw error(.unknownFunction(function, nearMisses: nearMisses), at: name.range)
    }

    private func checkArguments() throws(PredicateFormatError) {
        try checkNodes()
        guard options.surplusArguments == .refused, arguments.drawn < arguments.count else { return }
        let code = PredicateFormatError.Code.surplusArguments(expected: arguments.drawn, found: arguments.count)
        throw error(code, at: 0..<lexer.bytes.count)
    }
}

extension Parser {
    /// Runs one production over the bytes of a format and keeps the places it noted.
    static func parse<Node>(
        _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions,
        _ production: (inout Parser) throws(PredicateFormatError) -> Node
    ) throws(PredicateFormatError) -> (Node, SourceMap) {
        let result = format.utf8.withContiguousStorageIfAvailable { bytes in
            Result { () throws(PredicateFormatError) in
                var parser = try Parser(bytes, format: format, arguments: arguments, options: options)
                let node = try production(&parser)
                return (node, parser.sourceMap())
            }
        }
        guard let result else {
            // A string that lies elsewhere, as bridged ones do, is copied once.
            return try parse(String(decoding: Array(format.utf8), as: UTF8.self), arguments, options, production)
        }
        switch consume result {
        case .success(let parsed): return parsed
        case .failure(let error): throw error
        }
    }
}

/// The two start symbols of the grammar.
extension Parser {
    /// A predicate and nothing after it: `age >= 21`.
    mutating func parseFormat() throws(ParsingFailure) -> PredicateNode {
        guard token.kind != .end else { throw error(.emptyFormat, at: token.range) }
        let term = try parseDisjunction()
        guard token.kind == .end else { throw unexpectedToken(after: term.sort) }
        let node = try predicate(term)
        try checkArguments()
        return node
    }

    /// An expression and nothing after it: `age + 1`. [NSP-017]
    mutating func parseExpressionFormat() throws(ParsingFailure) -> ExpressionNode {
        guard token.kind != .end else { throw error(.expectedExpression, at: token.range) }
        let first = token
        let term = try parseDisjunction()
        guard term.sort == .expression else {
            throw error(.predicateIsNotAnExpression, at: first.start..<previous.end)
        }
        let node = try value(term)
        guard token.kind == .end else { throw unexpectedToken(after: nil) }
        if first.kind == .word { try checkBareCall(node, name: first) }
        try checkArguments()
        return node
    }

    /// A call alone must name a function that the language knows; with a colon it is one of the host. [NSP-018]
    private func checkBareCall(_ node: ExpressionNode, name: Token) throws(ParsingFailure) {
        guard case .function(let call) = node, case .custom(let function) = call.function,
            !function.contains(":"), name.end - name.start == function.utf8.count
        else { return }
        let names = FunctionExpression.Predefined.allCases.map(\.rawValue)
        let nearMisses = NearMiss.candidates(for: function, among: names)
        throw error(.unknownFunction(function, nearMisses: nearMisses), at: name.range)
    }

    @inline(__always)
    private mutating func checkArguments() throws(ParsingFailure) {
        try checkNodes()
        guard surplusArguments == .refused, arguments.drawn < arguments.count else { return }
        let code = PredicateFormatError.Code.surplusArguments(expected: arguments.drawn, found: arguments.count)
        throw error(code, at: 0..<bytes.count)
    }
}

extension Parser {
    /// Parses the bytes of a format with one production.
    ///
    /// The first pass notes no source ranges: only an error needs them, and a second pass finds it again.
    static func parse<Node>(
        _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions,
        _ production: (inout Parser) throws(ParsingFailure) -> Node
    ) throws(PredicateFormatError) -> Node {
        if let node = try? run(format, arguments, options, notesRanges: false, production) { return node }
        do throws(ParsingFailure) {
            return try run(format, arguments, options, notesRanges: true, production)
        } catch {
            throw error.error
        }
    }

    /// The source ranges of all nodes of a format that one production has parsed before.
    static func ranges(
        _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions,
        _ production: (inout Parser) throws(ParsingFailure) -> Void
    ) -> [Range<Int>] {
        let ranges = try? run(format, arguments, options, notesRanges: true) { parser throws(ParsingFailure) in
            try production(&parser)
            return parser.ranges
        }
        return ranges ?? []
    }

    private static func run<Result>(
        _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions, notesRanges: Bool,
        _ production: (inout Parser) throws(ParsingFailure) -> Result
    ) throws(ParsingFailure) -> Result {
        let result = format.utf8.withContiguousStorageIfAvailable { bytes in
            arguments.withUnsafeBufferPointer { arguments in
                withUnsafeTemporaryAllocation(of: Token.self, capacity: TokenReader.capacity) { memory in
                    Swift.Result { () throws(ParsingFailure) in
                        let reader = TokenReader(Lexer(bytes), memory: memory)
                        var parser = Parser(reader, arguments: arguments, options: options, notesRanges: notesRanges)
                        try parser.begin()
                        return try production(&parser)
                    }
                }
            }
        }
        guard let result else {
            // A string without contiguous storage, as bridged ones are, is copied once.
            let copy = String(decoding: Array(format.utf8), as: UTF8.self)
            return try run(copy, arguments, options, notesRanges: notesRanges, production)
        }
        return try result.get()
    }
}

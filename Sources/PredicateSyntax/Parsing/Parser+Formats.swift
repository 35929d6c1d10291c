/// The two kinds of text that are parsed whole.
extension Parser {
    /// A predicate and nothing after it: `age >= 21`.
    mutating func parseFormat() throws(PredicateFormatError) -> PredicateNode {
        guard token.kind != .end else { throw error(.emptyFormat, at: token.range) }
        let term = try parseDisjunction()
        guard token.kind == .end else { throw unexpectedToken(after: term.node) }
        guard case .predicate(let node) = term.node else { throw expectedOperator(after: term) }
        try checkArguments()
        return node
    }

    /// An expression and nothing after it: `age + 1`. [NSP-017]
    mutating func parseExpressionFormat() throws(PredicateFormatError) -> ExpressionNode {
        guard token.kind != .end else { throw error(.expectedExpression, at: token.range) }
        let first = token
        let term = try parseDisjunction()
        guard case .expression(let node) = term.node else {
            throw error(.predicateIsNotAnExpression, at: term.start..<previous.end)
        }
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
        guard options.surplusArguments == .refused, arguments.drawn < arguments.count else { return }
        let code = PredicateFormatError.Code.surplusArguments(expected: arguments.drawn, found: arguments.count)
        throw error(code, at: 0..<lexer.bytes.count)
    }
}

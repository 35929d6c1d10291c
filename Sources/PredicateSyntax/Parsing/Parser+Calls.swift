/// Calls: functions by name, and the keywords that take arguments in parentheses.
extension Parser {
    /// Whether the word at the cursor begins a call: `sum(`, `sum:(`, `modulus:by:(`.
    func peekCall() -> Bool {
        let next = lexer.nextByte
        guard next == UInt8(ascii: "(") || next == UInt8(ascii: ":") else { return false }
        var ahead = lexer
        while let next = try? ahead.next() {
            if next.is(Symbol.openParenthesis) { return true }
            guard next.is(Symbol.colon) else { return false }
            let saved = ahead
            if let word = try? ahead.next(), word.kind != .word { ahead = saved }
        }
        return false
    }

    /// `sum(a)`, `modulus:by:(a, b)`, `now()`
    @inline(never)
    mutating func parseCall() throws(PredicateFormatError) -> Term {
        let start = token.start
        let name = try parseFunctionName()
        let opening = token
        try advance()
        let arguments = try nested { parser throws(PredicateFormatError) in
            try parser.parseList(until: .closeParenthesis, opening: opening)
        }
        let call = FunctionExpression(FunctionName(name), arguments.map(\.node))
        return try node(.function(call), above: arguments.map(\.depth), from: start)
    }

    /// The words and colons before the parenthesis.
    private mutating func parseFunctionName() throws(PredicateFormatError) -> String {
        var name = ""
        while !token.is(Symbol.openParenthesis) {
            name += text(token.range)
            try advance()
        }
        return name
    }

    /// `SUBQUERY(friends, $f, $f.age > 21)`
    mutating func parseSubquery() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let collection = try argument()
        try expect(.comma)
        guard token.kind == .variable else { throw error(.expectedVariable, at: token.range) }
        let variable = try parseName(of: token)
        try advance()
        try expect(.comma)
        let (predicate, depth) = try predicateArgument()
        try expect(.closeParenthesis, closing: opening, after: .predicate(predicate))
        let subquery = SubqueryExpression(collection.node, variable: variable, predicate: predicate)
        return try node(.subquery(subquery), above: [collection.depth, depth], from: start)
    }

    /// `TERNARY(age > 17, "adult", "child")`
    mutating func parseConditional() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let (predicate, depth) = try predicateArgument()
        try expect(.comma)
        let first = try argument()
        try expect(.comma)
        let second = try argument()
        try expect(.closeParenthesis, closing: opening, after: nil)
        let conditional = ConditionalExpression(predicate, true: first.node, false: second.node)
        return try node(.conditional(conditional), above: [depth, first.depth, second.depth], from: start)
    }

    /// `FUNCTION(name, "stringByAppendingString:", "!")`
    mutating func parseMessage() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let target = try argument()
        try expect(.comma)
        let selector = try stringArgument()
        var arguments: [ExpressionTerm] = []
        while try accept(.comma) { arguments.append(try argument()) }
        try expect(.closeParenthesis, closing: opening, after: nil)
        let message = MessageExpression(target: target.node, selector: selector, arguments: arguments.map(\.node))
        return try node(.message(message), above: [target.depth] + arguments.map(\.depth), from: start)
    }

    /// `CAST(born, "NSString")`; of a literal to a type without one of its own: a constant. [NSP-123]
    mutating func parseCast() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let operand = try argument()
        try expect(.comma)
        let type = try stringArgument()
        try expect(.closeParenthesis, closing: opening, after: nil)
        guard case .constantValue(let value) = operand.node, let constant = value.literal(castTo: type) else {
            return try node(.cast(CastExpression(operand.node, type: type)), above: [operand.depth], from: start)
        }
        absorb()
        return try node(.constantValue(constant), above: [], from: start)
    }

    /// `FETCH(request, context, NO)`
    mutating func parseFetch() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let arguments = try nested { parser throws(PredicateFormatError) in
            try parser.parseList(until: .closeParenthesis, opening: opening)
        }
        return try node(.fetch(arguments.map(\.node)), above: arguments.map(\.depth), from: start)
    }
}

extension Parser {
    /// Steps over a keyword and the parenthesis after it.
    private mutating func openCall() throws(PredicateFormatError) -> Token {
        try advance()
        let opening = token
        try expect(.openParenthesis)
        return opening
    }

    private mutating func argument() throws(PredicateFormatError) -> ExpressionTerm {
        try nested { parser throws(PredicateFormatError) in try parser.parseExpression() }
    }

    /// A quoted name, or one passed for `%@`.
    private mutating func stringArgument() throws(PredicateFormatError) -> String {
        let place = token.range
        let operand = try argument()
        guard case .constantValue(.string(let text)) = operand.node else { throw error(.expectedString, at: place) }
        absorb()
        return text
    }

    private mutating func predicateArgument() throws(PredicateFormatError) -> (PredicateNode, depth: Int) {
        let term = try nested(weight: 2) { parser throws(PredicateFormatError) in try parser.parseDisjunction() }
        guard case .predicate(let node) = term.node else { throw expectedOperator(after: term) }
        return (node, term.depth)
    }

    private mutating func node(_ node: ExpressionNode, above depths: [Int], from start: Int)
        throws(PredicateFormatError) -> Term
    {
        let depth = try level(above: depths.max() ?? 0, at: start)
        finish(from: start)
        return Term(node: .expression(node), depth: depth, start: start)
    }
}

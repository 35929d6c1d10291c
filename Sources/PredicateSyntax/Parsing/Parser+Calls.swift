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
        let arguments = try argumentList(opening)
        let depth = arguments.depth
        let call = FunctionExpression(FunctionName(name), arguments.argumentNodes())
        return try node(.function(call), above: depth, from: start)
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
        let (collection, collectionDepth, _) = try argument()
        try expect(.comma)
        guard token.kind == .variable else { throw error(.expectedVariable, at: token.range) }
        let variable = try parseName(of: token)
        try advance()
        try expect(.comma)
        let (predicate, predicateDepth) = try predicateArgument()
        try expect(.closeParenthesis, closing: opening, after: .predicate)
        let subquery = SubqueryExpression(collection, variable: variable, predicate: predicate)
        return try node(.subquery(subquery), above: max(collectionDepth, predicateDepth), from: start)
    }

    /// `TERNARY(age > 17, "adult", "child")`
    mutating func parseConditional() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let (predicate, predicateDepth) = try predicateArgument()
        try expect(.comma)
        let (first, firstDepth, _) = try argument()
        try expect(.comma)
        let (second, secondDepth, _) = try argument()
        try expect(.closeParenthesis, closing: opening, after: nil)
        let conditional = ConditionalExpression(predicate, true: first, false: second)
        return try node(.conditional(conditional), above: max(predicateDepth, firstDepth, secondDepth), from: start)
    }

    /// `FUNCTION(name, "stringByAppendingString:", "!")`
    mutating func parseMessage() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let (target, targetDepth, _) = try argument()
        try expect(.comma)
        let selector = try stringArgument()
        var arguments = ElementList.arguments()
        while try accept(.comma) {
            let (argument, depth, _) = try argument()
            arguments.append(argument, depth: depth)
        }
        try expect(.closeParenthesis, closing: opening, after: nil)
        let deepest = max(targetDepth, arguments.depth)
        let message = MessageExpression(target: target, selector: selector, arguments: arguments.argumentNodes())
        return try node(.message(message), above: deepest, from: start)
    }

    /// `CAST(born, "NSString")`; of a literal to a type without one of its own: a constant. [NSP-123]
    mutating func parseCast() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let (operand, depth, _) = try argument()
        try expect(.comma)
        let type = try stringArgument()
        try expect(.closeParenthesis, closing: opening, after: nil)
        guard case .constantValue(let value) = operand, let constant = value.literal(castTo: type) else {
            return try node(.cast(CastExpression(operand, type: type)), above: depth, from: start)
        }
        absorb()
        return try node(.constantValue(constant), above: 0, from: start)
    }

    /// `FETCH(request, context, NO)`
    mutating func parseFetch() throws(PredicateFormatError) -> Term {
        let start = token.start
        let opening = try openCall()
        let arguments = try argumentList(opening)
        let depth = arguments.depth
        return try node(.fetch(arguments.argumentNodes()), above: depth, from: start)
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
        try descend()
        let argument = try parseExpression()
        ascend()
        return argument
    }

    /// What stands between parentheses, the first of which has been read.
    private mutating func argumentList(_ opening: Token) throws(PredicateFormatError) -> ElementList {
        try descend()
        var arguments = ElementList.arguments()
        try parseList(until: .closeParenthesis, opening: opening, into: &arguments)
        ascend()
        return arguments
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
        try descend(weight: 2)
        let term = try parseDisjunction()
        ascend(weight: 2)
        let depth = term.depth
        return (try predicate(term), depth)
    }

    private mutating func node(_ node: consuming ExpressionNode, above below: Int, from start: Int)
        throws(PredicateFormatError) -> Term
    {
        let depth = try level(above: below, at: start)
        finish(from: start)
        return Term(node, depth: depth, start: start)
    }
}

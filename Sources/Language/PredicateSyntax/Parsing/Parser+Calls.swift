/// Calls: functions by name, and keywords with arguments in parentheses.
extension Parser {
    /// True if the word at the cursor begins a call: `sum(`, `sum:(`, `modulus:by:(`.
    @inline(__always)
    var beginsCall: Bool {
        let next = next
        if next.is(Symbol.openParenthesis) { return true }
        return next.is(Symbol.colon) && isCall(after: next)
    }

    /// True if a parenthesis follows the words and colons.
    @inline(never)
    private func isCall(after colon: Token) -> Bool {
        var next = lexer.lookUp(at: colon.end)
        if next.kind == .word { next = lexer.lookUp(at: next.end) }
        while next.is(Symbol.colon) {
            next = lexer.lookUp(at: next.end)
            if next.kind == .word { next = lexer.lookUp(at: next.end) }
        }
        return next.is(Symbol.openParenthesis)
    }

    /// `sum(a)`, `modulus:by:(a, b)`, `now()`. Two function names are other spellings of a cast and of an index. [NSP-168]
    @inline(never)
    mutating func parseCall() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let name = try parseFunctionName()
        let opening = token
        try advance()
        let arguments = try argumentList(opening)
        let levels = arguments.levels
        let nodes = arguments.argumentNodes()
        if nodes.count == 2, name == "castObject:toType:", case .constantValue(.string(let type)) = nodes[1] {
            absorb()
            return try cast(nodes[0], type, levels: levels, from: start)
        }
        try finish(above: levels, from: start)
        if nodes.count == 2, name == "objectFrom:withIndex:" {
            return .index(IndexExpression(base: nodes[0], index: nodes[1]))
        }
        return .function(FunctionExpression(FunctionExpression.Name(name), nodes))
    }

    /// Parses the words and colons before the parenthesis.
    private mutating func parseFunctionName() throws(ParsingFailure) -> String {
        var name = ""
        while !token.is(Symbol.openParenthesis) {
            name += text(token.range)
            try advance()
        }
        return name
    }

    /// `SUBQUERY(friends, $f, $f.age > 21)`
    mutating func parseSubquery() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let opening = try openCall()
        let collection = try argument()
        let collectionLevels = levels
        try expect(.comma)
        guard token.kind == .variable else { throw error(.expectedVariable, at: token.range) }
        let variable = try parseName(of: token)
        try advance()
        try expect(.comma)
        let predicate = try predicateArgument()
        try expect(.closeParenthesis, closing: opening, after: .predicate)
        try finish(above: max(collectionLevels, levels), from: start)
        return .subquery(SubqueryExpression(collection, variable: variable, predicate: predicate))
    }

    /// `TERNARY(age > 17, "adult", "child")`
    mutating func parseConditional() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let opening = try openCall()
        let predicate = try predicateArgument()
        var deepest = levels
        try expect(.comma)
        let first = try argument()
        deepest = max(deepest, levels)
        try expect(.comma)
        let second = try argument()
        try expect(.closeParenthesis, closing: opening, after: nil)
        try finish(above: max(deepest, levels), from: start)
        return .conditional(ConditionalExpression(predicate, true: first, false: second))
    }

    /// `FUNCTION(name, "stringByAppendingString:", "!")`
    mutating func parseMessage() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let opening = try openCall()
        let target = try parseMessageArgument()
        let targetLevels = levels
        try expect(.comma)
        let selector = try stringArgument()
        var arguments = ParsedElements.arguments()
        while try accept(.comma) {
            let argument = try parseMessageArgument()
            arguments.append(argument, levels: levels)
        }
        try expect(.closeParenthesis, closing: opening, after: nil)
        try finish(above: max(targetLevels, arguments.levels), from: start)
        return .message(MessageExpression(target: target, selector: selector, arguments: arguments.argumentNodes()))
    }

    /// `FUNCTION(num = 1, "case:", 2)`: an expression, or a predicate, which becomes an unevaluated constant.
    /// [NSP-393]
    private mutating func parseMessageArgument() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let mark = nodes
        try descend()
        let term = try parseDisjunction()
        ascend()
        switch consume term {
        case .expression(let node): return node
        case .predicate(let node):
            absorb(nodes - mark)
            try finish(above: levels, from: start)
            return .constantValue(.predicate(node))
        }
    }

    /// `CAST(born, "NSString")`. A cast of a literal to a type without literals is a constant. [NSP-123]
    mutating func parseCast() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let opening = try openCall()
        let operand = try argument()
        let operandLevels = levels
        try expect(.comma)
        let type = try stringArgument()
        try expect(.closeParenthesis, closing: opening, after: nil)
        return try cast(operand, type, levels: operandLevels, from: start)
    }

    private mutating func cast(
        _ operand: ExpressionNode, _ type: String, levels: Int, from start: Int
    ) throws(ParsingFailure) -> ExpressionNode {
        guard case .constantValue(let value) = operand, let constant = value.literal(castTo: type) else {
            try finish(above: levels, from: start)
            return .cast(CastExpression(operand, type: type))
        }
        absorb()
        try finish(above: 0, from: start)
        return .constantValue(constant)
    }

    /// `FETCH(request, context, NO)`
    mutating func parseFetch() throws(ParsingFailure) -> ExpressionNode {
        let start = token.start
        let opening = try openCall()
        let arguments = try argumentList(opening)
        try finish(above: arguments.levels, from: start)
        return .fetch(arguments.argumentNodes())
    }
}

extension Parser {
    /// Advances past a keyword and the parenthesis after it.
    private mutating func openCall() throws(ParsingFailure) -> Token {
        try advance()
        let opening = token
        try expect(.openParenthesis)
        return opening
    }

    private mutating func argument() throws(ParsingFailure) -> ExpressionNode {
        try descend()
        let argument = try parseExpression()
        ascend()
        return argument
    }

    /// Parses the arguments up to the closing parenthesis.
    private mutating func argumentList(_ opening: Token) throws(ParsingFailure) -> ParsedElements {
        try descend()
        var arguments = ParsedElements.arguments()
        try parseList(until: .closeParenthesis, opening: opening, into: &arguments)
        ascend()
        return arguments
    }

    /// Parses a quoted name, or one passed for `%@`.
    private mutating func stringArgument() throws(ParsingFailure) -> String {
        let range = token.range
        let operand = try argument()
        guard case .constantValue(.string(let text)) = operand else { throw error(.expectedString, at: range) }
        absorb()
        return text
    }

    private mutating func predicateArgument() throws(ParsingFailure) -> PredicateNode {
        try descend(weight: 2)
        let term = try parseDisjunction()
        ascend(weight: 2)
        return try predicate(term)
    }
}

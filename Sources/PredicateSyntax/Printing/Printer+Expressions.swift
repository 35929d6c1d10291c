extension Printer {
    mutating func print(_ node: ExpressionNode) {
        switch node {
        case .constantValue(let value): print(value)
        case .evaluatedObject: write(text: Keyword.selfObject.rawValue)
        case .variable(let name): write(variable: name)
        case .keyPath(let path): print(path)
        case .member(let member):
            printBase(member.base)
            write(".")
            printMember(member.member)
        case .function(let call): print(call)
        case .message(let message): print(message)
        case .cast(let cast): writeCast(cast.type) { $0.print(cast.expression) }
        case .aggregate(let elements): printList(elements, between: "{", and: "}")
        case .index(let index):
            printIndexBase(index.base)
            printIndex(index.index)
        case .symbol(let symbol): write(text: symbol.rawValue)
        case .subquery(let subquery): print(subquery)
        case .conditional(let conditional): print(conditional)
        case .set(let set): printBinary(set.leftExpression, set.operator.rawValue, set.rightExpression)
        case .assignment(let assignment):
            write(variable: assignment.variable)
            write(between: Symbol.assign.rawValue)
            print(assignment.expression)
        case .anyKey: write(text: Keyword.anyKey.rawValue)
        case .block(let block): write(block: block.body, "BLOCK", block.arguments)
        case .fetch(let arguments):
            write(text: Keyword.fetch.rawValue)
            printList(arguments, between: "(", and: ")")
        }
    }

    /// Prints the part after a dot: a call keeps its name there, even where an operator could write it.
    private mutating func printMember(_ member: ExpressionNode) {
        switch member {
        case .function(let call): printCall(call)
        case .index(let index):
            printMember(index.base)
            printIndex(index.index)
        case .constantValue, .evaluatedObject, .variable, .keyPath, .member, .message, .cast, .aggregate, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            print(member)
        }
    }

    private mutating func print(_ path: KeyPathExpression) {
        if let key = path.singleKey { return write(key: key, isFirst: true) }
        if let base = path.base {
            printBase(base)
            if path.count > 0 { write(".") }
        } else if path.count == 0 {
            write(text: "SELF")
        }
        for index in 0..<path.count {
            if index > 0 { write(".") }
            switch path[index] {
            case .key(let key): write(key: key, isFirst: index == 0 && path.base == nil)
            case .variable(let name): write(variable: name)
            }
        }
    }

    @inline(never)
    private mutating func print(_ subquery: SubqueryExpression) {
        open(.subquery)
        print(subquery.collection)
        write(", ")
        write(variable: subquery.variable)
        write(", ")
        print(subquery.predicate)
        write(")")
    }

    @inline(never)
    private mutating func print(_ conditional: ConditionalExpression) {
        open(.ternary)
        print(conditional.predicate)
        write(", ")
        print(conditional.trueExpression)
        write(", ")
        print(conditional.falseExpression)
        write(")")
    }

    /// Apple's print has a space before the comma that follows the selector.
    @inline(never)
    private mutating func print(_ message: MessageExpression) {
        open(.function)
        print(message.target)
        write(", ")
        write(quoting: message.selector)
        for (index, argument) in message.arguments.enumerated() {
            if index == 0 { write(" , ") } else { write(", ") }
            print(argument)
        }
        write(")")
    }

    /// `TERNARY(`
    @inline(never)
    private mutating func open(_ keyword: Keyword) {
        write(text: keyword.rawValue)
        write("(")
    }

    /// `CAST("1.10", "NSDecimalNumber")`
    mutating func writeCast(_ type: String, _ content: (inout Printer) -> Void) {
        open(.cast)
        content(&self)
        write(", ")
        write(quoting: type)
        write(")")
    }

    /// `[0]`
    private mutating func printIndex(_ index: ExpressionNode) {
        write("[")
        print(index)
        write("]")
    }

    @inline(never)
    private mutating func printList(
        _ elements: [ExpressionNode], between opening: StaticString, and closing: StaticString
    ) {
        writeList(elements, between: opening, and: closing) { $0.print($1) }
    }

    /// `{1, 2}`
    mutating func writeList<Element>(
        _ elements: [Element], between opening: StaticString = "{", and closing: StaticString = "}",
        _ element: (inout Printer, Element) -> Void
    ) {
        write(opening)
        for index in elements.indices {
            if index > 0 { write(", ") }
            element(&self, elements[index])
        }
        write(closing)
    }
}

// MARK: - Operations

extension Printer {
    private mutating func print(_ call: FunctionExpression) {
        if case .predefined(let function) = call.function, printOperation(function, call.arguments) { return }
        printCall(call)
    }

    private mutating func printCall(_ call: FunctionExpression) {
        write(text: call.function.name)
        printList(call.arguments, between: "(", and: ")")
    }

    /// `a + b`, `-a`; false when the function is not written with an operator.
    private mutating func printOperation(_ function: FunctionExpression.Predefined, _ arguments: [ExpressionNode])
        -> Bool
    {
        if arguments.count == 2, let binary = BinaryOperator(function) {
            printBinary(arguments[0], binary.spelling, arguments[1])
            return true
        }
        guard arguments.count == 1, function == .negate || function == .onesComplement else { return false }
        write(text: (function == .negate ? Symbol.hyphen : .tilde).rawValue)
        // A minus right before a number would be its sign.
        printEnclosed(arguments[0], if: arguments[0].isOperation || function == .negate && arguments[0].isNumber)
        return true
    }

    private mutating func printBinary(_ left: ExpressionNode, _ spelling: String, _ right: ExpressionNode) {
        let isNegativeBase = spelling == BinaryOperator.power.spelling && left.isNegativeNumber
        printEnclosed(left, if: left.isOperation || isNegativeBase)
        write(between: spelling)
        printEnclosed(right, if: right.isOperation)
    }

    /// Prints the part before a dot.
    private mutating func printBase(_ base: ExpressionNode) {
        printEnclosed(base, if: base.isOperation || base.isNumber)
    }

    /// Prints the part before a bracket, which binds tighter than a dot.
    private mutating func printIndexBase(_ base: ExpressionNode) {
        var isPath = false
        if case .keyPath(let path) = base { isPath = path.base != nil || path.count > 1 }
        if case .member = base { isPath = true }
        printEnclosed(base, if: base.isOperation || base.isNumber || isPath)
    }

    @inline(never)
    mutating func printEnclosed(_ node: ExpressionNode, if isEnclosed: Bool) {
        if isEnclosed { write("(") }
        print(node)
        if isEnclosed { write(")") }
    }
}

extension ExpressionNode {
    /// True if the expression is written with an operator.
    var isOperation: Bool {
        switch self {
        case .set, .assignment: true
        case .function(let call):
            if case .predefined(let function) = call.function {
                function.isOperator(of: call.arguments.count)
            } else {
                false
            }
        case .constantValue(.expression(let node)): node.isOperation
        case .constantValue, .evaluatedObject, .variable, .keyPath, .member, .message, .cast, .aggregate, .index,
            .symbol, .subquery, .conditional, .anyKey, .block, .fetch:
            false
        }
    }

    var isNumber: Bool {
        if case .constantValue(let value) = self { value.isNumber } else { false }
    }

    var isNegativeNumber: Bool {
        if case .constantValue(let value) = self { value.printed.hasPrefix("-") } else { false }
    }
}

extension FunctionExpression.Predefined {
    fileprivate func isOperator(of count: Int) -> Bool {
        count == 2 && BinaryOperator(self) != nil || count == 1 && (self == .negate || self == .onesComplement)
    }
}

/// Writes a tree as the format string that Apple's `predicateFormat` prints. [NSP-140]
///
/// There is one space around operators, and spellings are canonical. Parentheses are written where the tree needs
/// them, and always around a compound inside a compound and an operation inside an operation.
struct Printer: ~Copyable {
    /// How to print constants that would not parse back.
    enum Constants {
        /// Every constant is printed.
        case written
        /// A constant that would not parse back becomes an argument for `%@`.
        case drawnOut
    }

    /// The form of values that Apple's classes print in a way that does not parse back. [NSP-143] [NSP-144]
    enum Form {
        /// `2.0`, which is not `2`: division keeps its meaning.
        case exact
        /// `2`, as Apple's classes print it.
        case apple
    }

    private var buffer = PrintBuffer()
    private(set) var arguments: [PredicateValue] = []
    /// The first block that was printed, and its range in ``text``.
    private(set) var block: PrintedBlock?
    let constants: Constants
    let form: Form

    init(constants: Constants = .written, form: Form = .exact) {
        self.constants = constants
        self.form = form
    }

    var text: String { buffer.text }

    @inline(__always)
    mutating func write(_ literal: StaticString) {
        write(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func write(text: String) {
        var copy = text
        copy.withUTF8 { write($0) }
    }

    @inline(__always)
    mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
        buffer.append(piece)
    }

    /// `[cd]`, or nothing.
    mutating func write(options: ComparisonOptions) {
        if options.isEmpty || options.isDisjoint(with: .lettered) { return }
        write("[")
        for (letter, option) in ComparisonOptions.letters where options.contains(option) {
            buffer.append(UInt8(ascii: letter))
        }
        write("]")
    }

    /// Writes a word and a space: `ANY `
    mutating func write(word: String) {
        write(text: word)
        write(" ")
    }

    /// Writes an operator with spaces around it: ` AND `
    mutating func write(between word: String) {
        write(" ")
        write(word: word)
    }

    /// Prints a constant according to ``constants``.
    mutating func print(_ value: PredicateValue) {
        switch constants {
        case .drawnOut where !value.readsBack:
            arguments.append(value)
            write("%@")
        case .drawnOut, .written: write(value: value)
        }
    }
}

// MARK: - Blocks

extension Printer {
    /// `BLOCK(<"tax">, price)`: modelled on the form that Apple prints. It does not parse, since no operand begins
    /// with `<"`. [NSP-178]
    @inline(never)
    mutating func write(block: BlockBody, _ word: StaticString, _ arguments: [ExpressionNode]) {
        let start = buffer.count
        write(word)
        write("(<")
        write(quoting: block.name)
        write(">")
        for argument in arguments {
            write(", ")
            print(argument)
        }
        write(")")
        if self.block == nil { self.block = PrintedBlock(block.name, start..<buffer.count) }
    }
}

/// The name of a block and its range in the printed string.
///
/// It is an object so that a printer holds only one word for it: hardly any predicate has a block.
final class PrintedBlock {
    let name: String
    let range: Range<Int>

    init(_ name: String, _ range: Range<Int>) {
        self.name = name
        self.range = range
    }
}

// MARK: - Predicates

extension Printer {
    mutating func print(_ node: PredicateNode) {
        switch node {
        case .constant(let value): write(text: (value ? Keyword.truePredicate : .falsePredicate).rawValue)
        case .comparison(let node):
            print(
                node.leftExpression, node.operator.spelling, node.rightExpression, modifier: node.modifier,
                options: node.options)
        case .string(let node):
            print(
                node.leftExpression, node.operator.spelling, node.rightExpression, modifier: node.modifier,
                options: node.options)
        case .compound(let compound): print(compound)
        case .block(let block): write(block: block.body, "BLOCKPREDICATE", [])
        }
    }

    /// Takes the parts of a comparison, since a whole comparison would be copied.
    private mutating func print(
        _ left: ExpressionNode, _ spelling: String, _ right: ExpressionNode, modifier: ComparisonModifier,
        options: ComparisonOptions
    ) {
        if let modifier = modifier.spelling { write(word: modifier) }
        print(left)
        write(" ")
        write(text: spelling)
        write(options: options)
        write(" ")
        print(right)
    }

    private mutating func print(_ compound: CompoundPredicate) {
        switch (compound.type, compound.count) {
        case (.and, 0): print(.constant(true))
        case (.or, 0): print(.constant(false))
        case (.and, 1), (.or, 1): print(compound[0])
        case (.not, 1):
            write(word: compound.type.spelling)
            printJoined(compound)
        case (.not, _): printNegation(of: compound)
        case (.and, _), (.or, _): printJoined(compound)
        }
    }

    /// Prints NOT of several predicates, which no format can express, as NOT of their conjunction.
    @inline(never)
    private mutating func printNegation(of compound: CompoundPredicate) {
        write(word: compound.type.spelling)
        printInside(.compound(CompoundPredicate(.and, compound.subpredicates)))
    }

    private mutating func printJoined(_ compound: CompoundPredicate) {
        for index in 0..<compound.count {
            if index > 0 { write(between: compound.type.spelling) }
            printInside(compound[index])
        }
    }

    /// Prints a predicate inside a compound; only a compound is enclosed in parentheses.
    private mutating func printInside(_ node: PredicateNode) {
        guard case .compound = node else { return print(node) }
        write("(")
        print(node)
        write(")")
    }
}

// MARK: - Buffer

/// A growing UTF-8 buffer for printing.
///
/// The buffer is uniquely owned, so appending needs no uniqueness checks.
struct PrintBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    /// Most printed predicates are shorter.
    private var capacity = 160
    private(set) var count = 0

    init() {
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deallocate()
    }

    /// The bytes as a string.
    var text: String { String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        base[count] = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        if bytes.count > capacity &- count { grow(by: bytes.count) }
        ByteRow.copy(start, to: base + count, count: bytes.count)
        count &+= bytes.count
    }

    @inline(never)
    private mutating func grow(by length: Int) {
        capacity = max(2 * capacity, count + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }
}

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

    /// Prints the part after a dot. A call is printed by name there, even if an operator exists for it.
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

    /// Apple prints a space before the comma that follows the selector.
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

    /// `a + b`, `-a`. Returns false if the function is not written with an operator.
    private mutating func printOperation(_ function: FunctionExpression.Predefined, _ arguments: [ExpressionNode])
        -> Bool
    {
        if arguments.count == 2, let binary = BinaryOperator(function) {
            printBinary(arguments[0], binary.spelling, arguments[1])
            return true
        }
        guard arguments.count == 1, function == .negate || function == .onesComplement else { return false }
        write(text: (function == .negate ? Symbol.hyphen : .tilde).rawValue)
        // A minus immediately before a number would become its sign.
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

/// Writes a tree as the format string that Apple's `predicateFormat` prints. [NSP-140]
///
/// One space around operators, canonical spellings, parentheses where the tree needs them: a compound inside a
/// compound and an operation inside an operation always have them.
struct Printer: ~Copyable {
    /// The treatment of constants without a literal that parses back.
    enum Constants {
        /// Every constant prints.
        case written
        /// A constant whose print would not parse back becomes an argument for `%@`.
        case drawnOut
    }

    private var buffer = PrintBuffer()
    private(set) var arguments: [PredicateValue] = []
    /// The first block that was printed, and its range in ``text``.
    private(set) var block: PrintedBlock?
    let constants: Constants

    init(constants: Constants = .written) {
        self.constants = constants
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

    /// A word and a space: `ANY `
    mutating func write(word: String) {
        write(text: word)
        write(" ")
    }

    /// An operator with its blanks: ` AND `
    mutating func write(between word: String) {
        write(" ")
        write(word: word)
    }

    /// Prints a constant as ``constants`` says.
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
    /// `BLOCK(<"tax">, price)`: after Apple's print, and no format, since no operand begins with `<"`. [NSP-178]
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

/// The name of a block, and its range in a print.
///
/// An object, so that a printer holds one word: hardly any predicate has a block.
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

    /// The parts of a comparison, since a whole one would be copied.
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
        case (.not, _):
            write(word: compound.type.spelling)
            printJoined(compound)
        case (.and, _), (.or, _): printJoined(compound)
        }
    }

    private mutating func printJoined(_ compound: CompoundPredicate) {
        for index in 0..<compound.count {
            if index > 0 { write(between: compound.type.spelling) }
            printInside(compound[index])
        }
    }

    /// A predicate inside a compound: only a compound is enclosed in parentheses.
    private mutating func printInside(_ node: PredicateNode) {
        guard case .compound = node else { return print(node) }
        write("(")
        print(node)
        write(")")
    }
}

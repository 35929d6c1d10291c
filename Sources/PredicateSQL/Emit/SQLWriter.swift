/// Writes the typed form as SQL text, from left to right, as a dialect has it.
///
/// A condition comes out TRUE exactly where it holds, and FALSE or NULL where it does not: enough for WHERE, AND, OR,
/// EXISTS and CASE. Under a negation that would lose the NULLs, so what is negated is asked whether it is TRUE.
///
/// This file holds the text and its parameters; what stands in it is written beside it. Every form tells how tightly its
/// outermost operator binds, and whoever needs it tighter puts it in parentheses.
struct SQLWriter: ~Copyable {
    /// Lives as long as the writer, by its owner here or by the word of who made the writer.
    private let known: Unmanaged<CompilerDialect>
    private let owner: CompilerDialect?
    private var bytes: SQLBuffer
    private(set) var bindings: BindingBuffer
    /// The functions that the text calls.
    private(set) var functions = SQLFunctionSet()
    /// A name that the database cannot hold.
    private(set) var unusableName: String?
    /// What the dialect has no words for; then the text is none.
    private(set) var lack: String?
    /// Whether there is more text than a statement may have; then nothing more is added.
    private(set) var isTooLong = false
    private let mostBytes: Int
    /// How deep forms stand inside one another.
    private(set) var deepest = 0
    /// How many tables one FROM has.
    var mostTables = 0
    private var depth = 0
    private var numbers: PlaceholderNumbers?

    init(_ dialect: CompilerDialect) {
        known = .passUnretained(dialect)
        owner = dialect
        mostBytes = dialect.limits.length
        bytes = SQLBuffer()
        bindings = BindingBuffer()
    }

    /// One that begins in memory of others, which outlives it, as the dialect does: its references are not counted.
    @inline(__always)
    init(
        _ dialect: borrowing CompilerDialect, _ text: UnsafeMutableBufferPointer<UInt8>,
        _ bindings: UnsafeMutableBufferPointer<SQLBinding>
    ) {
        known = .passUnretained(copy dialect)
        mostBytes = .max
        owner = nil
        bytes = SQLBuffer(text)
        self.bindings = BindingBuffer(bindings)
    }

    var dialect: CompilerDialect {
        @inline(__always) get { known._withUnsafeGuaranteedRef { $0 } }
    }

    var templates: DialectTemplates { dialect.templates }

    /// How much text there is.
    var count: Int { bytes.count }

    /// The text with its values.
    var fragment: SQLFragment { SQLFragment(bytes.text, bindings: bindings.values) }

    /// The same at the end, when nothing more is written.
    mutating func takeFragment() -> SQLFragment { SQLFragment(bytes.text, bindings: bindings.take()) }

    mutating func note(_ function: SQLFunction) {
        functions.insert(function)
    }

    /// Whether there is room for more; a form is written again wherever it stands, and may stand in itself many times.
    @inline(__always)
    mutating func hasRoom() -> Bool {
        if bytes.count > mostBytes { isTooLong = true }
        return !isTooLong
    }

    mutating func note(lack: String) {
        self.lack = self.lack ?? lack
    }
}

// MARK: - Pieces

extension SQLWriter {
    @inline(__always)
    mutating func write(_ literal: StaticString) {
        bytes.append(literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// ` = `
    @inline(__always)
    mutating func write(sign: StaticString) {
        bytes.append(UInt8(ascii: " "))
        write(sign)
        bytes.append(UInt8(ascii: " "))
    }

    /// A part of the text of a template.
    @inline(__always)
    mutating func write(_ template: SQLTemplate, _ part: Range<Int>) {
        template.bytes.withUnsafeBufferPointer { bytes.append(UnsafeBufferPointer(rebasing: $0[part])) }
    }

    /// ` >= `
    @inline(__always)
    mutating func write(_ relation: RelationOperator) {
        bytes.append(dialect.sign(relation))
    }

    @inline(__always)
    mutating func write(_ text: KeptText) {
        bytes.append(text)
    }

    @inline(__always)
    mutating func write(_ text: ShortText) {
        bytes.append(text)
    }

    @discardableResult
    @inline(__always)
    mutating func write(_ text: AliasedText, of alias: Int) -> SQLText.Precedence {
        if depth &+ text.depth > deepest { deepest = depth &+ text.depth }
        bytes.append(text, of: alias)
        return text.precedence
    }

    /// Puts what was written from `start` on to an earlier place.
    mutating func move(from start: Int, to place: Int) {
        bytes.move(from: start, to: place)
    }

    /// A name in its quotes.
    mutating func write(_ name: QuotedName) {
        guard let quoted = name.quoted else {
            unusableName = unusableName ?? name.text
            return bytes.append(UInt8(ascii: "?"))
        }
        write(quoted)
    }

    /// `t0`
    mutating func writeAlias(_ number: Int) {
        bytes.append(UInt8(ascii: "t"))
        if number < 10 { bytes.append(UInt8(ascii: "0") + UInt8(number)) } else { write(text: String(number)) }
    }

    /// `t0."age"`
    mutating func write(_ column: ColumnReference, of alias: Int) {
        if alias == 0, let name = column.rootName { return write(name) }
        guard column.name.quoted != nil else { return write(column.name) }
        writeAlias(alias)
        bytes.append(UInt8(ascii: "."))
        write(column.name)
    }

    /// A placeholder: each parameter has one number, however often it stands there, where the dialect numbers them.
    mutating func write(_ parameter: SQLParameter) {
        guard dialect.numbersPlaceholders else {
            bindings.append(parameter.binding)
            return writePlaceholder(bindings.count, parameter.type)
        }
        var number = numbers?[parameter.number] ?? 0
        if number == 0 {
            bindings.append(parameter.binding)
            number = bindings.count
            numbers = numbers ?? PlaceholderNumbers()
            numbers?[parameter.number] = number
        }
        writePlaceholder(number, parameter.type)
    }

    /// A placeholder for a value that stands there once.
    mutating func write(parameter: consuming SQLBinding, _ type: SQLParameterType) -> SQLText.Precedence {
        bindings.append(parameter)
        writePlaceholder(bindings.count, type)
        return .atom
    }

    /// A placeholder for a value whose number is told as soon as it has one, 0 before.
    mutating func write(
        parameter: SQLBinding, _ type: SQLParameterType, _ number: inout Int
    ) -> SQLText.Precedence {
        if number == 0 || !dialect.numbersPlaceholders {
            bindings.append(parameter)
            number = bindings.count
        }
        writePlaceholder(number, type)
        return .atom
    }

    /// The same for the UTF-8 of a text.
    mutating func write(bytesOf text: String, _ number: inout Int) -> SQLText.Precedence {
        if number == 0 || !dialect.numbersPlaceholders { return write(parameter: .blob(text.bytes), .blob, &number) }
        writePlaceholder(number, .blob)
        return .atom
    }

    private mutating func writePlaceholder(_ number: Int, _ type: SQLParameterType) {
        guard let placeholder = dialect.placeholder(number, type) else {
            return write(text: dialect.base.placeholder(number, for: type))
        }
        bytes.append(placeholder)
    }

    private mutating func write(text: String) {
        for byte in text.utf8 { bytes.append(byte) }
    }

    @inline(__always)
    mutating func write(_ piece: [UInt8]) {
        piece.withUnsafeBufferPointer { bytes.append($0) }
    }
}

// MARK: - Operands

extension SQLWriter {
    /// What a dialect says of operands, which are written where they go.
    mutating func write(
        _ template: SQLTemplate, _ operand: (inout SQLWriter, Int) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        var position = 0
        var last = SQLText.Precedence.atom
        for hole in template.holes {
            write(template, position..<hole.position)
            position = hole.position
            last = writeOperand(hole.least) { writer in operand(&writer, hole.operand) }
        }
        write(template, position..<template.bytes.count)
        return template.precedence ?? last
    }

    /// An operand, in parentheses unless it binds tightly enough.
    @discardableResult
    @inline(__always)
    mutating func writeOperand(
        _ least: SQLText.Precedence, _ operand: (inout SQLWriter) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        let start = beginOperand()
        return endOperand(start, operand(&self), least)
    }

    /// Where an operand begins.
    @inline(__always)
    mutating func beginOperand() -> Int {
        depth &+= 1
        if depth > deepest { deepest = depth }
        return bytes.count
    }

    /// Puts the operand that began at `start` in parentheses unless it binds tightly enough.
    @discardableResult
    @inline(__always)
    mutating func endOperand(
        _ start: Int, _ precedence: SQLText.Precedence, _ least: SQLText.Precedence
    ) -> SQLText.Precedence {
        depth &-= 1
        guard precedence < least else { return precedence }
        bytes.parenthesise(from: start)
        return .atom
    }

    /// `a > b`
    mutating func writeComparison(
        _ sign: StaticString, _ left: (inout SQLWriter) -> SQLText.Precedence,
        _ right: (inout SQLWriter) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        writeOperand(.bit, left)
        write(sign: sign)
        writeOperand(.bit, right)
        return .comparison
    }
}

extension SQLWriter {
    /// What a form puts on a parser's stack at most, with all that stands in it without being an operand.
    private static let formWeight = 16

    /// How many entries a parser's stack takes; what surely is within a limit is not counted.
    func parserStack(atMost limit: Int) -> Int {
        if Self.formWeight * deepest <= limit { return Self.formWeight * deepest }
        return bytes.withBytes { ParserStack($0).deepest }
    }
}

/// The numbers of the placeholders that stand already, by their parameters; 0 where there is none.
private struct PlaceholderNumbers {
    /// Of the first parameters, in place, as long as two bytes hold them.
    private var first = SIMD32<UInt16>()
    private var others: [Int] = []

    subscript(_ parameter: Int) -> Int {
        get {
            if parameter < 32, first[parameter] > 0 { return Int(first[parameter]) }
            return others.indices.contains(parameter) ? others[parameter] : 0
        }
        set {
            if parameter < 32, let short = UInt16(exactly: newValue) { return first[parameter] = short }
            while others.count <= parameter { others.append(0) }
            others[parameter] = newValue
        }
    }
}

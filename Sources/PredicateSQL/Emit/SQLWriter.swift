/// Writes the typed form as SQL text, from left to right, as a dialect has it.
///
/// A condition comes out TRUE exactly where it holds, and FALSE or NULL where it does not: enough for WHERE, AND, OR,
/// EXISTS and CASE. Under a negation that would lose the NULLs, so what is negated is asked whether it is TRUE.
///
/// This file holds the text and its parameters; what stands in it is written beside it. Every form tells how tightly its
/// outermost operator binds, and whoever needs it tighter puts it in parentheses.
struct SQLWriter: ~Copyable {
    let dialect: CompilerDialect
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
    /// The placeholders that are written, in the order of the text.
    private var placeholders: [StatementBody.Placeholder] = []

    init(_ dialect: CompilerDialect) {
        self.dialect = dialect
        mostBytes = dialect.limits.length
        bytes = SQLBuffer()
        bindings = BindingBuffer()
    }

    var templates: DialectTemplates { dialect.templates }

    /// How much text there is.
    var count: Int { bytes.count }

    /// The text with its values.
    var fragment: SQLFragment { SQLFragment(bytes.text, bindings: bindings.values) }

    /// The values at the end, when nothing more is written.
    mutating func takeBindings() -> [SQLBinding] { bindings.take() }

    /// A part of the text.
    func text(_ range: Range<Int>) -> String {
        bytes.withBytes { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
    }

    /// The placeholders that were written, as offsets after `start`.
    func placeholders(from start: Int) -> [StatementBody.Placeholder] {
        placeholders.map { placeholder in
            var placeholder = placeholder
            placeholder.range = placeholder.range.lowerBound - start..<placeholder.range.upperBound - start
            return placeholder
        }
    }

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

    private mutating func writePlaceholder(_ number: Int, _ type: SQLParameterType) {
        let start = bytes.count
        if let placeholder = dialect.placeholder(number, type) {
            bytes.append(placeholder)
        } else {
            write(text: dialect.base.placeholder(number, for: type))
        }
        placeholders.append(.init(range: start..<bytes.count, binding: number - 1, type: type))
    }

    private mutating func write(text: String) {
        for byte in text.utf8 { bytes.append(byte) }
    }

    @inline(__always)
    mutating func write(_ piece: [UInt8]) {
        piece.withUnsafeBufferPointer { bytes.append($0) }
    }

    mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
        bytes.append(piece)
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
        for index in placeholders.indices.reversed() {
            let range = placeholders[index].range
            guard range.lowerBound >= start else { break }
            placeholders[index].range = range.lowerBound + 1..<range.upperBound + 1
        }
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

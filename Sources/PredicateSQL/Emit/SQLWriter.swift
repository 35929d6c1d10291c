/// Writes the typed form as SQL text, from left to right, in a dialect.
///
/// A condition comes out TRUE exactly where it holds, and FALSE or NULL where it does not: enough for WHERE, AND, OR,
/// EXISTS and CASE. In three-valued logic NOT NULL is NULL, so a negated condition is tested with IS NOT TRUE.
///
/// This file has the text and its parameters; extensions write conditions and values. Writing a form returns the
/// precedence of its outermost operator, and the caller adds parentheses where it needs a higher one.
struct SQLWriter: ~Copyable {
    private let ownDialect: CompilerDialect
    private var bytes: SQLBuffer
    private(set) var bindings: BindingBuffer
    /// The functions that the text calls.
    private(set) var functions = SQLFunctionSet()
    /// A name that the database cannot hold.
    private(set) var unusableName: String?
    /// A piece that the dialect lacks; then the text is not valid.
    private(set) var missingPiece: String?
    /// A function that the text calls and that connections lack.
    private(set) var unregistered: SQLFunction?
    /// True if the text is longer than a statement may be; then nothing more is added.
    private(set) var isTooLong = false
    private let mostBytes: Int
    /// The deepest nesting of forms so far.
    private(set) var deepest = 0
    /// True if a part of the text reads rows of its own.
    var hasSubqueries = false
    /// The largest number of tables in one FROM.
    var mostTables = 0
    private var depth = 0
    private var numbers: PlaceholderNumbers?
    /// The rows of outer scopes; nil where every subquery can name them.
    var outerRows: OuterRows?
    /// The placeholders that are written, in the order of the text.
    private var placeholders: [StatementBody.Placeholder] = []
    /// The bounds of columns of the root that are written, in the order of the text.
    private var bounds: [StatementBody.Bound] = []

    init(_ dialect: CompilerDialect) {
        ownDialect = dialect
        mostBytes = dialect.limits.length
        bytes = SQLBuffer()
        bindings = BindingBuffer()
    }

    /// The dialect as a result: Swift 6.0 finds no end of a borrow that reads on from a stored reference.
    var dialect: CompilerDialect { ownDialect }

    var templates: DialectTemplates { dialect.templates }

    /// The length of the text in bytes.
    var count: Int { bytes.count }

    /// The text with its values.
    var fragment: SQLFragment { SQLFragment(bytes.text, bindings: bindings.values, types: placeholders.types) }

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

    /// The bounds that were written, as offsets after `start`.
    func bounds(from start: Int) -> [StatementBody.Bound] {
        bounds.map { bound in
            var bound = bound
            bound.range = bound.range.lowerBound - start..<bound.range.upperBound - start
            return bound
        }
    }

    /// Notes the bound that ends here, if it is one of the root.
    mutating func noteBound(_ column: ColumnForm, _ storage: SQLPiece.Storage, from start: Int) {
        guard column.alias == 0, outerRows == nil else { return }
        bounds.append(.init(range: start..<count, column: column.column, storage: storage))
    }

    mutating func note(_ function: SQLFunction) {
        functions.insert(function)
        if dialect.unregistered.contains(function) { unregistered = unregistered ?? function }
    }

    /// True if there is room for more; a shared form is written at each use, so that text may grow exponentially.
    @inline(__always)
    mutating func hasRoom() -> Bool {
        if bytes.count > mostBytes { isTooLong = true }
        return !isTooLong
    }

    mutating func note(missing piece: String) {
        missingPiece = missingPiece ?? piece
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
    mutating func writeSign(_ sign: StaticString) {
        bytes.append(UInt8(ascii: " "))
        write(sign)
        bytes.append(UInt8(ascii: " "))
    }

    /// A part of the text of a template.
    @inline(__always)
    mutating func writePart(_ part: Range<Int>, of template: SQLTemplate) {
        template.bytes.withUnsafeBufferPointer { bytes.append(UnsafeBufferPointer(rebasing: $0[part])) }
    }

    /// A name in its quotes.
    mutating func writeName(_ name: QuotedName) {
        guard let quoted = name.quoted else {
            unusableName = unusableName ?? name.text
            return bytes.append(UInt8(ascii: "?"))
        }
        writeBytes(quoted)
    }

    /// `t0`
    mutating func writeAlias(_ number: Int) {
        bytes.append(UInt8(ascii: "t"))
        if number < 10 { bytes.append(UInt8(ascii: "0") + UInt8(number)) } else { writeText(String(number)) }
    }

    /// `t0."age"`, under the name that it has where the writer is.
    mutating func writeColumn(_ column: ColumnReference, of alias: Int) {
        guard let outerRows else { return writeColumn(column, alias: alias) }
        let named = outerRows.name(of: column, alias)
        writeColumn(named.column, alias: named.alias)
    }

    /// The column to which a table is tied.
    mutating func writeTiedColumn(_ form: ColumnForm) {
        guard let outerRows else { return writeColumn(form.column, alias: form.alias) }
        let named = outerRows.nameInTie(of: form.column, form.alias)
        writeColumn(named.column, alias: named.alias)
    }

    private mutating func writeColumn(_ column: ColumnReference, alias: Int) {
        if alias == 0, let name = column.rootName { return writeBytes(name) }
        guard column.name.quoted != nil else { return writeName(column.name) }
        if column.hasSign { bytes.append(UInt8(ascii: "+")) }
        writeAlias(alias)
        bytes.append(UInt8(ascii: "."))
        writeName(column.name)
    }

    /// A placeholder: each parameter has one number, however often it occurs, if the dialect numbers them.
    mutating func writeParameter(_ parameter: SQLParameter) {
        guard dialect.features.contains(.numberedPlaceholders) else {
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

    private mutating func writePlaceholder(_ number: Int, _ type: SQLBinding.ParameterType) {
        let start = bytes.count
        if let placeholder = dialect.placeholder(number, type) {
            bytes.append(placeholder)
        } else {
            writeText(dialect.base.placeholder(number, for: type))
        }
        placeholders.append(.init(range: start..<bytes.count, binding: number - 1, type: type))
    }

    private mutating func writeText(_ text: String) {
        for byte in text.utf8 { bytes.append(byte) }
    }

    /// A name of ours, in its quotes.
    mutating func writeQuoted(_ name: String) {
        guard let quoted = dialect.base.quoted(name) else { return unusableName = unusableName ?? name }
        writeText(quoted)
    }

    @inline(__always)
    mutating func writeBytes(_ piece: [UInt8]) {
        piece.withUnsafeBufferPointer { bytes.append($0) }
    }

    mutating func writeBytes(_ piece: UnsafeBufferPointer<UInt8>) {
        bytes.append(piece)
    }
}

// MARK: - Operands

extension SQLWriter {
    /// Writes a template with its operands; a template that the dialect lacks is noted as `piece`.
    mutating func writeTemplate(
        _ template: SQLTemplate?, or piece: String, _ operand: (inout SQLWriter, Int) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        guard let template else {
            note(missing: piece)
            write("NULL")
            return .atom
        }
        return writeTemplate(template, operand)
    }

    /// Writes a template with its operands.
    mutating func writeTemplate(
        _ template: SQLTemplate, _ operand: (inout SQLWriter, Int) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        var position = 0
        var last = SQLText.Precedence.atom
        for placeholder in template.operands {
            writePart(position..<placeholder.position, of: template)
            position = placeholder.position
            last = writeOperand(placeholder.least) { writer in operand(&writer, placeholder.number) }
        }
        writePart(position..<template.bytes.count, of: template)
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

    /// The offset at which an operand begins.
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
        for index in bounds.indices.reversed() {
            let range = bounds[index].range
            guard range.lowerBound >= start else { break }
            bounds[index].range = range.lowerBound + 1..<range.upperBound + 1
        }
        return .atom
    }

    /// `a > b`
    mutating func writeComparison(
        _ sign: StaticString, _ left: (inout SQLWriter) -> SQLText.Precedence,
        _ right: (inout SQLWriter) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        writeOperand(.bit, left)
        writeSign(sign)
        writeOperand(.bit, right)
        return .comparison
    }
}

extension SQLWriter {
    /// The most entries that a form takes on a parser's stack, without those of its operands.
    private static let formWeight = 16

    /// The entries of a parser's stack that the text takes.
    var readStack: Int { bytes.withBytes { ParserStack($0).deepest } }

    /// The entries of a parser's stack that the text takes; an upper bound where that is within the limit.
    func parserStack(atMost limit: Int) -> Int {
        if Self.formWeight * deepest <= limit { return Self.formWeight * deepest }
        return readStack
    }
}

/// The numbers of the placeholders that are written already, by their parameters; 0 for a new parameter.
private struct PlaceholderNumbers {
    /// The numbers of the first parameters, inline, as long as two bytes hold them.
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

/// Writes the typed form as SQL, from left to right, in a dialect.
///
/// A condition is TRUE exactly where it holds, and FALSE or NULL where it does not: enough for WHERE, AND, OR, EXISTS
/// and CASE. In three-valued logic NOT NULL is NULL, so a negated condition is tested with IS NOT TRUE.
///
/// This file contains the buffer and its parameters; extensions write conditions and values. Writing a form returns
/// the precedence of its outermost operator, and the caller adds parentheses where it needs a higher one.
struct SQLWriter: ~Copyable {
    private let ownDialect: CompilerDialect
    private var bytes: [UInt8] = []
    /// The values, in the order of their placeholders.
    private(set) var bindings: [SQLBinding] = []
    /// The functions that the SQL calls.
    private(set) var functions: Set<SQLFunction> = []
    /// A name that the database cannot quote.
    private(set) var unusableName: String?
    /// A piece that the dialect lacks. The SQL is then invalid.
    private(set) var missingPiece: String?
    /// A function that the SQL calls and that the connections lack.
    private(set) var unregistered: SQLFunction?
    /// True if the SQL exceeds the maximum length. Nothing more is added then.
    private(set) var isTooLong = false
    private let mostBytes: Int
    /// True if each parameter has one number, however often it occurs.
    private let numbersParameters: Bool
    /// The number of the first parameter.
    private let firstParameter: Int
    /// The deepest nesting of forms so far.
    private(set) var deepest = 0
    /// The rows whose number the SQL names, by alias: only their tables are numbered.
    var numberedRows: Set<Int> = []
    /// True if the SQL contains subqueries.
    var hasSubqueries = false
    /// The largest number of tables in one FROM.
    private var mostTables = 0
    /// True if the SQL is not the same for other constants of the same classes.
    var dependsOnConstants = false
    /// The counts that the limits of a statement apply to.
    private(set) var size = StatementSize()
    private var depth = 0
    /// The numbers of the placeholders so far, by their parameters.
    private var numbers: [Int: Int] = [:]
    /// The rows of outer scopes; nil if every subquery can refer to them.
    var outerRows: OuterRows?
    /// The placeholders, in the order of the SQL.
    private var placeholders: [StatementBody.Placeholder] = []
    /// The bounds on columns of the root, in the order of the SQL.
    private var bounds: [StatementBody.Bound] = []

    init(_ dialect: CompilerDialect, _ style: SQLPlaceholders = .numbered(from: 1)) {
        ownDialect = dialect
        (numbersParameters, firstParameter) = (style.areNumbered(in: dialect), style.first)
        mostBytes = dialect.limits.length
    }

    /// The dialect, returned by a computed property: with a stored property, Swift 6.0 does not see where a borrow of
    /// it ends.
    var dialect: CompilerDialect { ownDialect }

    var templates: DialectTemplates { dialect.templates }

    /// The length of the SQL in bytes.
    var count: Int { bytes.count }

    /// The SQL with its values.
    var fragment: SQLFragment {
        SQLFragment(verbatim: text(0..<count), bindings: bindings, types: placeholders.types)
    }

    /// Returns a part of the SQL.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the placeholders since `start`, with offsets from there.
    func placeholders(from start: Int) -> [StatementBody.Placeholder] {
        placeholders.map { placeholder in
            var placeholder = placeholder
            placeholder.range = placeholder.range.lowerBound - start..<placeholder.range.upperBound - start
            return placeholder
        }
    }

    /// Returns the bounds since `start`, with offsets from there.
    func bounds(from start: Int) -> [StatementBody.Bound] {
        bounds.map { bound in
            var bound = bound
            bound.range = bound.range.lowerBound - start..<bound.range.upperBound - start
            return bound
        }
    }

    /// Records the bound that ends here, if it is on a column of the root.
    mutating func noteBound(_ column: ColumnForm, _ storage: SQLPiece.Storage, from start: Int) {
        guard column.alias == 0, outerRows == nil else { return }
        bounds.append(.init(range: start..<count, column: column.column, storage: storage))
    }

    mutating func note(_ function: SQLFunction) {
        functions.insert(function)
        if function.readsText { size.searches += 1 }
        if dialect.unregistered.contains(function) { unregistered = unregistered ?? function }
    }

    /// Returns true if the SQL is still shorter than its maximum length. A shared form is written at each use, so the
    /// SQL may grow exponentially.
    @inline(__always)
    mutating func hasRoom() -> Bool {
        if bytes.count > mostBytes { isTooLong = true }
        return !isTooLong
    }

    /// Counts a regular expression.
    mutating func noteSearch() { size.searches += 1 }

    /// Counts the tables of one FROM: the tables written now, and all of them.
    mutating func noteTables(_ written: Int, of all: Int) {
        mostTables = max(mostTables, all)
        size.tables += written
    }

    mutating func note(missing piece: String) {
        missingPiece = missingPiece ?? piece
    }
}

// MARK: - Pieces

extension SQLWriter {
    @inline(__always)
    mutating func write(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// ` = `
    @inline(__always)
    mutating func writeSign(_ sign: StaticString) {
        bytes.append(UInt8(ascii: " "))
        write(sign)
        bytes.append(UInt8(ascii: " "))
    }

    /// Writes a quoted name.
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

    /// `t0."age"`, under its name at the current place.
    mutating func writeColumn(_ column: ColumnReference, of alias: Int) {
        if column.isNumber { numberedRows.insert(alias) }
        guard let outerRows else { return writeColumn(column, alias: alias) }
        let named = outerRows.name(of: column, alias)
        writeColumn(named.column, alias: named.alias)
    }

    /// Writes the column in a join condition.
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

    /// Writes a placeholder. If placeholders are numbered, each parameter has one number, however often it occurs.
    mutating func writeParameter(_ parameter: SQLParameter) {
        guard numbersParameters else {
            bindings.append(parameter.binding)
            return writePlaceholder(bindings.count, parameter.type)
        }
        if let number = numbers[parameter.number] { return writePlaceholder(number, parameter.type) }
        bindings.append(parameter.binding)
        numbers[parameter.number] = bindings.count
        writePlaceholder(bindings.count, parameter.type)
    }

    private mutating func writePlaceholder(_ number: Int, _ type: SQLBinding.ParameterType) {
        let (start, shown) = (bytes.count, number - 1 + firstParameter)
        let isPlain = !numbersParameters && dialect.features.contains(.numberedPlaceholders)
        writeText(
            isPlain ? dialect.base.plainPlaceholder(for: type) : dialect.base.placeholder(shown, for: type))
        placeholders.append(.init(range: start..<bytes.count, binding: number - 1, type: type))
    }

    mutating func writeText(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes a number that the compiler chose.
    mutating func writeNumber(_ number: Int) { writeText(String(number)) }

    /// Writes a name that the compiler chose, in quotes.
    mutating func writeQuoted(_ name: String) {
        guard let quoted = dialect.base.quoted(name) else { return unusableName = unusableName ?? name }
        writeText(quoted)
    }

    mutating func writeBytes(_ piece: some Collection<UInt8>) { bytes.append(contentsOf: piece) }
}

// MARK: - Operands

extension SQLWriter {
    /// Writes a template with its operands. If the dialect lacks the template, records `piece` as missing.
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

    /// Writes a template whose only operand is a value.
    mutating func writeTemplate(
        _ template: SQLTemplate?, of value: ValueForm, or piece: String
    ) -> SQLText.Precedence {
        writeTemplate(template, or: piece) { writer, _ in writer.writeValue(value) }
    }

    /// Writes a template with its operands.
    mutating func writeTemplate(
        _ template: SQLTemplate, _ operand: (inout SQLWriter, Int) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        var position = 0
        var last = SQLText.Precedence.atom
        for placeholder in template.operands {
            writeBytes(template.bytes[position..<placeholder.position])
            position = placeholder.position
            last = writeOperand(placeholder.least) { writer in operand(&writer, placeholder.number) }
        }
        writeBytes(template.bytes[position...])
        return template.precedence ?? last
    }

    /// Writes an operand, in parentheses unless it binds tightly enough.
    @discardableResult
    mutating func writeOperand(
        _ least: SQLText.Precedence, _ operand: (inout SQLWriter) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        let start = bytes.count
        depth += 1
        deepest = max(deepest, depth)
        let precedence = operand(&self)
        depth -= 1
        guard precedence < least else { return precedence }
        bytes.insert(UInt8(ascii: "("), at: start)
        bytes.append(UInt8(ascii: ")"))
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
        _ left: ValueForm, _ sign: StaticString, _ right: ValueForm
    ) -> SQLText.Precedence {
        writeComparison(sign, { $0.writeValue(left) }, { $0.writeValue(right) })
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
    /// The maximum number of parser stack entries of a form, without its operands.
    private static let formWeight = 16

    /// The number of parser stack entries that the SQL needs.
    var readStack: Int { ParserStack(bytes).deepest }

    /// Returns the number of parser stack entries, or an upper bound if that is within the limit.
    func parserStack(atMost limit: Int) -> Int {
        if Self.formWeight * deepest <= limit { return Self.formWeight * deepest }
        return readStack
    }
}

extension SQLWriter {
    /// Throws for a statement that the database cannot read or express.
    borrowing func checkLimits() throws(CompilationFault) {
        if let obstacle = obstacle { throw CompilationFault(obstacle, at: .root) }
        if let name = unusableName { throw CompilationFault(.unusableName(name), at: .root) }
        let (limit, found) = (dialect.limits.parameters, bindings.count)
        if found > limit { throw CompilationFault(.tooManyParameters(limit: limit, found: found), at: .root) }
    }

    /// The SQL with its values. Throws for a statement that the database cannot read or express.
    borrowing func checkedFragment() throws(SQLCompilationError) -> SQLFragment {
        do throws(CompilationFault) { try checkLimits() } catch { throw SQLCompilationError(error.code) }
        return fragment
    }

    /// The reason why the database cannot read the statement; nil for a valid statement.
    private var obstacle: SQLCompilationError.Obstacle? {
        let limits = dialect.limits
        if let piece = missingPiece { return .function(piece, dialect: dialect.name) }
        if let unregistered { return .unregisteredFunction(unregistered) }
        if isTooLong { return .size(limit: limits.length) }
        if mostTables > limits.tables { return .joins(limit: limits.tables, dialect: dialect.name) }
        guard parserStack(atMost: limits.parserStack) > limits.parserStack else { return nil }
        return .depth(limit: limits.parserStack, dialect: dialect.name)
    }
}

extension SQLWriter {
    /// ` ORDER BY t1."name", t1."id"`: a total order.
    mutating func writeOrder(
        _ terms: [OrderTerm], then keys: [ColumnReference], of alias: Int, isReversed: Bool = false
    ) {
        writeOrder(terms)
        write(terms.isEmpty ? " ORDER BY " : ", ")
        writeList(keys) { writer, key in
            writer.writeColumn(key, of: alias)
            if isReversed { writer.write(" DESC") }
        }
    }

    /// ` ORDER BY t1."name"`; nothing without terms.
    mutating func writeOrder(_ terms: [OrderTerm]) {
        if !terms.isEmpty { write(" ORDER BY ") }
        writeList(terms) { (writer: inout SQLWriter, term: OrderTerm) in writer.writeTerm(term) }
    }

    private mutating func writeTerm(_ term: OrderTerm) {
        if let group = term.group {
            writeTerm(OrderTerm(form: group, isText: false, ascending: term.ascending, nullsFirst: term.nullsFirst))
            write(", ")
        }
        let key = SQLText(operand: 0)
        let template =
            if let nullsFirst = term.nullsFirst {
                dialect.base.template(of: .orderTerm(key, ascending: term.ascending, nullsFirst: nullsFirst))
            } else {
                SQLTemplate(term.ascending ? "\(key)" : "\(key) DESC", dialect.base)
            }
        _ = writeTemplate(template, or: "an order") { writer, _ in
            term.isText ? writer.writeComparable(term.form, ordered: true) : writer.writeValue(term.form)
        }
    }

    /// ` LIMIT 10 OFFSET 20`
    mutating func writePage(_ limit: ValueForm?, _ offset: ValueForm?) {
        if limit == nil, offset == nil { return }
        let piece = SQLPiece.limit(
            limit.map { _ in SQLText(operand: 0) }, offset: offset.map { _ in SQLText(operand: 1) })
        let template = dialect.base.template(of: piece)
        write(" ")
        _ = writeTemplate(template, or: "a page") { writer, operand in
            (operand == 0 ? limit : offset).map { writer.writeValue($0) } ?? .atom
        }
    }

    /// `t1."id" IN (SELECT t2."id" FROM … ORDER BY … LIMIT 3)`
    mutating func writeMembership(of value: ValueForm, on page: PageForm) -> SQLText.Precedence {
        writeOperand(.bit) { $0.writeValue(value) }
        write(" IN ")
        writeSubquery(over: page.scope) { parts in
            parts.addParts(of: page)
        } _: { writer in
            _ = writer.writeTemplate(writer.templates.selection, or: "a page of rows") { writer, _ in
                writer.writeRows(of: page)
                return .or
            }
        }
        return .comparison
    }

    private mutating func writeRows(of page: PageForm) {
        write("SELECT ")
        writeColumn(page.key.column, of: page.key.alias)
        writeTables(of: page.scope, page.condition)
        writeOrder(page.order, then: [page.key.column], of: page.key.alias)
        writePage(page.limit, page.offset)
    }
}

import PredicateSyntax

/// How the cells of a column are read: its type, and the notation of its numbers and dates.
package struct ColumnReading: Hashable, Sendable {
    package var type: ColumnType
    /// Where the type comes from.
    package var origin: Origin
    /// True for numbers such as `1.234,5`.
    package var hasDecimalComma = false
    /// The order of dates such as `25.12.2024`; nil for ISO 8601.
    package var dateOrder: DateOrder?
    /// True if `NA` and its like, outside quotes, are nil.
    package var hasNilWords = false
    /// True for dates without a time.
    package var isDay = false
    /// True if some number is a percentage: `12%` is 0.12.
    package var hasPercentages = false
    /// True if some number is in parentheses: `(99.90)` is -99.9.
    package var hasParentheses = false

    package enum Origin: Hashable, Sendable {
        /// `--types age=integer`
        case declared
        /// From all rows.
        case inferred
        /// From the first rows of a pipe.
        case sampled
    }

    package init(_ type: ColumnType, _ origin: Origin) {
        (self.type, self.origin) = (type, origin)
        hasNilWords = origin == .declared && type.converts
    }

    /// True if every cell but the empty ones is its text.
    @inline(__always)
    var isPlainText: Bool { type == .string && !hasNilWords }

    /// True if most cells are the numbers of JSON.
    @inline(__always)
    var isPlainNumber: Bool { (type == .integer || type == .double) && !hasDecimalComma }

    /// True if a cell may not have the type.
    var mayFail: Bool {
        switch origin {
        case .declared, .sampled: type.converts
        case .inferred: false
        }
    }
}

extension ColumnReading {
    /// Returns the value of a cell; nil if it is not of the type.
    func value(of cell: UnsafeBufferPointer<UInt8>, isQuoted: Bool) -> PredicateValue? {
        if hasNilWords, !isQuoted, cell.isNilWord { return .null }
        let cell = type.converts ? cell.withoutOuterSpaces : cell
        guard !cell.isEmpty else { return type.value(of: cell, isQuoted: isQuoted) }
        switch type {
        case .integer, .double, .decimal: return number(cell, isQuoted)
        case .date:
            let ordered = dateOrder.flatMap { CalendarDate.read(cell, $0)?.date }.map(PredicateValue.date)
            return ordered ?? type.value(of: cell, isQuoted: isQuoted)
                ?? (CalendarDate.readUnambiguous(cell)?.date).map(PredicateValue.date)
        case .boolean where origin != .declared && !cell.isBooleanWord && cell.booleanLetter == nil: return nil
        case .string, .boolean, .uuid, .data, .automatic: return type.value(of: cell, isQuoted: isQuoted)
        }
    }

    private func number(_ cell: UnsafeBufferPointer<UInt8>, _ isQuoted: Bool) -> PredicateValue? {
        if !hasDecimalComma, origin == .declared, let value = type.value(of: cell, isQuoted: isQuoted) { return value }
        guard let plain = NumberText.plain(cell, hasDecimalComma: hasDecimalComma) else {
            return nil
        }
        return plain.withUnsafeBufferPointer { type.value(of: $0, isQuoted: isQuoted) }
    }
}

extension ColumnReading {
    /// Returns the value of a text that a cell of the column could have; nil if it is not of the type.
    package func value(of text: String) -> PredicateValue? {
        var text = text
        if text.isEmpty { return nil }
        return text.withUTF8 { value(of: $0, isQuoted: false) }
    }
}

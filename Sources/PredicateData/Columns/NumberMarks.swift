/// What stands around the digits of a number: a sign, a currency, parentheses, spaces.
///
/// `$1,234.50`, `-$7`, `$(99.90)`, `1.234,50 €`, `CHF 1'234.50`, `+0.5`, ` $-   `
///
/// A number in parentheses is negative, as accounts have it; a hyphen alone beside a currency is zero.
struct NumberMarks {
    private(set) var isNegative = false
    private(set) var hasParentheses = false
    private(set) var hasPlus = false
    /// The place of the currency in ``currencies``; nil without one.
    private(set) var currency: Int?
    /// The digits, with separators, exponent and percent sign; empty for zero.
    private(set) var digits: Range<Int>

    /// Signs and codes of currencies. A column has one of them.
    private static let currencies = [
        "$", "€", "£", "¥", "₹", "₽", "₩", "₪", "₺", "₴", "₦", "₫", "₱", "฿", "¢", "¤", "US$", "CA$", "C$", "A$", "AU$",
        "NZ$", "R$", "kr", "kr.", "zł", "Kč", "Ft", "lei", "Fr.", "CHF", "EUR", "USD", "GBP", "JPY", "CNY", "INR",
        "BRL",
        "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "TRY", "ZAR", "MXN", "SGD", "HKD", "KRW",
    ].map { Array($0.utf8) }

    /// Reads the marks of a cell; nil if there are none, or others.
    init?(_ cell: UnsafeBufferPointer<UInt8>) {
        digits = 0..<cell.count
        dropSpaces(cell)
        readSign(cell)
        readCurrency(cell)
        if !hasSign { readSign(cell) }
        if !hasSign, digits.first.map({ cell[$0] == Byte.openParenthesis }) ?? false, cell[digits].last != nil {
            guard readParentheses(cell) else { return nil }
            readCurrency(cell)
        }
        guard digits.count < cell.count else { return nil }
        guard isZero || digits.first.map({ Self.mayBegin(cell[$0]) }) ?? false else { return nil }
    }

    /// ` $-   `
    private var isZero: Bool { digits.isEmpty && currency != nil && isNegative && !hasParentheses }

    private static func mayBegin(_ byte: UInt8) -> Bool { byte.isDigit || byte == Byte.dot || byte == Byte.comma }

    private var hasSign: Bool { isNegative || hasPlus }

    /// `-`, `+`, and U+2212, the minus sign of mathematics
    private mutating func readSign(_ cell: UnsafeBufferPointer<UInt8>) {
        if drop("-", cell) || drop("\u{2212}", cell) { isNegative = true } else if drop("+", cell) { hasPlus = true }
    }

    /// Reads a currency before or after the rest, and the spaces beside it.
    private mutating func readCurrency(_ cell: UnsafeBufferPointer<UInt8>) {
        guard currency == nil, let first = digits.first, let last = digits.last else { return }
        if !cell[first].isDigit, let found = Self.longest({ cell[digits].starts(with: $0) }) {
            (currency, digits) = (found, digits.dropFirst(Self.currencies[found].count))
        } else if !cell[last].isDigit, let found = Self.longest({ cell[digits].suffix($0.count).elementsEqual($0) }) {
            (currency, digits) = (found, digits.dropLast(Self.currencies[found].count))
        }
        if currency != nil { dropSpaces(cell) }
    }

    private static func longest(_ isThere: ([UInt8]) -> Bool) -> Int? {
        currencies.indices.filter { isThere(currencies[$0]) }.max { currencies[$0].count < currencies[$1].count }
    }

    /// Reads `(` and `)`; returns false if one is missing.
    private mutating func readParentheses(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        guard digits.count > 2, cell[digits.upperBound - 1] == Byte.closeParenthesis else { return false }
        digits = digits.dropFirst().dropLast()
        (hasParentheses, isNegative) = (true, true)
        dropSpaces(cell)
        return true
    }

    private mutating func drop(_ mark: StaticString, _ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        guard cell[digits].starts(with: mark) else { return false }
        digits = digits.dropFirst(mark.count)
        return true
    }

    /// Drops spaces at both ends, those that do not break too.
    private mutating func dropSpaces(_ cell: UnsafeBufferPointer<UInt8>) {
        while let first = digits.first, let length = NumberText.space(cell, first) {
            digits = digits.dropFirst(min(length, digits.count))
        }
        while let last = digits.last, let length = Self.spaceBefore(last + 1, cell, from: digits.lowerBound) {
            digits = digits.dropLast(length)
        }
    }

    private static func spaceBefore(_ end: Int, _ cell: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        (1...3).first { end - $0 >= start && NumberText.space(cell, end - $0) == $0 }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes without the spaces around them.
    var withoutOuterSpaces: UnsafeBufferPointer<UInt8> {
        guard first == Byte.space || last == Byte.space else { return self }
        guard let first = firstIndex(where: { $0 != Byte.space }), let last = lastIndex(where: { $0 != Byte.space })
        else {
            return slice(0..<0)
        }
        return slice(first..<last + 1)
    }
}

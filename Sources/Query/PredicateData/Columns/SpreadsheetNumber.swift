import PredicateJSON

/// A number as spreadsheets and statistics programs write it.
///
/// `1234.5`, `1,234.50`, `1.234,50`, `1 234,5`, `1'234.5`, `12%`, `1.5E+05`, `Inf`; with ``NumberMarks``: `$5`, `(5)`
///
/// Groups have three digits and one separator. Digits with a leading zero are not a number: `01234` is a string.
struct SpreadsheetNumber {
    /// The readings that are possible: with a decimal point, with a decimal comma, both, or none.
    private(set) var readings: CellReadings = []
    private(set) var traits: CellTraits = []
    /// The characters around the digits, except for a leading hyphen.
    private(set) var marks: NumberMarks?
    private var digitCount = 0

    /// The maximum number of digits of an integer; with more, it is a string.
    private static let maximumDigits = 38

    init(_ cell: UnsafeBufferPointer<UInt8>) {
        if !readPlain(cell) {
            readGeneral(cell)
            if readings.isEmpty { readMarked(cell) }
        }
        if digitCount > 18, !readings.isEmpty { checkSize(cell) }
        var others: CellTraits = cell.first == Byte.minus ? .minus : []
        if marks == nil { others.insert(.bareNumber) }
        traits.formUnion(others)
    }

    /// Reads a number with marks around it.
    @inline(never)
    private mutating func readMarked(_ cell: UnsafeBufferPointer<UInt8>) {
        guard let marks = NumberMarks(cell) else { return }
        let digits = cell.slice(marks.digits)
        if digits.isEmpty {
            readings = .number
        } else if !readPlain(digits) {
            readGeneral(digits)
        }
        if readings.isEmpty { return }
        self.marks = marks
        if marks.currency != nil { traits.insert(.currency) }
        if marks.hasParentheses { traits.insert(.parentheses) }
        if marks.hasPlus { traits.insert(.plus) }
        if marks.isNegative, !marks.hasParentheses { traits.insert(.minus) }
        if !marks.hasParentheses, !marks.hasPlus { traits.insert(.bareNumber) }
    }

    /// Reads digits with at most one point; returns false for anything else.
    private mutating func readPlain(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = cell.first == Byte.minus ? 1 : 0
        let first = index
        while index < cell.count, cell[index].isDigit { index += 1 }
        digitCount = index - first
        if digitCount == 0 { return false }
        let hasLeadingZero = digitCount > 1 && cell[first] == Byte.zero
        if index == cell.count {
            if !hasLeadingZero { readings = .number }
            return true
        }
        guard cell[index] == Byte.dot else { return false }
        let fraction = index + 1
        index = fraction
        while index < cell.count, cell[index].isDigit { index += 1 }
        if index < cell.count { return false }
        if index == fraction || hasLeadingZero { return true }
        (readings, traits) = (.pointNumber, .pointFraction)
        if index - fraction == 3, digitCount <= 3, cell[first] != Byte.zero {
            readings.insert(.commaNumber)
            traits.insert(.commaGroups)
        }
        return true
    }

    /// Notes an integer that does not fit into 64 bits, or that is too long.
    private mutating func checkSize(_ cell: UnsafeBufferPointer<UInt8>) {
        if digitCount > Self.maximumDigits { return readings = [] }
        let text = cell.filter { $0.isDigit || $0 == Byte.minus }
        if Int64(String(decoding: text, as: UTF8.self)) == nil { traits.insert(.isBig) }
    }
}

extension SpreadsheetNumber {
    /// Digits, and the separator after them.
    private struct DigitGroup {
        var count = 0
        var separator: Separator?
    }

    private enum Separator { case comma, point, space, apostrophe }

    private mutating func readGeneral(_ cell: UnsafeBufferPointer<UInt8>) {
        digitCount = 0
        if let isNumber = Self.isInfinity(cell) {
            if isNumber { (readings, traits) = (.number, [.pointFraction, .commaFraction]) }
            return
        }
        var index = cell.first == Byte.minus ? 1 : 0
        let first = index
        let groups = Self.groups(cell, &index)
        let hasExponent = Self.skipExponent(cell, &index)
        let isPercent = Self.skipPercent(cell, &index)
        guard index == cell.count, let last = groups.last, last.count > 0, !(hasExponent && isPercent) else { return }
        let leading = groups[0].count
        if leading > 1, cell[first] == Byte.zero { return }
        for (decimal, reading) in [(Separator.point, CellReadings.pointNumber), (.comma, .commaNumber)] {
            guard let form = Self.form(groups, decimal, startsWithZero: cell[first] == Byte.zero) else { continue }
            readings.insert(reading)
            digitCount = max(digitCount, form.wholeDigits)
            if form.hasFraction || hasExponent { traits.insert(decimal == .point ? .pointFraction : .commaFraction) }
            if form.hasGroups { traits.insert(decimal == .point ? .pointGroups : .commaGroups) }
        }
        if isPercent { traits.insert(.percent) }
        if hasExponent, !Self.isFinite(cell, hasDecimalComma: readings == .commaNumber) { readings = [] }
    }

    /// False for `1e400`, which is a string.
    private static func isFinite(_ cell: UnsafeBufferPointer<UInt8>, hasDecimalComma: Bool) -> Bool {
        guard let exponent = cell.lastIndex(where: { $0 | 0x20 == 0x65 }) else { return true }
        let mantissa = cell.slice(0..<exponent)
        guard var plain = plain(mantissa, hasDecimalComma: hasDecimalComma) else { return false }
        plain += cell[exponent...]
        return plain.withUnsafeBufferPointer { ColumnType.double.value(of: $0, isQuoted: false) } != nil
    }

    /// Returns the form of a number with a decimal separator; nil if it is not a number.
    private static func form(
        _ groups: [DigitGroup], _ decimal: Separator, startsWithZero: Bool
    ) -> (hasFraction: Bool, hasGroups: Bool, wholeDigits: Int)? {
        let hasFraction = groups.count > 1 && groups[groups.count - 2].separator == decimal
        let whole = hasFraction ? groups.dropLast() : groups[...]
        guard let first = whole.first else { return nil }
        let digits = whole.reduce(0) { $0 + $1.count }
        if whole.count == 1 {
            // `.5`: the whole part may be missing before a fraction.
            return first.count > 0 || hasFraction ? (hasFraction, false, digits) : nil
        }
        let separator = first.separator
        guard separator != decimal, (1...3).contains(first.count), !startsWithZero else { return nil }
        guard whole.dropFirst().allSatisfy({ $0.count == 3 }),
            whole.dropLast().allSatisfy({ $0.separator == separator })
        else { return nil }
        return (hasFraction, true, digits)
    }

    private static func groups(_ cell: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> [DigitGroup] {
        var groups = [DigitGroup()]
        while index < cell.count {
            if cell[index].isDigit {
                groups[groups.count - 1].count += 1
                index += 1
            } else if let (separator, length) = separator(cell, index), index + length < cell.count,
                cell[index + length].isDigit
            {
                groups[groups.count - 1].separator = separator
                groups.append(DigitGroup())
                index += length
            } else {
                break
            }
        }
        return groups
    }

    private static func separator(_ cell: UnsafeBufferPointer<UInt8>, _ index: Int) -> (Separator, Int)? {
        switch cell[index] {
        case Byte.comma: (.comma, 1)
        case Byte.dot: (.point, 1)
        case Byte.apostrophe: (.apostrophe, 1)
        default: space(cell, index).map { (.space, $0) }
        }
    }

    /// Returns the length of a space: U+0020 or one of the no-break spaces U+00A0 and U+202F.
    static func space(_ cell: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        if cell[index] == Byte.space { return 1 }
        if cell[index] == 0xC2, index + 1 < cell.count, cell[index + 1] == 0xA0 { return 2 }
        let isNarrow =
            cell[index] == 0xE2 && index + 2 < cell.count && cell[index + 1] == 0x80 && cell[index + 2] == 0xAF
        return isNarrow ? 3 : nil
    }

    private static func skipExponent(_ cell: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        guard index < cell.count, cell[index] | 0x20 == 0x65 else { return false }
        var next = index + 1
        if next < cell.count, cell[next] == Byte.plus || cell[next] == Byte.minus { next += 1 }
        guard next < cell.count, cell[next...].allSatisfy(\.isDigit) else { return false }
        index = cell.count
        return true
    }

    private static func skipPercent(_ cell: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        guard cell.last == Byte.percent else { return false }
        if index < cell.count - 1, let length = space(cell, index) { index += length }
        guard index == cell.count - 1 else { return false }
        index += 1
        return true
    }

    /// True for `Inf`, `-inf`, `Infinity` and the other spellings of infinity in R, pandas and Java; nil for cells that do not
    /// begin with an I.
    private static func isInfinity(_ cell: UnsafeBufferPointer<UInt8>) -> Bool? {
        let word = cell.first == Byte.minus ? cell.dropFirst() : cell[...]
        guard let first = word.first, first | 0x20 == 0x69 else { return nil }
        return ["Inf", "inf", "Infinity", "infinity"].contains { word.elementsEqual($0.utf8) }
    }
}

extension SpreadsheetNumber {
    /// Returns a number as JSON writes it: `1.234,5` with a decimal comma is `1234.5`, `12%` is `12e-2`; nil for a
    /// string that is not a number.
    static func plain(_ cell: UnsafeBufferPointer<UInt8>, hasDecimalComma: Bool) -> [UInt8]? {
        let number = SpreadsheetNumber(cell)
        guard number.readings.contains(hasDecimalComma ? .commaNumber : .pointNumber) else { return nil }
        if let marks = number.marks {
            if marks.digits.isEmpty { return [Byte.zero] }
            let digits = plain(cell.slice(marks.digits), hasDecimalComma: hasDecimalComma)
            return digits.map { (marks.isNegative ? [Byte.minus] : []) + $0 }
        }
        if let first = cell.first(where: { $0 != Byte.minus }), first | 0x20 == 0x69 {
            return Array((cell[0] == Byte.minus ? "-1e999" : "1e999").utf8)
        }
        let decimal = hasDecimalComma ? Byte.comma : Byte.dot
        var plain: [UInt8] = []
        for byte in cell {
            switch byte {
            case decimal:
                if plain.last.map({ !$0.isDigit }) ?? true { plain.append(Byte.zero) }
                plain.append(Byte.dot)
            case Byte.zero...Byte.nine, Byte.minus, Byte.plus, 0x45, 0x65: plain.append(byte)
            case Byte.percent: plain += Array("e-2".utf8)
            default: break
            }
        }
        return plain
    }
}

/// The characters around the digits of a number: a sign, a currency, parentheses, spaces.
///
/// `$1,234.50`, `-$7`, `$(99.90)`, `1.234,50 €`, `CHF 1'234.50`, `+0.5`, ` $- `
///
/// A number in parentheses is negative, as in accounting. A hyphen with a currency and no digits is zero.
struct NumberMarks {
    private(set) var isNegative = false
    private(set) var hasParentheses = false
    private(set) var hasPlus = false
    /// The index of the currency in ``currencies``; nil if there is no currency.
    private(set) var currency: Int?
    /// The digits, with separators, exponent and percent sign; empty for zero.
    private(set) var digits: Range<Int>

    /// Symbols and codes of currencies. A column has one of them.
    private static let currencies = [
        "$", "€", "£", "¥", "₹", "₽", "₩", "₪", "₺", "₴", "₦", "₫", "₱", "฿", "¢", "¤", "US$", "CA$", "C$", "A$", "AU$",
        "NZ$", "R$", "kr", "kr.", "zł", "Kč", "Ft", "lei", "Fr.", "CHF", "EUR", "USD", "GBP", "JPY", "CNY", "INR",
        "BRL",
        "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "TRY", "ZAR", "MXN", "SGD", "HKD", "KRW",
    ].map { Array($0.utf8) }

    /// Reads the marks of a cell; nil if there are none or if they are invalid.
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

    /// `-`, `+`, and U+2212, the minus sign
    private mutating func readSign(_ cell: UnsafeBufferPointer<UInt8>) {
        if drop("-", cell) || drop("\u{2212}", cell) { isNegative = true } else if drop("+", cell) { hasPlus = true }
    }

    /// Reads a currency before or after the rest, and the spaces next to it.
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

    /// Drops spaces at both ends, including no-break spaces.
    private mutating func dropSpaces(_ cell: UnsafeBufferPointer<UInt8>) {
        while let first = digits.first, let length = SpreadsheetNumber.space(cell, first) {
            digits = digits.dropFirst(min(length, digits.count))
        }
        while let last = digits.last, let length = Self.spaceBefore(last + 1, cell, from: digits.lowerBound) {
            digits = digits.dropLast(length)
        }
    }

    private static func spaceBefore(_ end: Int, _ cell: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        (1...3).first { end - $0 >= start && SpreadsheetNumber.space(cell, end - $0) == $0 }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes without leading and trailing spaces.
    var withoutOuterSpaces: UnsafeBufferPointer<UInt8> {
        guard first == Byte.space || last == Byte.space else { return self }
        guard let first = firstIndex(where: { $0 != Byte.space }), let last = lastIndex(where: { $0 != Byte.space })
        else {
            return slice(0..<0)
        }
        return slice(first..<last + 1)
    }
}

import PredicateJSON
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The declared type of a column.
///
/// `name=string,age=integer,born=date`
package enum ColumnType: String, Hashable, Sendable, CaseIterable {
    /// A string; an empty field is null unless it is quoted.
    case string
    /// `42`, `-7`, `+1`, `007`
    case integer
    /// `2.5`, `1e3`, `.5`
    case double
    /// `1.10`, exact
    case decimal
    /// `true`, `yes`, `1` and `false`, `no`, `0`, in upper or lower case; also `t`, `y`, `f`, `n`, and words such as
    /// `WAHR` and `FAUX`
    case boolean
    /// A date or time in a form that ``ISO8601`` reads, or as ``JSONDate`` writes dates that ISO 8601 cannot express
    case date
    /// `137DECC8-B300-4954-A233-F89909F4FD89`
    case uuid
    /// Base 64
    case data
    /// The form of each field decides: an empty field is null, a JSON number is a number, `true` and `false` in upper
    /// or lower case are Booleans, and anything else, including `004`, is a string.
    case automatic

    /// Returns the types of a declaration: `age=integer,born=date`. Throws a ``DataError`` with the offset of the
    /// invalid part. A name may contain equals signs; the type follows the last one.
    package static func types(_ declaration: String) throws(DataError) -> [String: ColumnType] {
        var types: [String: ColumnType] = [:]
        for part in declaration.split(separator: ",") {
            let offset = part.utf8.distance(from: declaration.startIndex, to: part.startIndex)
            let column = declaration[..<part.startIndex].unicodeScalars.count + 1
            guard let equals = part.lastIndex(of: "="), equals != part.startIndex else {
                throw DataError(.invalidTypeDeclaration(String(part)), offset: offset, column: column)
            }
            let name = part[part.index(after: equals)...].lowercased()
            guard let type = ColumnType(rawValue: name) ?? spellings[name] else {
                throw DataError(.unknownColumnType(name), offset: offset, column: column)
            }
            types[String(part[..<equals])] = type
        }
        return types
    }

    /// Returns the name of a type, given the name that another tool uses for it: `integer` for `int`
    package static func spelling(_ word: String) -> String? { spellings[word.lowercased()]?.rawValue }

    /// The names that other tools use for the types.
    private static let spellings: [String: ColumnType] = [
        "str": .string, "text": .string, "varchar": .string, "char": .string, "chr": .string,
        "int": .integer, "int32": .integer, "int64": .integer, "long": .integer, "bigint": .integer,
        "float": .double, "float32": .double, "float64": .double, "real": .double, "number": .double,
        "numeric": .decimal,
        "bool": .boolean, "logical": .boolean, "datetime": .date, "timestamp": .date, "guid": .uuid, "auto": .automatic,
        "blob": .data, "bytes": .data,
    ]

    /// `text`, `an integer`
    package var noun: String {
        switch self {
        case .string: "text"
        case .integer: "an integer"
        case .double: "a number"
        case .decimal: "a decimal number"
        case .boolean: "a Boolean"
        case .date: "a date"
        case .uuid: "a UUID"
        case .data: "data"
        case .automatic: "of any type"
        }
    }

    /// The names of the types, for messages.
    static let list = allCases.map(\.rawValue).joined(separator: ", ")
}

extension ColumnType {
    /// Returns the value of a field; nil if it is not of the type. An empty field is null. An empty field in quotes is an empty
    /// string or empty data in a column of that type. A date without an offset is in `zone`, or in UTC if that is nil.
    func value(of field: UnsafeBufferPointer<UInt8>, isQuoted: Bool, in zone: LocalZone? = nil) -> PredicateValue? {
        if field.isEmpty { return isQuoted ? emptyValue : .null }
        switch self {
        case .string: return .string(String(decoding: field, as: UTF8.self))
        case .integer: return Self.integer(field)
        case .double: return Self.double(field)
        case .decimal: return Self.decimal(field)
        case .boolean: return Self.boolean(field)
        case .date: return JSONDate.date(from: field, in: zone).map(PredicateValue.date)
        case .uuid: return UUID(uuidString: String(decoding: field, as: UTF8.self)).map(PredicateValue.uuid)
        case .data: return Data(base64Encoded: String(decoding: field, as: UTF8.self)).map(PredicateValue.data)
        case .automatic: return Self.automatic(field)
        }
    }

    private var emptyValue: PredicateValue {
        switch self {
        case .string: .string("")
        case .data: .data(Data())
        case .integer, .double, .decimal, .boolean, .date, .uuid, .automatic: .null
        }
    }

    /// Returns a JSON number as a decimal number or a double, read from its digits; nil if a decimal number would be rounded.
    fileprivate func value(ofNumber number: PredicateValue, _ text: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        switch self {
        case .double:
            if case .double = number { return number }
            return Self.double(text)
        case .decimal:
            if case .double(let value) = number, value.isInfinite { return number }
            return Self.decimal(text)
        case .string, .integer, .boolean, .date, .uuid, .data, .automatic: return number
        }
    }

    private static func automatic(_ field: UnsafeBufferPointer<UInt8>) -> PredicateValue {
        let first = field[0]
        if first.isDigit || first == Byte.minus {
            if let number = try? JSONNumber(field, from: 0), number.range.count == field.count,
                let value = try? number.value(in: field)
            {
                return value
            }
        } else if field.count <= 5, let value = word(field) {
            return value
        }
        return .string(String(decoding: field, as: UTF8.self))
    }

    static func word(_ field: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        if matches(field, "true") { return .bool(true) }
        return matches(field, "false") ? .bool(false) : nil
    }

    private static func boolean(_ field: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        if let value = field.booleanWord { return .bool(value) }
        if let value = field.booleanLetter { return .bool(value) }
        if ["yes", "y", "1"].contains(where: { matches(field, $0) }) { return .bool(true) }
        return ["no", "n", "0"].contains(where: { matches(field, $0) }) ? .bool(false) : nil
    }

    /// Returns true if a field is a certain word, which is given in lower case; the field may be in any case.
    private static func matches(_ field: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
        guard field.count == word.utf8CodeUnitCount else { return false }
        return field.indices.allSatisfy { field[$0] | 0x20 == word.utf8Start[$0] | 0x20 && field[$0] >= 0x30 }
    }

    private static func integer(_ field: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        let text = String(decoding: field, as: UTF8.self)
        if let value = Int64(text) { return .integer(value) }
        return (try? JSONNumber(field, from: 0)).flatMap { number in
            number.isInteger && number.range.count == field.count ? try? number.value(in: field) : nil
        }
    }

    static func double(_ field: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        guard isNumberText(field), let value = Double(String(decoding: field, as: UTF8.self)) else { return nil }
        let isInfinity = { (try? JSONNumber(field, from: 0))?.isInfinite == true }
        return value.isFinite || isInfinity() ? .double(value) : nil
    }

    /// Returns a decimal number; nil if it would be rounded.
    private static func decimal(_ field: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        let text = String(decoding: field, as: UTF8.self)
        guard isNumberText(field), Double(text) != nil, let value = Decimal(string: text), !value.isNaN,
            significantDigits(of: value.description) == significantDigits(of: text)
        else { return nil }
        return .decimal(value)
    }

    /// Returns the digits of a number without leading and trailing zeros. Rounding a number changes them.
    private static func significantDigits(of number: String) -> [UInt8] {
        let mantissa = number.utf8.prefix { $0 | 0x20 != 0x65 }.filter(\.isDigit)
        let digits = mantissa.drop { $0 == Byte.zero }
        return Array(
            digits.prefix((digits.lastIndex { $0 != Byte.zero } ?? digits.startIndex - 1) + 1 - digits.startIndex))
    }

    /// Returns true for digits, signs, dots and exponents; false for words such as `nan` and for hexadecimal numbers.
    private static func isNumberText(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
        field.allSatisfy {
            $0.isDigit || $0 == Byte.minus || $0 == Byte.plus || $0 == Byte.dot || $0 | 0x20 == 0x65
        }
    }
}

/// How the cells of a column are read: the type, and the notation of numbers and dates.
package struct ColumnReading: Hashable, Sendable {
    package var type: ColumnType
    /// The origin of the type.
    package var origin: TypeOrigin
    /// True for numbers such as `1.234,5`.
    package var hasDecimalComma = false
    /// The notation of dates; nil for ISO 8601 and for dates that name the month.
    package var dateNotation: DateNotation?
    /// The orders in which the strings of the column are dates, if none of them is certain.
    package var possibleDates: [DateNotation] = []
    /// The zone of dates without an offset; nil for UTC.
    package var zone: LocalZone?
    /// True if `NA` and similar words, outside quotes, are nil.
    package var hasNilWords = false
    /// True for dates without a time.
    package var isDay = false
    /// True if some number is a percentage: `12%` is 0.12.
    package var hasPercentages = false
    /// True if some number is in parentheses: `(99.90)` is -99.9.
    package var hasParentheses = false

    package enum TypeOrigin: Hashable, Sendable {
        /// `--types age=integer`
        case declared
        /// From all rows.
        case inferred
        /// From the first rows of a pipe.
        case sampled
    }

    package init(_ type: ColumnType, _ origin: TypeOrigin, in zone: LocalZone? = nil) {
        (self.type, self.origin, self.zone) = (type, origin, zone)
        hasNilWords = origin == .declared && type.converts
    }

    /// True if every cell is a string, except empty ones.
    @inline(__always)
    var isPlainText: Bool { type == .string && !hasNilWords }

    /// True if most cells have the form of JSON numbers.
    @inline(__always)
    var isPlainNumber: Bool { (type == .integer || type == .double) && !hasDecimalComma }

    /// True if a cell may fail to have the type.
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
        case .date: return date(cell).map(PredicateValue.date)
        case .boolean where origin != .declared && !cell.isBooleanWord && cell.booleanLetter == nil: return nil
        case .string, .boolean, .uuid, .data, .automatic: return type.value(of: cell, isQuoted: isQuoted)
        }
    }

    private func date(_ cell: UnsafeBufferPointer<UInt8>) -> Date? {
        if let dateNotation {
            if let date = CalendarDate.read(cell, dateNotation, in: zone)?.date { return date }
            if dateNotation.isNumeric, case .double(let number)? = ColumnType.double(cell) {
                return dateNotation.date(of: number)
            }
        }
        return JSONDate.date(from: cell, in: zone) ?? CalendarDate.readUnambiguous(cell, in: zone)?.date
    }

    /// True if JSON numbers are converted as well.
    var convertsNumbers: Bool { type == .decimal || type == .double || dateNotation?.isNumeric == true }

    /// Returns the value of a JSON number; nil if it would be rounded, and for milliseconds in place of seconds.
    func value(ofNumber number: PredicateValue, _ text: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        type == .date ? date(text).map(PredicateValue.date) : type.value(ofNumber: number, text)
    }

    private func number(_ cell: UnsafeBufferPointer<UInt8>, _ isQuoted: Bool) -> PredicateValue? {
        if !hasDecimalComma, origin == .declared, let value = type.value(of: cell, isQuoted: isQuoted) { return value }
        guard let plain = SpreadsheetNumber.plain(cell, hasDecimalComma: hasDecimalComma) else {
            return nil
        }
        return plain.withUnsafeBufferPointer { type.value(of: $0, isQuoted: isQuoted) }
    }
}

extension ColumnReading {
    /// Returns a date whose day in UTC is the day of `date` in the column's time zone.
    package func day(of date: Date) -> Date { zone?.wallClock(of: date) ?? date }

    /// Returns the value of a string as if it were a cell of the column; nil if it is not of the type.
    package func value(of text: String) -> PredicateValue? {
        var text = text
        if text.isEmpty { return nil }
        return text.withUTF8 { value(of: $0, isQuoted: false) }
    }
}

import Foundation
import PredicateJSON
import PredicateReference

/// A value of the output, with the digits of its numbers.
indirect enum PrintedValue: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([PrintedValue])
    case object([Member])

    struct Member: Equatable {
        let name: String
        let value: PrintedValue
    }

    /// Reads JSON Lines; nil for other text.
    static func lines(_ text: String) -> [PrintedValue]? {
        var values: [PrintedValue] = []
        for line in text.split(separator: "\n") {
            guard let value = value(ofJSON: String(line)) else { return nil }
            values.append(value)
        }
        return values
    }

    static func value(ofJSON text: String) -> PrintedValue? {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let value = reader.value(), reader.rest.isEmpty else { return nil }
        return value
    }

    /// The members of an object; none of another value.
    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// A reader of compact JSON, which leaves numbers as they are.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        private mutating func take(_ text: String) -> Bool {
            guard rest.starts(with: text.utf8) else { return false }
            rest = rest.dropFirst(text.utf8.count)
            return true
        }

        private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 } }

        mutating func value() -> PrintedValue? {
            skipBlanks()
            defer { skipBlanks() }
            switch rest.first {
            case UInt8(ascii: "{"): return members().map(PrintedValue.object)
            case UInt8(ascii: "["): return elements().map(PrintedValue.list)
            case UInt8(ascii: "\""): return string().map(PrintedValue.text)
            default: return word()
            }
        }

        private mutating func word() -> PrintedValue? {
            if take("null") { return .null }
            if take("true") { return .bool(true) }
            if take("false") { return .bool(false) }
            let digits = rest.prefix { "+-.eE0123456789".utf8.contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits.isEmpty ? nil : .number(String(decoding: digits, as: UTF8.self))
        }

        private mutating func string() -> String? {
            var end = rest.startIndex + 1
            while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
                end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard end < rest.endIndex else { return nil }
            let literal = Array(rest[...end])
            rest = rest[(end + 1)...]
            if case .string(let text)? = try? JSONReader.parse(literal) { return text }
            return nil
        }

        private mutating func elements() -> [PrintedValue]? {
            var elements: [PrintedValue] = []
            guard take("[") else { return nil }
            if take("]") { return [] }
            repeat {
                guard let element = value() else { return nil }
                elements.append(element)
            } while take(",")
            return take("]") ? elements : nil
        }

        private mutating func members() -> [Member]? {
            var members: [Member] = []
            guard take("{") else { return nil }
            if take("}") { return [] }
            repeat {
                skipBlanks()
                guard let name = string(), take(":") || take(" :"), let value = value() else { return nil }
                members.append(Member(name: name, value: value))
            } while take(",")
            return take("}") ? members : nil
        }
    }
}

extension PrintedValue {
    /// True if this is how a value of the reference is printed: numbers by their digits, and dates by their moments.
    func prints(_ cell: ReferenceCell) -> Bool {
        switch (cell, self) {
        case (.null, .null): true
        // JSON has no NaN.
        case (.double(let number), .null): number.isNaN
        case (.bool(let value), .bool(let other)): value == other
        case (.integer, .number(let digits)), (.double, .number(let digits)), (.decimal, .number(let digits)):
            Self.areDigits(digits, of: cell)
        case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
        case (.date(let seconds), .text(let text)):
            Array(text.utf8).withUnsafeBufferPointer { JSONDate.date(from: $0) }?.timeIntervalSinceReferenceDate
                == seconds
        case (.list(_, let cells), .list(let values)):
            cells.count == values.count && zip(cells, values).allSatisfy { $1.prints($0) }
        case (.dictionary(_, let cells), .object(let members)):
            cells.count == members.count
                && zip(cells, members).allSatisfy { $0.key == $1.name && $1.value.prints($0.value) }
        case (_, _): false
        }
    }

    private static func areDigits(_ digits: String, of cell: ReferenceCell) -> Bool {
        if let double = cell.nearestDouble, double.isInfinite { return Double(digits) == double }
        guard let printed = ReferenceDecimal(digits), let exact = cell.exactNumber else { return false }
        if printed.order(exact) == 0 { return true }
        // The shortest notation of a large whole double ends in zeros.
        if case .double(let number) = cell, digits.contains("e") { return Double(digits) == number }
        return false
    }
}

extension PrintedValue {
    /// The value as a message shows it.
    var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let digits): digits
        case .text(let text): "'\(text)'"
        case .list(let elements): "[" + elements.map(\.shown).joined(separator: ", ") + "]"
        case .object(let members): "{" + members.map { "\($0.name): \($0.value.shown)" }.joined(separator: ", ") + "}"
        }
    }
}

extension ReferenceCell {
    /// The value as a message shows it.
    var shown: String {
        switch self {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "decimal \(value.text)"
        case .date(let seconds): "\(Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601))"
        case .text(let text): "'\(text)'"
        case .list(let value, _), .dictionary(let value, _), .other(let value): "\(value)"
        }
    }
}

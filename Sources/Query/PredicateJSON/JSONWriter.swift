import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes a value as JSON.
///
/// `JSONWriter().text(of: ["age": 21])` is `{"age":21}`.
///
/// Members are sorted by key (by UTF-8), and sets are arrays with numbers first, so equal values give equal JSON. Values read
/// back unchanged if their types are declared. Doubles are written with the fewest digits that identify them, infinity as
/// `1e999`, decimal numbers with all digits, data as base 64, dates as ISO 8601 in UTC with as many fraction digits as they
/// need (``JSONDate``). UUIDs, URLs and classes are strings. Values without a JSON form are `null`: NaN, host objects,
/// expressions, predicates, and values nested deeper than 512 levels.
package struct JSONWriter: Sendable {
    /// True to write each member and element on a line of its own, indented by two spaces.
    package var isPretty: Bool

    package init(isPretty: Bool = false) {
        self.isPretty = isPretty
    }

    package func text(of value: PredicateValue) -> String {
        var bytes: [UInt8] = []
        write(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the JSON of a value as UTF-8.
    package func write(_ value: PredicateValue, to bytes: inout [UInt8]) {
        guard isPretty else { return Self.write(value, to: &bytes, depth: 0) }
        var json: [UInt8] = []
        Self.write(value, to: &json, depth: 0)
        bytes += JSONScanner.indented(json)
    }

    private static func write(_ value: PredicateValue, to bytes: inout [UInt8], depth: Int) {
        switch value {
        case .null, .nullObject, .object, .expression, .predicate: append("null", to: &bytes)
        case .bool(let value): append(value ? "true" : "false", to: &bytes)
        case .integer(let value): writeInteger(value, to: &bytes)
        case .double(let value): writeDouble(value, to: &bytes)
        case .decimal(let value): append(value.isNaN ? "null" : value.description, to: &bytes)
        case .string(let value): writeString(value, to: &bytes)
        case .date(let value): writeOptional(JSONDate.text(of: value), to: &bytes)
        case .data(let value): writeString(value.base64EncodedString(), to: &bytes)
        case .uuid(let value): writeString(value.uuidString, to: &bytes)
        case .url(let value): writeString(value.absoluteString, to: &bytes)
        case .type(let value): writeString(value.name, to: &bytes)
        case .array(let values), .orderedSet(let values): writeArray(values, to: &bytes, depth: depth + 1)
        case .set(let values): writeArray(sorted(values), to: &bytes, depth: depth + 1)
        case .dictionary(let values): writeObject(values, to: &bytes, depth: depth + 1)
        }
    }

    private static func writeArray(_ values: [PredicateValue], to bytes: inout [UInt8], depth: Int) {
        guard depth <= JSONReader.maximumDepth else { return append("null", to: &bytes) }
        bytes.append(Byte.openBracket)
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(Byte.comma) }
            write(value, to: &bytes, depth: depth)
        }
        bytes.append(Byte.closeBracket)
    }

    private static func writeObject(_ members: [String: PredicateValue], to bytes: inout [UInt8], depth: Int) {
        guard depth <= JSONReader.maximumDepth else { return append("null", to: &bytes) }
        bytes.append(Byte.openBrace)
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated() {
            if index > 0 { bytes.append(Byte.comma) }
            writeString(member.key, to: &bytes)
            bytes.append(Byte.colon)
            write(member.value, to: &bytes, depth: depth)
        }
        bytes.append(Byte.closeBrace)
    }

    /// Returns a set in a deterministic order: numbers by size, then other values by their JSON.
    private static func sorted(_ values: Set<PredicateValue>) -> [PredicateValue] {
        let keyed = values.map { (value: $0, number: number($0), text: JSONWriter().text(of: $0)) }
        return keyed.sorted { left, right in
            if left.number != right.number { return left.number < right.number }
            return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }.map(\.value)
    }

    private static func number(_ value: PredicateValue) -> Double {
        switch value {
        case .integer(let value): Double(value)
        case .double(let value): value.isNaN ? .infinity : value
        case .null, .nullObject, .bool, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            .infinity
        }
    }
}

extension JSONWriter {
    /// Writes a double, or `null` for NaN.
    package static func writeDouble(_ value: Double, to bytes: inout [UInt8]) {
        append(text(of: value), to: &bytes)
    }

    private static func text(of number: Double) -> String {
        if number.isFinite { return number.description }
        return number.isNaN ? "null" : number > 0 ? "1e999" : "-1e999"
    }

    private static func writeOptional(_ text: String?, to bytes: inout [UInt8]) {
        if let text { writeString(text, to: &bytes) } else { append("null", to: &bytes) }
    }

    /// Writes a string in quotes, with quotes, backslashes and control characters escaped.
    package static func writeString(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { writeString(utf8: $0, to: &bytes) }
    }

    /// Writes bytes as a string; invalid UTF-8 is replaced.
    package static func writeString(repairing text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        if UTF8Validation.firstFault(in: text, 0..<text.count) == nil { return writeString(utf8: text, to: &bytes) }
        writeString(String(decoding: text, as: UTF8.self), to: &bytes)
    }

    private static func writeString(utf8 text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        var start = 0
        while let stop = text[StringStops.skip(text, from: start)...].firstIndex(where: {
            $0 < Byte.space || $0 == Byte.quote || $0 == Byte.backslash
        }) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<stop]))
            append(escape(text[stop]), to: &bytes)
            start = stop + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        bytes.append(Byte.quote)
    }

    package static func writeInteger(_ value: Int64, to bytes: inout [UInt8]) {
        var digits = value.magnitude
        if digits < 10 {
            if value < 0 { bytes.append(Byte.minus) }
            return bytes.append(Byte.zero + UInt8(digits))
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
            var start = 20
            while digits > 0 {
                start -= 1
                buffer[start] = Byte.zero + UInt8(digits % 10)
                digits /= 10
            }
            if value < 0 { bytes.append(Byte.minus) }
            bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: buffer[start...]))
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case Byte.quote: "\\\""
        case Byte.backslash: "\\\\"
        case 0x08: "\\b"
        case 0x0C: "\\f"
        case Byte.lineFeed: "\\n"
        case Byte.carriageReturn: "\\r"
        case Byte.tab: "\\t"
        default: (byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: text.utf8)
    }
}

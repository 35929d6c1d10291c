import Foundation
import PredicateSyntax

/// One cell of a row that is written.
package enum RowCell {
    /// The text of a field.
    case text([UInt8])
    /// The JSON of a member.
    case json([UInt8])
    case value(PredicateValue)
    /// A date without a time.
    case day(Date)

    /// The text for CSV, TSV, tables and lines: of a string itself, of nil nothing, of lists and dictionaries JSON.
    package var text: [UInt8] {
        switch self {
        case .text(let bytes): bytes
        case .json(let bytes): Self.text(ofJSON: bytes)
        case .day(let date): Array(Self.text(ofDay: date).utf8)
        case .value(let value): Self.text(of: value)
        }
    }

    /// How a cell is written.
    package enum Form {
        case json
        /// A field of CSV or TSV.
        case field(DelimitedDialect)
    }

    /// Appends the cell in a form.
    package func write(_ form: Form, to bytes: inout [UInt8]) {
        switch form {
        case .json: writeJSON(to: &bytes)
        case .field(let dialect): dialect.write(text, to: &bytes)
        }
    }

    /// Appends the JSON of the cell.
    package func writeJSON(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): JSONWriter().write(.string(String(decoding: text, as: UTF8.self)), to: &bytes)
        case .json(let json): bytes += json
        case .day(let date): JSONWriter().write(.string(Self.text(ofDay: date)), to: &bytes)
        case .value(let value): JSONWriter().write(value, to: &bytes)
        }
    }

    private static func text(of value: PredicateValue) -> [UInt8] {
        switch value {
        case .null, .nullObject: return []
        case .string(let text): return Array(text.utf8)
        case .bool, .integer, .double, .decimal, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            var bytes: [UInt8] = []
            JSONWriter().write(value, to: &bytes)
            let isString = bytes.first == UInt8(ascii: "\"")
            return isString ? Array(bytes.dropFirst().dropLast()) : bytes
        }
    }

    private static func text(ofJSON json: [UInt8]) -> [UInt8] {
        if json.first == UInt8(ascii: "\""), case .string(let text)? = try? JSONReader.parse(json) {
            return Array(text.utf8)
        }
        return json.elementsEqual("null".utf8) ? [] : JSONText.compact(json)
    }

    private static func text(ofDay date: Date) -> String {
        String(JSONWriter().text(of: .date(date)).dropFirst().prefix(10))
    }
}

/// JSON as text.
package enum JSONText {
    /// Returns JSON without white space between tokens.
    package static func compact(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var isInString = false
        var isEscaped = false
        for byte in json {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                isInString = byte == UInt8(ascii: "\"")
                if byte <= UInt8(ascii: " ") { continue }
            }
            result.append(byte)
        }
        return result
    }
}

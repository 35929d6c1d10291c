import Foundation

/// Reads property lists in XML: `<plist><dict><key>_XCCurrentVersionName</key>…`
///
/// A dictionary with the single key `CF$UID` and an integer is the UID of a keyed archive.
enum XMLPropertyList {
    static func read(_ root: XMLElementNode) throws(ModelError) -> PropertyListValue {
        guard root.name == "plist", let first = root.children.first else {
            throw ModelError(.unexpectedElement(root.name, expected: "plist"), at: root.place)
        }
        return try value(first)
    }

    /// Recursion is safe here, because the XML reader limits the nesting of elements.
    private static func value(_ element: XMLElementNode) throws(ModelError) -> PropertyListValue {
        switch element.name {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "string": return .string(element.text)
        case "integer": return try integer(element)
        case "real": return .real(try parsed(Double(trimmed(element)), element, "a number"))
        case "date":
            // The only form of dates in XML property lists is 2012-03-04T05:06:07Z.
            return .date(try parsed(try? Date(trimmed(element), strategy: .iso8601), element, "a date"))
        case "data":
            let text = trimmed(element)
            return .data(try parsed(Data(base64Encoded: text, options: .ignoreUnknownCharacters), element, "data"))
        case "array", "set":
            var values: [PropertyListValue] = []
            for child in element.children { values.append(try value(child)) }
            return .array(values)
        case "dict": return try dictionary(element)
        default: throw ModelError(.unexpectedElement(element.name, expected: "dict"), at: element.place)
        }
    }

    private static func trimmed(_ element: XMLElementNode) -> String {
        element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func parsed<Value>(
        _ value: Value?, _ element: XMLElementNode, _ expected: String
    ) throws(ModelError) -> Value {
        guard let value else {
            throw ModelError(
                .invalidValue(String(element.text.prefix(40)), attribute: element.name, expected: expected),
                at: element.place)
        }
        return value
    }

    private static func integer(_ element: XMLElementNode) throws(ModelError) -> PropertyListValue {
        let text = trimmed(element)
        if let value = Int64(text) { return .integer(value) }
        return .unsigned(try parsed(UInt64(text), element, "an integer"))
    }

    private static func dictionary(_ element: XMLElementNode) throws(ModelError) -> PropertyListValue {
        var values: [String: PropertyListValue] = [:]
        var key: String?
        for child in element.children {
            if let name = key {
                values[name] = try value(child)
                key = nil
            } else if child.name == "key" {
                key = child.text
            } else {
                throw ModelError(.unexpectedElement(child.name, expected: "key"), at: child.place)
            }
        }
        if values.count == 1, case .integer(let number)? = values["CF$UID"], let uid = Int(exactly: number), uid >= 0 {
            return .uid(uid)
        }
        return .dictionary(values)
    }
}

/// Reads property lists of the oldest form, which GNUstep still writes: `{ "key" = value; }`
struct BracePropertyList {
    private let bytes: [UInt8]
    private var position = 0
    private var budget: Int
    private let limits: ModelLimits

    static func read(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> PropertyListValue {
        var reader = BracePropertyList(bytes: bytes, budget: limits.objects, limits: limits)
        let value = try reader.value(level: 1)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.failure("expected the end") }
        return value
    }

    private init(bytes: [UInt8], budget: Int, limits: ModelLimits) {
        self.bytes = bytes
        self.budget = budget
        self.limits = limits
    }

    private func failure(_ reason: String) -> ModelError {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return ModelError(.notAPropertyList(reason), at: ModelPlace(line: line, column: before.count - start + 1))
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ mark: Character) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == mark.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func value(level: Int) throws(ModelError) -> PropertyListValue {
        guard level <= limits.nesting else { throw ModelError(.exceeds(.nesting, limit: limits.nesting)) }
        guard budget > 0 else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
        budget -= 1
        if take("{") { return try dictionary(level: level) }
        if take("(") { return try array(level: level) }
        if take("<") { return .data(try data()) }
        return .string(try string())
    }

    private mutating func dictionary(level: Int) throws(ModelError) -> PropertyListValue {
        var values: [String: PropertyListValue] = [:]
        while !take("}") {
            let key = try string()
            guard take("=") else { throw failure("expected = after a key") }
            values[key] = try value(level: level + 1)
            guard take(";") else { throw failure("expected ; after a value") }
        }
        return .dictionary(values)
    }

    private mutating func array(level: Int) throws(ModelError) -> PropertyListValue {
        var values: [PropertyListValue] = []
        while !take(")") {
            values.append(try value(level: level + 1))
            if take(",") { continue }
            guard take(")") else { throw failure("expected , or )") }
            break
        }
        return .array(values)
    }

    private mutating func data() throws(ModelError) -> Data {
        var digits: [UInt8] = []
        while !take(">") {
            guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw failure("expected a hexadecimal digit")
            }
            digits.append(UInt8(digit))
            position += 1
        }
        guard digits.count.isMultiple(of: 2) else { throw failure("expected two digits for each byte") }
        return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    private mutating func string() throws(ModelError) -> String {
        let isQuoted = take("\"")
        var text: [UInt8] = []
        while position < bytes.count, isQuoted ? bytes[position] != UInt8(ascii: "\"") : isBare(bytes[position]) {
            if isQuoted, bytes[position] == UInt8(ascii: "\\") { position += 1 }
            guard position < bytes.count else { break }
            text.append(bytes[position])
            position += 1
        }
        if isQuoted {
            guard position < bytes.count else { throw failure("expected a quotation mark") }
            position += 1
        } else if text.isEmpty {
            throw failure("expected a value")
        }
        guard let string = String(validating: text, as: UTF8.self) else { throw failure("a string is not UTF-8") }
        return string
    }

    private func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Array("_.-:/$+".utf8).contains(byte)
        }
    }
}

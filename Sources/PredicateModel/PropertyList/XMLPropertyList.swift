import Foundation

/// A reader of property lists in XML: `<plist><dict><key>_XCCurrentVersionName</key>…`
///
/// A dictionary of one integer under `CF$UID` is the UID of a keyed archive.
enum XMLPropertyList {
    static func read(_ root: XMLElementNode) throws(ModelError) -> PropertyListValue {
        guard root.name == "plist", let first = root.children.first else {
            throw ModelError(.unexpectedElement(root.name, expected: "plist"), at: root.place)
        }
        return try value(first)
    }

    /// Elements are nested no deeper than the reader of XML allows.
    private static func value(_ element: XMLElementNode) throws(ModelError) -> PropertyListValue {
        switch element.name {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "string": return .string(element.text)
        case "integer": return try integer(element)
        case "real": return .real(try parsed(Double(trimmed(element)), element, "a number"))
        case "date": return .date(try parsed(ISO8601Seconds.date(trimmed(element)), element, "a date"))
        case "data":
            return .data(
                try parsed(Data(base64Encoded: element.text, options: .ignoreUnknownCharacters), element, "data"))
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

/// `2012-03-04T05:06:07Z`, the one form of dates in XML property lists.
private enum ISO8601Seconds {
    static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }
}

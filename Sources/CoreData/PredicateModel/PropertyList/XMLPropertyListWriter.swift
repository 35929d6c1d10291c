import Foundation
package import PredicateSyntax

/// Writes a dictionary as an XML property list, with sorted keys.
///
/// Dates have whole seconds, as in every XML property list.
package struct XMLPropertyListWriter {
    private var text = ""

    /// `<plist version="1.0">…</plist>` without the declaration, each line indented by some spaces.
    ///
    /// Nil if a string contains a character that XML cannot contain. A value that property lists do not have is left
    /// out.
    package static func text(of values: [String: PredicateValue], indentation: Int = 0) -> String? {
        var writer = XMLPropertyListWriter()
        writer.line("<plist version=\"1.0\">", indentation)
        guard writer.dictionary(values, indentation + 4) else { return nil }
        writer.line("</plist>", indentation)
        return writer.text
    }

    private mutating func line(_ line: String, _ indentation: Int) {
        text += String(repeating: " ", count: indentation) + line + "\n"
    }

    private mutating func dictionary(_ values: [String: PredicateValue], _ indentation: Int) -> Bool {
        line("<dict>", indentation)
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where Self.isWritten(value) {
            guard element("key", key, indentation + 4), element(value, indentation + 4) else { return false }
        }
        line("</dict>", indentation)
        return true
    }

    private static func isWritten(_ value: PredicateValue) -> Bool {
        switch value {
        case .null, .nullObject, .type, .object, .expression, .predicate: false
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .array, .set, .orderedSet,
            .dictionary:
            true
        @unknown default: false
        }
    }

    /// False if the string contains a character that XML cannot contain.
    private mutating func element(_ name: String, _ string: String, _ indentation: Int) -> Bool {
        guard string.unicodeScalars.allSatisfy(\.isXML) else { return false }
        var escaped = ""
        for scalar in string.unicodeScalars {
            escaped += scalar == "\r" ? "&#13;" : scalar.xmlEntity ?? String(scalar)
        }
        line("<\(name)>\(escaped)</\(name)>", indentation)
        return true
    }

    private mutating func element(_ value: PredicateValue, _ indentation: Int) -> Bool {
        switch value {
        case .bool(let flag): line(flag ? "<true/>" : "<false/>", indentation)
        case .integer(let number): line("<integer>\(number)</integer>", indentation)
        case .double(let number): line("<real>\(number)</real>", indentation)
        case .decimal(let number) where number.exponent >= 0: line("<integer>\(number)</integer>", indentation)
        case .decimal(let number): line("<real>\(number)</real>", indentation)
        case .string(let string): return element("string", string, indentation)
        case .uuid(let uuid): return element("string", uuid.uuidString, indentation)
        case .url(let url): return element("string", url.absoluteString, indentation)
        case .date(let date): line("<date>\(ISO8601Seconds.text(of: date))</date>", indentation)
        case .data(let data): line("<data>\(data.base64EncodedString())</data>", indentation)
        case .array(let values), .orderedSet(let values): return array(values, indentation)
        case .set(let values): return array(Array(values), indentation)
        case .dictionary(let values): return dictionary(values, indentation)
        case .null, .nullObject, .type, .object, .expression, .predicate: break
        @unknown default: break
        }
        return true
    }

    private mutating func array(_ values: [PredicateValue], _ indentation: Int) -> Bool {
        line("<array>", indentation)
        for value in values where Self.isWritten(value) {
            guard element(value, indentation + 4) else { return false }
        }
        line("</array>", indentation)
        return true
    }
}

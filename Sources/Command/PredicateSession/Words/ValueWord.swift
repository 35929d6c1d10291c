import PredicateData
import PredicateJSON
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads values from words of a command line: `18`, `"text"`, `[1, 2]`, `date:2024-01-01`, `jo`
///
/// A type prefix determines the type. A word that is valid JSON is the JSON value. Any other word is a string. Dates without an
/// offset are in `zone`, or in UTC if that is nil.
package enum ValueWord {
    /// Returns the arguments of a format. The specifier decides how its word is read. Errors name the argument.
    package static func arguments(
        _ words: [String], for format: String, in zone: LocalZone?
    ) throws(ValueError) -> [PredicateValue] {
        let specifiers = FormatPredicate.specifiers(in: format)
        var values: [PredicateValue] = []
        for (index, word) in words.enumerated() {
            let kind = specifiers.indices.contains(index) ? specifiers[index].kind : .value
            do throws(ValueError) {
                values.append(try value(word, for: kind, zone))
            } catch {
                throw ValueError("argument \(index + 1): \(error.message)", hints: error.hints)
            }
        }
        return values
    }

    package static func value(_ word: String, in zone: LocalZone?) throws(ValueError) -> PredicateValue {
        if let (prefix, text) = typed(word) { return try value(text, prefix, zone) }
        return (try? JSONReader.parse(word)) ?? .string(word)
    }

    /// Returns the type prefix of a word, and the rest, which may begin with a combining mark; nil for a word without a prefix.
    static func typed(_ word: String) -> (ValuePrefix, String)? {
        let parts = word.unicodeScalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let prefix = ValuePrefix(rawValue: String(parts[0])) else { return nil }
        return (prefix, String(parts[1]))
    }

    private static func value(
        _ word: String, for kind: FormatSpecifier.Kind, _ zone: LocalZone?
    ) throws(ValueError) -> PredicateValue {
        switch kind {
        case .value: return try value(word, in: zone)
        case .keyPath, .text: return .string(word)
        case .integer:
            guard let number = Int64(word) else { throw ValueError("expected an integer, found '\(word)'") }
            return .integer(number)
        case .floatingPoint:
            guard let number = Double(word), number.isFinite else {
                throw ValueError("expected a number, found '\(word)'")
            }
            return .double(number)
        }
    }

    private static func value(
        _ text: String, _ prefix: ValuePrefix, _ zone: LocalZone?
    ) throws(ValueError) -> PredicateValue {
        let value: PredicateValue? =
            switch prefix {
            case .string: .string(text)
            case .decimal: decimal(text)
            case .date: ISO8601.date(from: text, in: zone).map(PredicateValue.date)
            case .uuid: UUID(uuidString: text).map(PredicateValue.uuid)
            case .data: Data(base64Encoded: text).map(PredicateValue.data)
            case .url: text.isEmpty ? nil : URL(string: text).map(PredicateValue.url)
            case .key: key(text)
            case .set: set(text)
            }
        if let value { return value }
        throw ValueError(
            "'\(text)' is not a valid \(prefix.noun)",
            hints: [
                "write \(prefix.example), or string:\(prefix.rawValue):\(text) for this string"
            ])
    }

    /// Returns a decimal number; nil if it would be rounded.
    private static func decimal(_ text: String) -> PredicateValue? {
        let digits = text.utf8.count { (0x30...0x39).contains($0) }
        guard Double(text) != nil, digits <= 38, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else {
            return nil
        }
        return Decimal(string: text).flatMap { $0.isNaN ? nil : .decimal($0) }
    }

    private static func key(_ text: String) -> PredicateValue? {
        let path = KeyPathExpression(keys: text)
        return path.components.contains(.key("")) ? nil : .expression(.keyPath(path))
    }

    private static func set(_ text: String) -> PredicateValue? {
        guard case .array(let elements) = try? JSONReader.parse(text) else { return nil }
        return .set(Set(elements))
    }
}

/// The error for a word that is not a value, or not one that an option takes.
package struct ValueError: Error {
    package let message: String
    package let hints: [String]

    init(_ message: String, hints: [String] = []) {
        self.message = message
        self.hints = hints
    }
}

/// The prefix that gives the type of a value on the command line: `date:2024-01-31T12:00:00Z`
package enum ValuePrefix: String, CaseIterable {
    case string
    case decimal
    case date
    case uuid
    case data
    case url
    case key
    case set
}

extension ValuePrefix {
    private var page: (example: String, noun: String, meaning: String) {
        switch self {
        case .string: ("18", "string", "a string, whatever it looks like")
        case .decimal: ("1.10", "decimal number", "an exact decimal number")
        case .date: ("2024-01-31T12:00:00Z", "date", "a date, ISO 8601")
        case .uuid: ("137DECC8-...", "UUID", "a UUID")
        case .data: ("aGVsbG8=", "base 64 string", "data, in base 64")
        case .url: ("https://swift.org", "URL", "a URL")
        case .key: ("dept.name", "key path", "a key path instead of a value")
        case .set: ("[1,2]", "JSON array", "a set, from a JSON array")
        }
    }

    /// An example of a word with this prefix.
    package var example: String { "\(rawValue):\(page.example)" }

    /// The noun in error messages.
    var noun: String { page.noun }

    /// The explanation in help texts.
    package var meaning: String { page.meaning }
}

/// Splits the rest of a command line into words.
///
/// `18 "Jo Ann" [1, 2] 'two words'` has four words: spaces inside quotes and brackets do not separate words. Single quotes are
/// removed. A word in double quotes is JSON and keeps them. A combining mark does not hide the quote or space before it.
enum WordSplitter {
    /// Returns the words. With `escapes`, a backslash outside quotes makes the next character an ordinary one, as in shells.
    static func words(of text: String, escapes: Bool = false) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Unicode.Scalar?
        var depth = 0
        var isEscaped = false
        func close() {
            if !word.isEmpty { words.append(content(of: word, between: "'").map { "string:" + $0 } ?? word) }
            word = ""
        }
        for character in text.unicodeScalars {
            if escapes, quote == nil, isEscaped || character == "\\" {
                isEscaped.toggle()
                if isEscaped { continue }
            } else if let open = quote {
                if character == open, !isEscaped { quote = nil }
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" || (character == "'" && word.isEmpty) {
                quote = character
            } else if "[{".unicodeScalars.contains(character) {
                depth += 1
            } else if "]}".unicodeScalars.contains(character) {
                depth -= 1
            } else if character.properties.isWhitespace, depth <= 0 {
                close()
                continue
            }
            word.unicodeScalars.append(character)
        }
        close()
        return words
    }

    /// Returns the part between two quotes; nil for a word without them.
    static func content(of word: String, between quote: Unicode.Scalar) -> String? {
        let scalars = word.unicodeScalars
        guard scalars.count > 1, scalars.first == quote, scalars.last == quote else { return nil }
        return String(scalars.dropFirst().dropLast())
    }
}

import PredicateData
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads values from words of a command line.
///
/// `18`, `"text"`, `[1, 2]`, `date:2024-01-01`, `jo`
///
/// A word with a type prefix is of that type; a JSON word is the JSON value; any other word is a text.
package enum ValueWord {
    /// Returns the arguments of a format: each word is read as its specifier requires. The error message names the
    /// argument.
    package static func arguments(_ words: [String], for format: String) throws(ValueError) -> [PredicateValue] {
        let specifiers = FormatPredicate.specifiers(in: format)
        var values: [PredicateValue] = []
        for (index, word) in words.enumerated() {
            let kind = specifiers.indices.contains(index) ? specifiers[index].kind : .value
            do throws(ValueError) {
                values.append(try value(word, for: kind))
            } catch {
                throw ValueError("argument \(index + 1): \(error.message)", hints: error.hints)
            }
        }
        return values
    }

    /// Returns the value of a word.
    package static func value(_ word: String) throws(ValueError) -> PredicateValue {
        if let (prefix, text) = typed(word) { return try value(text, prefix) }
        return (try? JSONReader.parse(word)) ?? .string(word)
    }

    /// The type that a word names, and the rest of the word, which may begin with a combining mark; nil for a word without a type.
    static func typed(_ word: String) -> (ValuePrefix, String)? {
        let parts = word.unicodeScalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let prefix = ValuePrefix(rawValue: String(parts[0])) else { return nil }
        return (prefix, String(parts[1]))
    }

    private static func value(
        _ word: String, for kind: FormatSpecifier.Kind
    ) throws(ValueError) -> PredicateValue {
        switch kind {
        case .value: return try value(word)
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

    private static func value(_ text: String, _ prefix: ValuePrefix) throws(ValueError) -> PredicateValue {
        let value: PredicateValue? =
            switch prefix {
            case .string: .string(text)
            case .decimal: decimal(text)
            case .date: ISO8601.date(from: text).map(PredicateValue.date)
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
                "write \(prefix.example), or string:\(prefix.rawValue):\(text) for this text"
            ])
    }

    /// Returns a decimal number that is not rounded.
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

/// The error for a word that is not a value.
package struct ValueError: Error {
    package let message: String
    package let hints: [String]

    init(_ message: String, hints: [String] = []) {
        self.message = message
        self.hints = hints
    }
}

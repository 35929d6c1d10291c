import PredicateLint
import PredicateSyntax

/// A format string of a document, and where each byte of it stands.
struct FormatSite {
    /// The text with its places, relative to `base`.
    let text: FormatText
    /// The text that is parsed: with stand-ins for what only the run of the program knows.
    let parsed: FormatText
    /// The offset in the document at which the places begin.
    let base: Int
    let isExpression: Bool
    /// The entity whose objects it is about, where the source tells.
    let entity: String?
    let spelling: LiteralSpelling

    /// The range in the document, quotes included.
    var range: Range<Int> { shifted(text.literal) }

    /// The text up to an offset of the document; nil for an offset outside of the text.
    func prefix(upTo offset: Int) -> String? {
        if text.bytes.isEmpty {
            return base + text.literal.lowerBound < offset && offset < range.upperBound ? "" : nil
        }
        guard let end = text.offset(ofSource: offset - base), end <= text.bytes.count else { return nil }
        return String(decoding: text.bytes[..<end], as: UTF8.self)
    }

    /// The word under a place of the document, with the path before it; nil outside of the text.
    func word(at offset: Int) -> KeyWord? {
        guard let prefix = prefix(upTo: offset) else { return nil }
        let rest = String(decoding: text.bytes.dropFirst(prefix.utf8.count), as: UTF8.self)
        return KeyWord(endOf: prefix + rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    private func shifted(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound + base..<range.upperBound + base
    }
}

/// How a source spells the text of a literal, so that a replacement can be written into it.
enum LiteralSpelling {
    /// As it is: a file of predicates, a raw string
    case plain
    /// `"…"` and `@"…"`
    case quoted
    /// `"""…"""`
    case multiline

    /// The spelling of the literal that begins with these bytes.
    init(_ literal: ArraySlice<UInt8>) {
        let rest = literal.first == UInt8(ascii: "@") ? literal.dropFirst() : literal
        if rest.starts(with: "\"\"\"".utf8) {
            self = .multiline
        } else {
            self = rest.first == UInt8(ascii: "\"") ? .quoted : .plain
        }
    }

    /// The spelling of a text inside of the literal.
    func spelled(_ text: String) -> String {
        switch self {
        case .plain: text
        case .quoted: text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        case .multiline: text.replacing("\\", with: "\\\\")
        }
    }
}

extension FormatSite {
    /// What a format parses to, with `$argument1` and so on in the place of its arguments.
    enum Parse {
        case predicate(FormatPredicate)
        case expression(FormatExpression)
        case failure(PredicateFormatError)
    }

    var parse: Parse {
        let format = parsed.text
        let specifiers = FormatPredicate.specifiers(in: format)
        let arguments = specifiers.enumerated().map { index, specifier in
            specifier.kind.shownArgument(number: index + 1)
        }
        do throws(PredicateFormatError) {
            if isExpression { return .expression(try FormatExpression(format: format, arguments: arguments)) }
            return .predicate(try FormatPredicate(format: format, arguments: arguments))
        } catch {
            return .failure(error)
        }
    }
}

extension FormatSpecifier.Kind {
    /// An argument whose number shows in what the format prints.
    fileprivate func shownArgument(number: Int) -> PredicateValue {
        switch self {
        case .value: .expression(.variable("argument\(number)"))
        case .text: .string("argument\(number)")
        case .keyPath: .string("key\(number)")
        case .integer: .integer(Int64(number))
        case .floatingPoint: .double(Double(number))
        }
    }
}

/// An error with an excerpt: a code, the text that the error is about, and the offending range of this text.
///
/// Every error about a predicate conforms, whichever stage reports it. ``description`` renders it for a terminal:
///
///     error: expected a value, a key path or a function
///       age >= AND name == 'A'
///              ^~~
///     hint: write a value on both sides of the operator: age >= 21
public protocol PredicateDiagnostic: Error, Hashable, Sendable, CustomStringConvertible, Encodable {
    /// The enum of the error codes.
    associatedtype Code: Hashable, Sendable

    /// The kind of error, with the names and values that it is about.
    var code: Code { get }
    /// The format string, or the printed offending node; empty if there is neither.
    var text: String { get }
    /// The offending range of ``text`` as UTF-8 offsets.
    var range: Range<Int> { get }
    /// One line that describes the error: `expected an operator, found NOT IN`.
    var title: String { get }
    /// The words next to the caret; nil if the title is sufficient.
    var label: String? { get }
    /// Hints on how to correct the error, each a sentence without a full stop.
    var hints: [String] { get }
}

extension PredicateDiagnostic {
    /// The title, the excerpt with a caret, and the hints, one per line.
    public var description: String {
        ErrorRenderer.render(title: title, source: text, range: range, label: label, hints: hints)
    }
}

/// The location of an error in its text: in bytes, in UTF-16 units, and in lines and columns.
///
/// In the single line `age >= AND`: UTF-8 and UTF-16 7 to 10, line 1, columns 8 to 11
public struct PredicateErrorPlace: Hashable, Sendable, Codable {
    /// A line and a column, both counted from 1. Columns count characters as readers perceive them.
    public struct Position: Hashable, Sendable, Codable {
        /// The line number.
        public var line: Int
        /// The number of the character in its line.
        public var column: Int
    }

    /// The range in UTF-8 offsets.
    public var utf8: Range<Int>
    /// The range in UTF-16 units, as `NSRange` and editors use.
    public var utf16: Range<Int>
    /// The position of the first character.
    public var start: Position
    /// The position after the last character.
    public var end: Position

    /// Makes the location of a range of bytes in a text; the range is clamped to the text.
    init(_ range: Range<Int>, in text: String) {
        let bytes = text.utf8
        let limits = 0..<bytes.count + 1
        let range = range.clamped(to: limits)
        let lower = bytes.index(bytes.startIndex, offsetBy: min(range.lowerBound, bytes.count))
        let upper = bytes.index(bytes.startIndex, offsetBy: min(range.upperBound, bytes.count))
        utf8 = min(range.lowerBound, bytes.count)..<min(range.upperBound, bytes.count)
        let start = String(decoding: bytes[..<lower], as: UTF8.self)
        let end = String(decoding: bytes[..<upper], as: UTF8.self)
        utf16 = start.utf16.count..<max(start.utf16.count, end.utf16.count)
        self.start = Position(after: start)
        self.end = Position(after: end)
    }
}

extension PredicateErrorPlace.Position {
    /// The position after a text.
    fileprivate init(after text: String) {
        var (line, column) = (1, 1)
        for character in text {
            if character.isNewline { (line, column) = (line + 1, 1) } else { column += 1 }
        }
        (self.line, self.column) = (line, column)
    }
}

extension PredicateDiagnostic {
    /// The name of the code, without its payload: `expectedOperator`. It is stable across versions.
    ///
    /// If the payload is another error or a nested reason, its name follows a dot:
    /// `notExpressible.nestedCollections`.
    public var codeName: String { CaseName.path(of: code, in: String(reflecting: Self.self)) }

    /// The location of the error; nil for an error without text.
    public var place: PredicateErrorPlace? { text.isEmpty ? nil : PredicateErrorPlace(range, in: text) }

    /// Encodes the error for a client:
    ///
    ///     {"code": "expectedExpression", "title": "…", "text": "age >= AND", "place": {"utf8": [7, 10], "utf16": [7, 10],
    ///      "start": {"line": 1, "column": 8}, "end": {"line": 1, "column": 11}}, "hints": ["…"]}
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EncodedDiagnosticKey.self)
        try container.encode(codeName, forKey: .code)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(label, forKey: .label)
        if let place {
            try container.encode(text, forKey: .text)
            try container.encode(place, forKey: .place)
        }
        try container.encode(hints, forKey: .hints)
    }
}

private enum EncodedDiagnosticKey: String, CodingKey {
    case code, title, label, text, place, hints
}

/// Names of the cases of an error's code.
private enum CaseName {
    /// Returns the name of a case. The name of a nested case follows if the payload is an enum nested in the error,
    /// or another error.
    static func path(of value: Any, in error: String) -> String {
        let mirror = Mirror(reflecting: value)
        guard let payload = mirror.children.first, let name = payload.label else { return "\(value)" }
        let values = Mirror(reflecting: payload.value)
        let first: Any? = values.displayStyle == .tuple ? values.children.first?.value : payload.value
        if let inner = first as? any PredicateDiagnostic { return "\(name).\(inner.codeName)" }
        guard let first, Mirror(reflecting: first).displayStyle == .enum,
            String(reflecting: type(of: first)).hasPrefix(error + ".")
        else { return name }
        return "\(name).\(path(of: first, in: error))"
    }
}

// MARK: - Rendering

/// Renders an error as text: the title, the offending line with a caret, and hints.
///
///     error: expected a value, a key path or a function
///       age >= AND name == 'A'
///              ^~~
///     hint: write a value on both sides of the operator: age >= 21
package enum ErrorRenderer {
    /// The maximum width of an excerpt in characters. A longer line is cut around the caret and marked with an
    /// ellipsis.
    static let excerptWidth = 100

    /// Renders an error. `range` is in UTF-8 offsets of `source` and is clamped to it.
    package static func render(
        title: String, source: String, range: Range<Int>, label: String?, hints: [String]
    ) -> String {
        var lines = ["error: \(title.printable)"]
        if !source.isEmpty {
            let excerpt = Excerpt(source: source, range: range)
            let (text, marks) = excerpt.cut(to: excerptWidth)
            lines.append("  \(text)")
            lines.append(["  \(marks)", label?.printable].compactMap(\.self).joined(separator: " "))
        }
        lines += hints.map { "hint: \($0.printable)" }
        return lines.joined(separator: "\n")
    }

    /// A line, and the marks under a range of it, both cut to a width. `isCut` is true if the line begins earlier.
    package static func excerpt(
        _ line: [UInt8], _ range: Range<Int>, isCut: Bool, width: Int
    ) -> (text: String, marks: String) {
        Excerpt(line, range: range, isCut, false).cut(to: width)
    }
}

/// The line that contains a source range, divided into the parts before, in and after the range.
private struct Excerpt {
    private let before: [Character]
    private let marked: [Character]
    private let after: [Character]
    /// True if the line continues beyond the excerpt.
    private let isCutBefore: Bool
    private let isCutAfter: Bool

    /// The number of bytes that are examined before, in and after the range: far more than are shown, however long
    /// the line is.
    private static let reach = 10 * ErrorRenderer.excerptWidth

    init(source: String, range: Range<Int>) {
        let utf8 = source.utf8
        let lower = min(max(range.lowerBound, 0), utf8.count)
        let upper = min(max(range.upperBound, lower), utf8.count)
        let first = max(0, lower - Self.reach), end = min(utf8.count, min(upper, lower + Self.reach) + Self.reach)
        let start = utf8.index(utf8.startIndex, offsetBy: first)
        let window = Array(utf8[start..<utf8.index(start, offsetBy: end - first)])
        self.init(window, range: lower - first..<min(upper, lower + Self.reach) - first, first > 0, end < utf8.count)
    }

    fileprivate init(_ window: [UInt8], range: Range<Int>, _ isCutBefore: Bool, _ isCutAfter: Bool) {
        let lineFeed = UInt8(ascii: "\n")
        let lineStart = window[..<range.lowerBound].lastIndex(of: lineFeed)
        let lineEnd = window[range.lowerBound...].firstIndex(of: lineFeed)
        self.isCutBefore = isCutBefore && lineStart == nil
        self.isCutAfter = isCutAfter && lineEnd == nil
        // The window may begin inside a character.
        let character = window.firstIndex { $0 & 0xC0 != 0x80 } ?? 0
        let first = lineStart.map { $0 + 1 } ?? character
        let markedEnd = max(min(range.upperBound, lineEnd ?? window.count), range.lowerBound)
        before = Self.printable(window[min(first, range.lowerBound)..<range.lowerBound])
        marked = Self.printable(window[range.lowerBound..<markedEnd])
        after = Self.printable(window[markedEnd..<max(lineEnd ?? window.count, markedEnd)])
    }

    /// Replaces each control character with a space, so that columns line up.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> [Character] {
        String(decoding: bytes, as: UTF8.self).map { character in
            character.unicodeScalars.contains(where: \.movesCursor) ? " " : character
        }
    }

    /// Returns the line and the marks under it, both cut to a width around the range.
    func cut(to width: Int) -> (text: String, marks: String) {
        let shownMarks = marked.prefix(width / 2)
        let isMarkCut = shownMarks.count < marked.count
        let room = max(width - shownMarks.count, 0)
        let head = before.suffix(max(room / 2, room - after.count))
        let tail = isMarkCut ? [] : after.prefix(room - head.count)
        let opening = isCutBefore || head.count < before.count ? "…" : ""
        let closing = isMarkCut || isCutAfter || tail.count < after.count ? "…" : ""
        let text = opening + String(head) + String(shownMarks) + String(tail) + closing
        let indent = String(repeating: " ", count: DisplayWidth.of(opening + String(head)))
        let length = max(DisplayWidth.of(String(shownMarks)), 1)
        return (text, indent + "^" + String(repeating: "~", count: length - 1))
    }
}

extension String {
    /// The string with control characters and directional marks escaped, so that it is safe to print to a terminal.
    ///
    /// `a\u{1b}[2J`
    package var printable: String {
        guard unicodeScalars.contains(where: \.movesCursor) else { return self }
        return unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default:
                result += scalar.movesCursor ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// True for control characters and characters that change the writing direction.
    var movesCursor: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// True for invisible characters: white space other than the space, joiners, byte order marks.
    var isInvisible: Bool {
        properties.isWhitespace || properties.generalCategory == .format || movesCursor
    }

    /// `U+00A0`
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}

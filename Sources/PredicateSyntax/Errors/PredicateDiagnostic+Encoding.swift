/// The place of an error in its text, as programs count: in bytes, in UTF-16 units, in lines and columns.
///
/// `age >= AND` in its only line: UTF-8 and UTF-16 7 to 10, line 1, columns 8 to 11
public struct PredicateErrorPlace: Hashable, Sendable, Codable {
    /// A line and a column, both from 1; a column counts characters as readers see them.
    public struct Position: Hashable, Sendable, Codable {
        /// The number of the line.
        public var line: Int
        /// The number of the character in the line.
        public var column: Int
    }

    /// The offsets in bytes of UTF-8.
    public var utf8: Range<Int>
    /// The offsets in UTF-16 units, as `NSRange` and editors have them.
    public var utf16: Range<Int>
    /// The first character.
    public var start: Position
    /// The position after the last character.
    public var end: Position

    /// The place of a range of bytes in a text, which a range past its end is cut to.
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
    /// The name of the code without its values, which stays the same from version to version: `expectedOperator`.
    ///
    /// A code that holds another error, or a reason of its own, has that behind a dot: `notExpressible.nestedCollections`.
    public var codeName: String { CaseName.path(of: code, in: String(reflecting: Self.self)) }

    /// The place of the error; nil for one without a text.
    public var place: PredicateErrorPlace? { text.isEmpty ? nil : PredicateErrorPlace(range, in: text) }

    /// Encodes the error for a client:
    ///
    ///     {"code": "expectedOperand", "title": "…", "text": "age >= AND", "place": {"utf8": [7, 10], "utf16": [7, 10],
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

/// The names of the cases of an error's code.
private enum CaseName {
    /// The name of a case, and of the case inside it that says more: of an enum nested in the error, or of another error.
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

/// A pattern with wildcards for a whole string.
///
///     name LIKE[c] "jo?n*"
///
/// `*` stands for any number of code points, newlines too; `?` for exactly one code point of the folded text, so that
/// `"ß" LIKE[c] "??"` holds. A backslash takes the next character as it is: `\*`, `\?`, `\\`; at the end of the pattern
/// it stands for itself. All other characters are literal.
public struct LikePattern: Hashable, Sendable {
    /// What LIKE answers for a pattern that is empty once folded, even of an empty text: `name LIKE ""`.
    public static let emptyPatternMatches = false

    /// Whether the pattern has a `*` or `?` that is not escaped: it has in `name LIKE "jo*"`.
    public let hasWildcards: Bool
    private let mode: FoldMode
    private let shape: Shape

    /// The pattern, folded: the right side of `name LIKE[c] "jo?n*"`. See ``emptyPatternMatches``.
    public init(_ pattern: String, _ mode: FoldMode) {
        let tokens = LikeToken.read(pattern, mode)
        hasWildcards = tokens.contains(where: LikeToken.isWildcard)
        self.mode = mode
        shape = Shape(tokens, mode)
    }

    /// What the pattern asks, with its bytes: `name LIKE "jo*"` asks for a prefix.
    package var flat: FlatPattern {
        switch shape {
        case .empty: .constant(Self.emptyPatternMatches)
        case .anything: .constant(true)
        case .exact(let needle): .exact(needle.foldedBytes)
        case .prefix(let needle): .prefix(needle.foldedBytes)
        case .suffix(let needle): .suffix(needle.foldedBytes)
        case .contains(let needle): .contains(needle.foldedBytes)
        case .general(let tokens): .tokens(tokens)
        }
    }

    /// Whether the pattern fits the whole text: `name LIKE[c] "jo?n*"`.
    public func matches(_ text: String) -> Bool {
        switch shape {
        case .empty: Self.emptyPatternMatches
        case .anything: true
        case .exact(let needle): needle.isEqual(to: text)
        case .prefix(let needle): needle.isPrefix(of: text)
        case .suffix(let needle): needle.isSuffix(of: text)
        case .contains(let needle): needle.isContained(in: text)
        case .general(let tokens): tokens.withUnsafeBufferPointer { tokens in text.withText(mode) { $0.fits(tokens) } }
        }
    }
}

extension LikePattern {
    /// The patterns that need no search for where a star ends, and the rest.
    private enum Shape: Hashable, Sendable {
        /// `name LIKE ""`
        case empty
        /// `name LIKE "*"`
        case anything
        /// `name LIKE "john"`
        case exact(PreparedNeedle)
        /// `name LIKE "jo*"`
        case prefix(PreparedNeedle)
        /// `name LIKE "*hn"`
        case suffix(PreparedNeedle)
        /// `name LIKE "*oh*"`
        case contains(PreparedNeedle)
        /// `name LIKE "j?h*n"`
        case general([UInt8])

        init(_ tokens: [UInt8], _ mode: FoldMode) {
            let (opens, closes) = (tokens.first == LikeToken.star, tokens.last == LikeToken.star)
            let middle = Array(tokens.dropFirst(opens ? 1 : 0).dropLast(closes ? 1 : 0))
            guard !middle.contains(where: LikeToken.isWildcard) else {
                self = .general(tokens)
                return
            }
            let needle = PreparedNeedle(folded: middle, mode)
            switch (opens, closes) {
            case (_, _) where middle.isEmpty: self = opens ? .anything : .empty
            case (false, false): self = .exact(needle)
            case (false, true): self = .prefix(needle)
            case (true, false): self = .suffix(needle)
            case (true, true): self = .contains(needle)
            }
        }
    }
}

/// The bytes of a pattern: folded UTF-8, in which two bytes that no text holds stand for the wildcards.
enum LikeToken {
    /// `*`; two in a row are one.
    static let star: UInt8 = 0xFF
    /// `?`
    static let any: UInt8 = 0xFE

    static func isWildcard(_ token: UInt8) -> Bool {
        token >= any
    }

    static func read(_ pattern: String, _ mode: FoldMode) -> [UInt8] {
        var tokens: [UInt8] = []
        var scalars = pattern.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "*": if tokens.last != star { tokens.append(star) }
            case "?": tokens.append(any)
            case "\\": append(scalars.next() ?? scalar, mode, to: &tokens)
            default: append(scalar, mode, to: &tokens)
            }
        }
        return tokens
    }

    private static func append(_ scalar: Unicode.Scalar, _ mode: FoldMode, to tokens: inout [UInt8]) {
        tokens.append(contentsOf: Folding.fold(String(scalar), mode).utf8)
    }
}

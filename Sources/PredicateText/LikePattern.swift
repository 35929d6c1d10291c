/// A pattern with wildcards for a whole string.
///
///     name LIKE[c] "jo?n*"
///
/// `*` stands for any number of characters, newlines too; `?` for exactly one character: a code point without options, a
/// letter with its marks under a fold, so that `"Straße" LIKE[c] "stra?e"` holds. A backslash takes the next character as it
/// is: `\*`, `\?`, `\\`; at the end of the pattern it stands for itself. All other characters are literal. (NSP-098)
package struct LikePattern: Hashable, Sendable {
    /// The result of LIKE with a pattern that is empty once folded, even for an empty text: `name LIKE ""`.
    package static let emptyPatternMatches = false

    /// The operation that the pattern amounts to.
    package let shape: Shape

    /// The pattern, folded: the right side of `name LIKE[c] "jo?n*"`. See ``emptyPatternMatches``.
    package init(_ pattern: String, _ mode: FoldMode) {
        shape = Shape(LikeToken.read(pattern, mode), mode)
    }

    /// True if the pattern fits the whole text: `name LIKE[c] "jo?n*"`.
    package func matches(_ text: String) -> Bool {
        switch shape {
        case .constant(let result): result
        case .match(let match, let needle): match.holds(text, needle)
        }
    }
}

extension LikePattern {
    /// The operation that a pattern amounts to; only ``TextMatch/like`` needs a search for where a star ends.
    package enum Shape: Hashable, Sendable {
        /// One result for every text: `name LIKE ""`, `name LIKE "*"`
        case constant(Bool)
        /// `name LIKE "john"`, `name LIKE "jo*"`, `name LIKE "*hn"`, `name LIKE "*oh*"`, `name LIKE "j?h*n"`
        ///
        /// ``PreparedNeedle/foldedText`` is what an operation other than `like` looks for; the needle of `like` is read
        /// as ``LikePattern/tokens``.
        case match(TextMatch, PreparedNeedle)

        init(_ tokens: [UInt8], _ mode: FoldMode) {
            let (opens, closes) = (tokens.first == LikeToken.star, tokens.last == LikeToken.star)
            let middle = Array(tokens.dropFirst(opens ? 1 : 0).dropLast(closes ? 1 : 0))
            guard !middle.contains(where: LikeToken.isWildcard) else {
                self = .match(.like, PreparedNeedle(folded: tokens, mode))
                return
            }
            guard !middle.isEmpty else {
                self = .constant(opens || LikePattern.emptyPatternMatches)
                return
            }
            let match: TextMatch =
                switch (opens, closes) {
                case (false, false): .equal
                case (false, true): .beginsWith
                case (true, false): .endsWith
                case (true, true): .contains
                }
            self = .match(match, PreparedNeedle(folded: middle, mode))
        }
    }

    /// A part of a pattern: a literal text, folded, or a wildcard.
    package enum Token: Hashable, Sendable {
        case text(String)
        /// `?`: one character
        case any
        /// `*`: any number of characters
        case star
    }

    /// The pattern taken apart; no two texts and no two stars are neighbours: `jo`, `?`, `n`, `*` for `"Jo?n*"`.
    package var tokens: [Token] {
        switch shape {
        case .constant(let result): result ? [.star] : []
        case .match(let match, let needle):
            (match.allowsTextBefore ? [.star] : []) + LikeToken.split(needle.foldedBytes)
                + (match.allowsTextAfter ? [.star] : [])
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
        var literal = ""
        func finishLiteral() {
            tokens.append(contentsOf: Folding.fold(literal, mode).utf8)
            literal = ""
        }
        var scalars = pattern.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "*":
                finishLiteral()
                if tokens.last != star { tokens.append(star) }
            case "?":
                finishLiteral()
                tokens.append(any)
            case "\\": literal.unicodeScalars.append(scalars.next() ?? scalar)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        finishLiteral()
        return tokens
    }

    static func split(_ bytes: [UInt8]) -> [LikePattern.Token] {
        var tokens: [LikePattern.Token] = []
        var rest = bytes[...]
        while let byte = rest.first {
            let text = rest.prefix { !isWildcard($0) }
            tokens.append(
                byte == star ? .star : byte == any ? .any : .text(String(decoding: text, as: UTF8.self)))
            rest = rest.dropFirst(max(text.count, 1))
        }
        return tokens
    }
}

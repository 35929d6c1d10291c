/// A wildcard pattern that matches a whole string.
///
///     name LIKE[c] "jo?n*"
///
/// `*` matches any number of characters, including newlines. `?` matches exactly one character: without options a code
/// point, under a fold a letter with its marks, so that `"Straße" LIKE[c] "stra?e"` holds. A backslash makes the next
/// character literal: `\*`, `\?`, `\\`. A backslash at the end of the pattern is literal, and so are all other
/// characters. (NSP-098)
package struct LikePattern: Hashable, Sendable {
    /// The result of LIKE for a pattern that is empty after folding, even for an empty string: `name LIKE ""`.
    package static let emptyPatternMatches = false

    /// The operation that the pattern is equivalent to.
    package let shape: Shape

    /// Reads and folds a pattern, the right side of `name LIKE[c] "jo?n*"`. See ``emptyPatternMatches``.
    package init(_ pattern: String, _ mode: FoldMode) {
        shape = Shape(LikeToken.read(pattern, mode), mode)
    }

    /// Returns true if the pattern matches the whole string: `name LIKE[c] "jo?n*"`.
    package func matches(_ text: String) -> Bool {
        switch shape {
        case .constant(let result): result
        case .match(let match, let needle): match.holds(text, needle)
        }
    }
}

extension LikePattern {
    /// The operation that a pattern is equivalent to. Only ``TextMatch/like`` has to search for the end of a star's
    /// match.
    package enum Shape: Hashable, Sendable {
        /// The same result for every string: `name LIKE ""`, `name LIKE "*"`
        case constant(Bool)
        /// `name LIKE "john"`, `name LIKE "jo*"`, `name LIKE "*hn"`, `name LIKE "*oh*"`, `name LIKE "j?h*n"`
        ///
        /// For operations other than `like`, the needle is ``PreparedNeedle/foldedText``. For `like`, it is read as
        /// ``LikePattern/tokens``.
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

    /// A component of a pattern: a folded literal string or a wildcard.
    package enum Component: Hashable, Sendable {
        case text(String)
        /// `?`: one character
        case any
        /// `*`: any number of characters
        case star
    }

    /// The components of the pattern: `jo`, `?`, `n`, `*` for `"Jo?n*"`. No two strings and no two stars are
    /// adjacent.
    package var tokens: [Component] {
        switch shape {
        case .constant(let result): result ? [.star] : []
        case .match(let match, let needle):
            (match.allowsTextBefore ? [.star] : []) + LikeToken.split(needle.foldedBytes)
                + (match.allowsTextAfter ? [.star] : [])
        }
    }
}

/// The bytes of a pattern: folded UTF-8 in which two bytes that never occur in UTF-8 represent the wildcards.
enum LikeToken {
    /// `*`; consecutive stars are joined into one.
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

    static func split(_ bytes: [UInt8]) -> [LikePattern.Component] {
        var tokens: [LikePattern.Component] = []
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

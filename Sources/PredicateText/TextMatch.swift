/// An operation that looks for a needle in a text: the one list of text operations that the leaves of a plan, bytecode,
/// columns, the shapes of LIKE patterns and SQL share.
///
///     name BEGINSWITH[cd] "jo"
package enum TextMatch: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// `name == "john"`, `name LIKE "john"`
    case equal
    /// `name BEGINSWITH "jo"`, `name LIKE "jo*"`
    case beginsWith
    /// `name ENDSWITH "hn"`, `name LIKE "*hn"`
    case endsWith
    /// `name CONTAINS "oh"`, `name LIKE "*oh*"`
    case contains
    /// `name LIKE "j?h*n"`: the needle holds the tokens of a pattern.
    case like
}

extension TextMatch {
    /// True if a LIKE pattern for the operation begins with a star: `name LIKE "*hn"` is ENDSWITH.
    var allowsTextBefore: Bool { self == .endsWith || self == .contains }

    /// True if a LIKE pattern for the operation ends with a star: `name LIKE "jo*"` is BEGINSWITH.
    var allowsTextAfter: Bool { self == .beginsWith || self == .contains }

    /// True if the operation holds for two strings: `name BEGINSWITH[cd] nickname`.
    ///
    /// With `like` the needle is a pattern, in which `*` and `?` are wildcards.
    package func holds(_ text: String, _ needle: String, _ mode: FoldMode) -> Bool {
        switch self {
        case .equal: TextSearch.equal(text, needle, mode)
        case .beginsWith: TextSearch.begins(text, with: needle, mode)
        case .endsWith: TextSearch.ends(text, with: needle, mode)
        case .contains: TextSearch.contains(text, needle, mode)
        case .like: LikePattern(needle, mode).matches(text)
        }
    }

    /// True if the operation holds for a text and a folded needle: `name BEGINSWITH[cd] "jo"`.
    @inline(__always)
    package func holds(_ text: String, _ needle: PreparedNeedle) -> Bool {
        needle.compare(text) { holds($1, $0) }
    }

    /// True if the operation holds for the UTF-8 of a text and a needle by pointer: `name BEGINSWITH[cd] "jo"`.
    @inlinable
    @inline(__always)
    package func holds(_ text: UnsafeBufferPointer<UInt8>, _ needle: FlatNeedle) -> Bool {
        switch self {
        case .equal: needle.isEqual(to: text)
        case .beginsWith: needle.isPrefix(of: text)
        case .endsWith: needle.isSuffix(of: text)
        case .contains: needle.isContained(in: text)
        case .like: needle.fits(text)
        }
    }
}

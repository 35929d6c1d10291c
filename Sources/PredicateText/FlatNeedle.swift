/// A prepared needle by pointer, for loops in which nothing may be counted or copied.
///
///     name BEGINSWITH[cd] "jo"
///
/// A trivial value: whoever made it keeps the bytes alive. The answers are those of ``PreparedNeedle``, asked of the
/// UTF-8 of a text.
package struct FlatNeedle: BitwiseCopyable, @unchecked Sendable {
    private let start: UnsafePointer<UInt8>
    private let count: Int
    private let mode: FoldMode

    /// A needle of folded bytes, such as ``PreparedNeedle/foldedBytes``, that live as long as it is used.
    package init(_ folded: UnsafeBufferPointer<UInt8>, _ mode: FoldMode) {
        let needle = FoldedText(folded, .none)
        start = needle.start
        count = needle.count
        self.mode = mode
    }

    /// `name BEGINSWITH[cd] "jo"`
    @inline(__always)
    package func isPrefix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).begins(with: needle)
    }

    /// `name ENDSWITH[cd] "son"`
    @inline(__always)
    package func isSuffix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).ends(with: needle)
    }

    /// `name CONTAINS[cd] "oh"`
    @inline(__always)
    package func isContained(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).contains(needle)
    }

    /// `name ==[cd] "john"`
    @inline(__always)
    package func isEqual(to text: UnsafeBufferPointer<UInt8>) -> Bool {
        if mode == .none { return FoldedText(text, .none).hasSameBytes(as: needle) }
        return order(of: text) == 0
    }

    /// Whether the text is equal to one of the needles: `name IN {"jo", "al"}`.
    package static func contain(
        _ needles: UnsafeBufferPointer<FlatNeedle>, _ text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        for needle in needles where needle.isEqual(to: text) { return true }
        return false
    }

    /// -1, 0 or 1 as the text comes before, with or after the needle: `name <[cd] "john"`.
    @inline(__always)
    package func order(of text: UnsafeBufferPointer<UInt8>) -> Int {
        FoldedText(text, mode).order(needle)
    }

    /// Whether the needle, read as the tokens of a pattern, fits the whole text: `name LIKE[c] "j?h*n"`.
    @inline(__always)
    package func fits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        FoldedText(text, mode).fits(UnsafeBufferPointer(start: start, count: count))
    }

    @inline(__always)
    private var needle: FoldedText { FoldedText(UnsafeBufferPointer(start: start, count: count), .none) }
}

extension FoldedText {
    /// Whether both texts are the same bytes.
    @inline(__always)
    fileprivate func hasSameBytes(as other: FoldedText) -> Bool {
        guard count == other.count else { return false }
        var position = 0
        while position < count {
            if word(at: position) != other.word(at: position) { return false }
            position &+= 8
        }
        return true
    }
}

/// What a pattern asks of a text, with the folded bytes that it asks for.
///
///     name LIKE "jo*"
package enum FlatPattern: Sendable {
    /// `name LIKE ""`, `name LIKE "*"`
    case constant(Bool)
    /// `name LIKE "john"`
    case exact([UInt8])
    /// `name LIKE "jo*"`
    case prefix([UInt8])
    /// `name LIKE "*hn"`
    case suffix([UInt8])
    /// `name LIKE "*oh*"`
    case contains([UInt8])
    /// `name LIKE "j?h*n"`
    case tokens([UInt8])
}

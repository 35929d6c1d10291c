/// An operation that searches a string for a needle. Plans, bytecode, LIKE patterns and SQL share this list of
/// operations.
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
    /// True if the equivalent LIKE pattern begins with a star: `name LIKE "*hn"` is ENDSWITH.
    var allowsTextBefore: Bool { self == .endsWith || self == .contains }

    /// True if the equivalent LIKE pattern ends with a star: `name LIKE "jo*"` is BEGINSWITH.
    var allowsTextAfter: Bool { self == .beginsWith || self == .contains }

    /// Returns true if the operation holds for two strings: `name BEGINSWITH[cd] nickname`.
    ///
    /// For `like` the needle is a pattern in which `*` and `?` are wildcards.
    package func holds(_ text: String, _ needle: String, _ mode: FoldMode) -> Bool {
        switch self {
        case .equal: TextSearch.equal(text, needle, mode)
        case .beginsWith: TextSearch.begins(text, with: needle, mode)
        case .endsWith: TextSearch.ends(text, with: needle, mode)
        case .contains: TextSearch.contains(text, needle, mode)
        case .like: LikePattern(needle, mode).matches(text)
        }
    }

    /// Returns true if the operation holds for a string and a folded needle: `name BEGINSWITH[cd] "jo"`.
    @inline(__always)
    package func holds(_ text: String, _ needle: PreparedNeedle) -> Bool {
        needle.compare(text) { holds($1, $0) }
    }

    /// Returns true if the operation holds for the UTF-8 of a string and a ``FlatNeedle``: `name BEGINSWITH[cd] "jo"`.
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

// MARK: - Two strings

/// Comparisons of two strings, neither of which is a constant.
///
///     lastName BEGINSWITH[cd] firstName
///
/// Strings are equal if their folded code points are equal. Without options, `é` as one code point does not equal `e`
/// with a combining accent; Swift's `==` and every fold treat the two as equal.
package enum TextSearch {
    /// The result of BEGINSWITH, ENDSWITH and CONTAINS for a needle that is empty after folding: `name CONTAINS ""`.
    package static let emptyNeedleMatches = false

    /// Returns true if the string begins with the prefix: `name BEGINSWITH[cd] nickname`. See ``emptyNeedleMatches``.
    package static func begins(_ text: String, with prefix: String, _ mode: FoldMode) -> Bool {
        text.withText(mode) { text in prefix.withText(mode) { text.begins(with: $0) } }
    }

    /// Returns true if the string ends with the suffix: `name ENDSWITH[cd] nickname`. See ``emptyNeedleMatches``.
    package static func ends(_ text: String, with suffix: String, _ mode: FoldMode) -> Bool {
        text.withText(mode) { text in suffix.withText(mode) { text.ends(with: $0) } }
    }

    /// Returns true if the string contains the needle: `name CONTAINS[cd] nickname`. See ``emptyNeedleMatches``.
    ///
    /// Under a fold no match begins or ends inside a character: `"ß" CONTAINS[c] "s"` is false. (NSP-185)
    package static func contains(_ text: String, _ needle: String, _ mode: FoldMode) -> Bool {
        text.withText(mode) { text in
            needle.withText(mode) { needle in needle.withFolded { text.contains($0) } }
        }
    }

    /// Returns true if the strings are equal: `name ==[cd] nickname`.
    package static func equal(_ left: String, _ right: String, _ mode: FoldMode) -> Bool {
        compare(left, right, mode) == 0
    }

    /// Returns -1, 0 or 1 if the left string is ordered before, equal to or after the right one: `name <[cd]
    /// nickname`.
    ///
    /// Strings are ordered by their folded code points, which is also the order of their UTF-8 bytes.
    package static func compare(_ left: String, _ right: String, _ mode: FoldMode) -> Int {
        left.withText(mode) { left in right.withText(mode) { left.order($0) } }
    }
}

// MARK: - Prepared needles

/// A string that is folded once and compared with many others.
///
///     name BEGINSWITH[cd] "jo"
///
/// It gives the same results as ``TextSearch`` with the needle as the second string.
///
/// `@unchecked`: the storage is immutable after initialization.
package struct PreparedNeedle: Hashable, @unchecked Sendable {
    package let mode: FoldMode
    private let storage: NeedleStorage

    /// The folded UTF-8 of `"jo"` in `name BEGINSWITH[cd] "Jo"`, for a ``FlatNeedle``.
    package var foldedBytes: [UInt8] { storage.withNeedle(mode) { Array($0.bytes.buffer) } }

    /// The needle as plain pointers, for loops without reference counting. It is valid as long as this needle lives.
    package var flat: FlatNeedle { storage.withNeedle(mode) { $0 } }

    /// The folded string: `"jo"` in `name BEGINSWITH[cd] "Jo"`.
    package var foldedText: String { storage.withNeedle(mode) { String(decoding: $0.bytes.buffer, as: UTF8.self) } }

    /// Folds a needle: the right side of `name BEGINSWITH[cd] "jo"`.
    package init(_ needle: String, _ mode: FoldMode) {
        self.mode = mode
        storage = needle.withText(mode) { text in text.withFolded { NeedleStorage.make($0, mode) } }
    }

    /// Makes a needle from folded bytes.
    init(folded bytes: [UInt8], _ mode: FoldMode) {
        self.mode = mode
        storage = bytes.withUnsafeBufferPointer { NeedleStorage.make(FoldedText($0, .none), mode) }
    }

    /// Returns true if the string begins with the needle: `name BEGINSWITH[cd] "jo"`. False for an empty needle.
    package func isPrefix(of text: String) -> Bool {
        compare(text) { $0.isPrefix(of: $1) }
    }

    /// Returns true if the string ends with the needle: `name ENDSWITH[cd] "son"`. False for an empty needle.
    package func isSuffix(of text: String) -> Bool {
        compare(text) { $0.isSuffix(of: $1) }
    }

    /// Returns true if the string contains the needle: `name CONTAINS[cd] "oh"`. False for an empty needle.
    package func isContained(in text: String) -> Bool {
        compare(text) { $0.isContained(in: $1) }
    }

    /// Returns true if the string equals the needle: `name ==[cd] "john"`.
    package func isEqual(to text: String) -> Bool {
        compare(text) { $0.isEqual(to: $1) }
    }

    /// Returns -1, 0 or 1 if the string is ordered before, equal to or after the needle: `name <[cd] "john"`.
    package func order(of text: String) -> Int {
        compare(text) { $0.order(of: $1) }
    }

    /// Calls `body` with the needle as a ``FlatNeedle`` and the UTF-8 of a string.
    @inline(__always)
    func compare<Result>(
        _ text: String, _ body: (FlatNeedle, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        storage.withNeedle(mode) { needle in text.withText(.none) { body(needle, $0.bytes) } }
    }

    /// Needles are equal if their folded bytes are equal.
    package static func == (left: PreparedNeedle, right: PreparedNeedle) -> Bool {
        left.mode == right.mode && left.foldedBytes == right.foldedBytes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(mode)
        hasher.combine(foldedBytes)
    }
}

/// The words of a needle followed by its bytes, in one block, so that copying a needle costs one reference.
private final class NeedleStorage: ManagedBuffer<(words: NeedleWords, count: Int), UInt8> {
    static func make(_ text: FoldedText, _ mode: FoldMode) -> NeedleStorage {
        let made = create(minimumCapacity: text.count) { buffer in
            buffer.withUnsafeMutablePointerToElements { $0.initialize(from: text.start, count: text.count) }
            return (NeedleWords(text, mode), text.count)
        }
        return unsafeDowncast(made, to: NeedleStorage.self)
    }

    @inline(__always)
    func withNeedle<Result>(_ mode: FoldMode, _ body: (FlatNeedle) -> Result) -> Result {
        withUnsafeMutablePointers { header, elements in
            let bytes = NeedleBytes(start: elements, count: header.pointee.count, mode: mode)
            // The words come first in the header.
            let words = UnsafeRawPointer(header).assumingMemoryBound(to: NeedleWords.self)
            return body(FlatNeedle(bytes, words))
        }
    }
}

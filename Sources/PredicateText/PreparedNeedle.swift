/// A string that many texts are compared with, folded once.
///
///     name BEGINSWITH[cd] "jo"
///
/// The results are those of ``TextSearch``, with the needle as the second string.
///
/// `@unchecked`: the storage does not change once it is made.
package struct PreparedNeedle: Hashable, @unchecked Sendable {
    /// The differences that the comparison ignores.
    package let mode: FoldMode
    private let storage: NeedleStorage

    /// The folded UTF-8 of `"jo"` in `name BEGINSWITH[cd] "Jo"`, for a ``FlatNeedle``.
    package var foldedBytes: [UInt8] { storage.withNeedle(mode) { Array($0.bytes.buffer) } }

    /// The needle by pointer, for loops in which nothing may be counted: it is good for as long as this one lives.
    package var flat: FlatNeedle { storage.withNeedle(mode) { $0 } }

    /// The folded text: `"jo"` in `name BEGINSWITH[cd] "Jo"`.
    package var foldedText: String { storage.withNeedle(mode) { String(decoding: $0.bytes.buffer, as: UTF8.self) } }

    /// The needle, folded: the right side of `name BEGINSWITH[cd] "jo"`.
    package init(_ needle: String, _ mode: FoldMode) {
        self.mode = mode
        storage = needle.withText(mode) { text in text.withFolded { NeedleStorage.make($0, mode) } }
    }

    /// A needle of bytes that are folded already.
    init(folded bytes: [UInt8], _ mode: FoldMode) {
        self.mode = mode
        storage = bytes.withUnsafeBufferPointer { NeedleStorage.make(FoldedText($0, .none), mode) }
    }

    /// True if the text begins with the needle: `name BEGINSWITH[cd] "jo"`. An empty needle gives false.
    package func isPrefix(of text: String) -> Bool {
        compare(text) { $0.isPrefix(of: $1) }
    }

    /// True if the text ends with the needle: `name ENDSWITH[cd] "son"`. An empty needle gives false.
    package func isSuffix(of text: String) -> Bool {
        compare(text) { $0.isSuffix(of: $1) }
    }

    /// True if the text contains the needle: `name CONTAINS[cd] "oh"`. An empty needle gives false.
    package func isContained(in text: String) -> Bool {
        compare(text) { $0.isContained(in: $1) }
    }

    /// True if the text is equal to the needle: `name ==[cd] "john"`.
    package func isEqual(to text: String) -> Bool {
        compare(text) { $0.isEqual(to: $1) }
    }

    /// -1, 0 or 1 as the text comes before, with or after the needle: `name <[cd] "john"`.
    package func order(of text: String) -> Int {
        compare(text) { $0.order(of: $1) }
    }

    /// Calls `body` with the needle by pointer and the UTF-8 of a text.
    @inline(__always)
    func compare<Result>(
        _ text: String, _ body: (FlatNeedle, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        storage.withNeedle(mode) { needle in text.withText(.none) { body(needle, $0.bytes) } }
    }

    /// Two needles are equal when their folded bytes are.
    package static func == (left: PreparedNeedle, right: PreparedNeedle) -> Bool {
        left.mode == right.mode && left.foldedBytes == right.foldedBytes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(mode)
        hasher.combine(foldedBytes)
    }
}

/// The words of a needle and, after them, its bytes: one block, so that a needle is copied by one reference.
private final class NeedleStorage: ManagedBuffer<(words: NeedleWords, count: Int), UInt8> {
    /// A copy of folded bytes.
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

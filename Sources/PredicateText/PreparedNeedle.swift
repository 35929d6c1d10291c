/// A string that many texts are compared with, folded once.
///
///     name BEGINSWITH[cd] "jo"
///
/// The answers are those of ``TextSearch``, with the needle as the second string.
public struct PreparedNeedle: Hashable, Sendable {
    /// What the comparison overlooks.
    public let mode: FoldMode
    private let bytes: [UInt8]

    /// The folded UTF-8 of `"jo"` in `name BEGINSWITH[cd] "Jo"`, for a ``FlatNeedle``.
    package var foldedBytes: [UInt8] { bytes }

    /// The needle, folded: the right side of `name BEGINSWITH[cd] "jo"`.
    public init(_ needle: String, _ mode: FoldMode) {
        let bytes = needle.withText(mode) { text in text.withFolded { Array($0.bytes) } }
        self.init(folded: bytes, mode)
    }

    /// A needle of bytes that are folded already.
    init(folded bytes: [UInt8], _ mode: FoldMode) {
        self.mode = mode
        self.bytes = bytes
    }

    /// Whether the text begins with the needle: `name BEGINSWITH[cd] "jo"`. An empty needle gives false.
    public func isPrefix(of text: String) -> Bool {
        compare(text) { $0.begins(with: $1) }
    }

    /// Whether the text ends with the needle: `name ENDSWITH[cd] "son"`. An empty needle gives false.
    public func isSuffix(of text: String) -> Bool {
        compare(text) { $0.ends(with: $1) }
    }

    /// Whether the needle is part of the text: `name CONTAINS[cd] "oh"`. An empty needle gives false.
    public func isContained(in text: String) -> Bool {
        compare(text) { $0.contains($1) }
    }

    /// Whether the text is equal to the needle: `name ==[cd] "john"`.
    public func isEqual(to text: String) -> Bool {
        order(of: text) == 0
    }

    /// -1, 0 or 1 as the text comes before, with or after the needle: `name <[cd] "john"`.
    public func order(of text: String) -> Int {
        compare(text) { $0.order($1) }
    }

    @inline(__always)
    private func compare<Answer>(_ text: String, _ body: (FoldedText, FoldedText) -> Answer) -> Answer {
        bytes.withUnsafeBufferPointer { needle in
            text.withText(mode) { body($0, FoldedText(needle, .none)) }
        }
    }
}

/// A regular expression and the tree of its parts, each with the place where it stands.
///
/// Every text has a tree, made in linear time: what no pattern has is a node of its own, at which a consumer stops. Nothing
/// says here that a matcher takes the pattern, and spaces are characters even after `(?x)`.
///
/// A `(` within ``deepest`` groups has no content: what it holds follows it, and its `)` is malformed. What stands past
/// ``longest`` bytes is one malformed node.
package struct PatternTree: Hashable, Sendable {
    /// The UTF-8 of the pattern.
    package let bytes: [UInt8]
    package let choice: PatternChoice

    package static let deepest = 100
    package static let deepestSet = 16
    package static let longest = 1 << 20

    package init(_ pattern: String, _ dialect: PatternDialect = .icu) {
        bytes = Array(pattern.utf8)
        var reader = PatternReader(bytes, dialect)
        choice = reader.pattern()
    }

    /// The pattern as text.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
    }

    /// The range of so many code points, or of those that are left.
    package func range(from start: Int, count: Int) -> Range<Int> {
        var (end, rest) = (start, count)
        while rest > 0, end < bytes.count {
            end += 1
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
            rest -= 1
        }
        return start..<end
    }
}

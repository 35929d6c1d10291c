/// A format string and where in it each node of the tree stands.
///
/// Nodes are numbered children before parents, left before right: the order in which a parser finishes them. The tree
/// itself carries no positions, so equal predicates stay equal however they were written.
public struct SourceMap: Hashable, Sendable {
    public let text: String
    /// A range of UTF-8 offsets for each node, by its number.
    public let ranges: [Range<Int>]

    public init(text: String, ranges: [Range<Int>]) {
        self.text = text
        self.ranges = ranges
    }

    /// The place of a node, nil when the map does not know it.
    public func range(ofNode number: Int) -> Range<Int>? {
        ranges.indices.contains(number) ? ranges[number] : nil
    }
}

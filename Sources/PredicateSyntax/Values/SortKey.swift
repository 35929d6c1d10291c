/// A key that objects are ordered by, or a path of to-one keys.
///
/// `SortKey("boss.name", ascending: false, options: .caseInsensitive)`
///
/// nil comes before everything; texts are ordered by code points, folded where the options say so.
public struct SortKey: Hashable, Sendable {
    public var keyPath: String
    public var ascending: Bool
    public var options: ComparisonOptions

    public init(_ keyPath: String, ascending: Bool = true, options: ComparisonOptions = []) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.options = options
    }
}

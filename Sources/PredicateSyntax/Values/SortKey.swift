/// A key that objects are ordered by, or a path of to-one keys.
///
/// `SortKey("boss.name", ascending: false, options: .caseInsensitive)`
///
/// Texts are ordered by code points, folded where the options say so. nil counts as less than everything: it comes first in
/// an ascending order and last in a descending one, unless ``nils`` gives it a place of its own.
public struct SortKey: Hashable, Sendable {
    /// The key, or to-one keys and a key with dots between them.
    public var keyPath: String
    /// True for the least value first.
    public var ascending: Bool
    /// How texts are folded before they are compared.
    public var options: ComparisonOptions
    /// The place of objects whose value is nil, whatever the direction: `SortKey("due", nils: .last)`. nil for that of the
    /// least value.
    public var nils: NilPlacement?

    /// The place of nil in an order.
    public enum NilPlacement: Hashable, Sendable, CaseIterable {
        /// Objects whose value is nil come before all others.
        case first
        /// Objects whose value is nil come after all others.
        case last
    }

    /// A key to order by, ascending unless said otherwise.
    public init(
        _ keyPath: String, ascending: Bool = true, options: ComparisonOptions = [], nils: NilPlacement? = nil
    ) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.options = options
        self.nils = nils
    }

    /// True if nil comes before all values.
    package var putsNilFirst: Bool {
        switch nils {
        case .first?: true
        case .last?: false
        case nil: ascending
        }
    }
}

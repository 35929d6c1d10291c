/// A format string that stands in no code: in a script, a property list or a data model.
struct StoredText {
    var text: FormatText
    var kind: FoundCall.Kind
    /// What says that it is one: `--predicate`, `installable_condition`, `predicateString`.
    var name: Range<Int>
    /// True if only that it parses shows that it is one.
    var isUncertain = false
    /// The entity that it is about, where the source tells.
    var entity: String?
    /// The entity whose fetched property it is, for which `$FETCH_SOURCE` stands.
    var owner: String?
    /// False for what a store is not asked for: a condition of an index, a derived value.
    var isFetch = true
}

/// What a comparison of strings overlooks: the option letters `c` and `d` behind an operator.
///
///     name BEGINSWITH[cd] "jo"
public enum FoldMode: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// `name == "Ann"`
    case none
    /// `name ==[c] "ann"`
    case caseInsensitive
    /// `name ==[d] "Zoe"`
    case diacriticInsensitive
    /// `name ==[cd] "zoe"`
    case caseAndDiacriticInsensitive
}

extension FoldMode {
    /// Whether `A` folds to `a`.
    var foldsCase: Bool { rawValue & 1 != 0 }

    /// Where the table keeps this fold among the three of a code point.
    var column: Int { max(Int(rawValue) - 1, 0) }
}

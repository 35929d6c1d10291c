/// The differences that a comparison of strings ignores: the option letters `c` and `d` after an operator.
///
///     name BEGINSWITH[cd] "jo"
@usableFromInline
package enum FoldMode: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
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
    /// True if `A` folds to `a`.
    package var foldsCase: Bool { rawValue & 1 != 0 }

    /// True if `é` folds to `e`.
    var dropsMarks: Bool { rawValue & 2 != 0 }
}

/// Comparison of two strings, neither of which is a constant.
///
///     lastName BEGINSWITH[cd] firstName
///
/// Strings are equal when their folded code points are. Without options an `é` in one code point is not an `e` with a
/// combining accent, which Swift's own `==` and every fold take for the same.
package enum TextSearch {
    /// The result of BEGINSWITH, ENDSWITH and CONTAINS for a needle that is empty once folded: `name CONTAINS ""`.
    package static let emptyNeedleMatches = false

    /// True if the text begins with the prefix: `name BEGINSWITH[cd] nickname`. See ``emptyNeedleMatches``.
    package static func begins(_ text: String, with prefix: String, _ mode: FoldMode) -> Bool {
        text.withText(mode) { text in prefix.withText(mode) { text.begins(with: $0) } }
    }

    /// True if the text ends with the suffix: `name ENDSWITH[cd] nickname`. See ``emptyNeedleMatches``.
    package static func ends(_ text: String, with suffix: String, _ mode: FoldMode) -> Bool {
        text.withText(mode) { text in suffix.withText(mode) { text.ends(with: $0) } }
    }

    /// True if the text contains the needle: `name CONTAINS[cd] nickname`. See ``emptyNeedleMatches``.
    ///
    /// Under a fold no match begins or ends inside a character: `"ß" CONTAINS[c] "s"` is false. (NSP-185)
    package static func contains(_ text: String, _ needle: String, _ mode: FoldMode) -> Bool {
        text.withText(mode) { text in
            needle.withText(mode) { needle in needle.withFolded { text.contains($0) } }
        }
    }

    /// True if the strings are equal: `name ==[cd] nickname`.
    package static func equal(_ left: String, _ right: String, _ mode: FoldMode) -> Bool {
        compare(left, right, mode) == 0
    }

    /// -1, 0 or 1 as the left string comes before, with or after the right one: `name <[cd] nickname`.
    ///
    /// The order is that of the folded code points, which is also that of their UTF-8.
    package static func compare(_ left: String, _ right: String, _ mode: FoldMode) -> Int {
        left.withText(mode) { left in right.withText(mode) { left.order($0) } }
    }
}

import PredicateText

/// Searches under a fold, for texts without marks of their own (``Folding/markBlocks``): they fold code point by code point, so that an
/// expression for what folds to the needle finds it. A text with marks is found as well, for a function to decide.
extension SQLRegularExpressions {
    /// A text that has marks: `[\x{300}-\x{36F}…]`
    var marks: String { characters(Folding.markBlocks) }

    /// `[Oo][Hh]|[…]` for `name CONTAINS[c] "oh"`. Where the needle is at the beginning, a text with marks begins as the needle does:
    /// `\A(?:[Jj][Oo]|[Jj…][^…]*+[…])`. Nil as the search is the whole text. Nil for what is too long.
    func finding(_ search: SQLPiece.Search?, _ needles: [String], _ mode: FoldMode) -> String? {
        var branches: [MatchPattern] = []
        for needle in needles {
            guard let pattern = MatchPattern(foldingTo: needle, mode) else { return nil }
            if pattern != .never { branches.append(pattern) }
        }
        guard !branches.isEmpty else { return marks }
        let pattern = MatchPattern.choice(branches)
        guard pattern.compiledSize <= Self.largestSize / 2 else { return nil }
        let found = "(?:" + body(pattern) + ")"
        return switch search {
        case .beginsWith: start + "(?:" + found + "|" + beginning(needles, mode) + ")"
        case .contains: found + "|" + marks
        case .endsWith: found + end + "|" + marks
        case nil: start + "(?:" + found + end + "|" + beginning(needles, mode) + ")"
        }
    }

    /// A text with marks, whose first code point may be the beginning of a needle.
    private func beginning(_ needles: [String], _ mode: FoldMode) -> String {
        let first = needles.reduce(CodePointSet([])) { $0.union(CodePointSet(beginning: $1, mode)) }
        guard !backtracks else {
            return "(?=" + characters(first.union(Folding.markBlocks)) + ")" + noMarks + "*+" + marks
        }
        return marks + "|" + characters(first) + noMarks + "*" + marks
    }

    private var noMarks: String { "[^" + marks.dropFirst() }

    /// A text that has marks, or is so long that a search for where stars end may pass the limit of a matcher.
    var marksOrLength: String { backtracks ? marks + "|" + Self.long : marks }

    /// `\A(?:[Jj](?s:.)(?s:.*)[Nn]\z|[^…]*+[…])|\A(?s:.{60000})` for `name LIKE[c] "j?*n"`. Nil for what is too long.
    ///
    /// After a star the first place where the literal fits is as good as any other, up to the next star: it is not given up. Matchers that
    /// do not go back need no such rule, and no limit of the length.
    func fitting(_ tokens: [LikePattern.Token], _ mode: FoldMode) -> String? {
        let others = backtracks ? noMarks + "*+" + marks + ")|" + Self.long : noMarks + "*" + marks + ")"
        let (first, shortest) = backtracks ? ("(?>", "(?s:.*?)") : ("(?:", rest)
        var (fitting, piece, size): (String, String, Int) = ("", "", 0)
        var isAfterStar = false
        for token in tokens {
            switch token {
            case .text(let text):
                guard let pattern = MatchPattern(foldingTo: text, mode) else { return nil }
                if pattern == .never { return marksOrLength }
                size += pattern.compiledSize
                piece += "(?:" + body(pattern) + ")"
            case .any: piece += any
            case .star:
                fitting += isAfterStar && !piece.isEmpty ? first + shortest + piece + ")" : piece
                (piece, isAfterStar) = ("", true)
            }
        }
        guard size + 24 * tokens.count <= Self.largestSize / 2 else { return nil }
        if isAfterStar { fitting += rest }
        return start + "(?:" + fitting + piece + end + "|" + others
    }

    /// The count is that of a single code point: a group would be written out so many times.
    private static let long = "\\A(?s:.{60000})"

    /// Any code point.
    private var any: String { self == .postgreSQL ? "." : "(?s:.)" }

    /// Any text.
    private var rest: String { self == .postgreSQL ? ".*" : "(?s:.*)" }
}

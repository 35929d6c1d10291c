import PredicateText

/// A LIKE pattern taken apart: literal texts and wildcards, folded.
///
/// `name LIKE[c] "Jo?n*"`: `jo`, any one, `n`, any number
public struct SQLLikePattern: Sendable {
    public enum Token: Hashable, Sendable {
        case text(String)
        /// `?`: one code point
        case one
        /// `*`: any number of code points
        case many
    }

    /// No two texts and no two `*` stand side by side.
    public private(set) var tokens: [Token] = []

    init(_ pattern: String, _ mode: FoldMode) {
        var literal = String.UnicodeScalarView()
        var scalars = pattern.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "*", "?":
                flush(&literal, mode)
                if scalar == "?" || tokens.last != .many { tokens.append(scalar == "?" ? .one : .many) }
            case "\\": literal.append(scalars.next() ?? scalar)
            default: literal.append(scalar)
            }
        }
        flush(&literal, mode)
    }

    /// A text that folds to nothing leaves no token, and the stars around it become one.
    private mutating func flush(_ literal: inout String.UnicodeScalarView, _ mode: FoldMode) {
        let text = Folding.fold(String(literal), mode)
        literal = String.UnicodeScalarView()
        if !text.isEmpty { tokens.append(.text(text)) }
    }
}

extension SQLLikePattern {
    /// The patterns that can be said without one.
    enum Shape {
        /// `""`
        case empty
        /// `"*"`
        case anything
        /// `"jo"`
        case whole(String)
        /// `"jo*"`, `"*hn"`, `"*oh*"`
        case piece(SQLTextRelation, String)
        case general
    }

    var shape: Shape {
        let middle = tokens.drop { $0 == .many }
        let opens = middle.count < tokens.count
        let closes = middle.last == .many
        let inner = closes ? middle.dropLast() : middle
        if inner.isEmpty { return opens ? .anything : .empty }
        guard inner.count == 1, case .text(let text)? = inner.first else { return .general }
        switch (opens, closes) {
        case (false, false): return .whole(text)
        case (false, true): return .piece(.begins, text)
        case (true, false): return .piece(.ends, text)
        case (true, true): return .piece(.contains, text)
        }
    }
}

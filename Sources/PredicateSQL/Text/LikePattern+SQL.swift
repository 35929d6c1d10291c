import PredicateText

extension LikePattern {
    /// The pattern as the LIKE of SQL reads it, with `!` as the escape: `jo_n%` for `"jo?n*"`.
    var sqlPattern: String {
        tokens.map { token in
            switch token {
            case .text(let text): Self.escaped(text)
            case .any: "_"
            case .star: "%"
            }
        }.joined()
    }

    /// The pattern for the texts that begin with the ASCII at the beginning of one: `jo%`, `Zo%` for `Zoë`. A column of any character set
    /// has that.
    static func beginning(_ text: String) -> String {
        escaped(String(text.unicodeScalars.prefix(while: \.isASCII))) + "%"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "!" { result += "!" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

extension SQLPiece.Search {
    /// The search that a match amounts to; nil for one that is no search for a piece.
    init?(_ match: TextMatch) {
        switch match {
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .contains: self = .contains
        case .equal, .like: return nil
        }
    }
}

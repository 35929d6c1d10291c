import PredicateText

/// The functions that PostgreSQL is given, made from the same table that evaluators fold by.
enum PostgreSQLPrelude {
    /// One statement for each function; those that stand already are replaced.
    static func statements(for functions: Set<SQLFunction>) -> [String] {
        functions.sorted { $0.name < $1.name }.compactMap { function in
            body(of: function).map { body in
                """
                CREATE OR REPLACE FUNCTION \(function.name)(s text) RETURNS \(function == .length ? "int8" : "text") \
                LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $predicates$SELECT \(body)$predicates$
                """
            }
        }
    }

    private static func body(of function: SQLFunction) -> String? {
        switch function {
        case .foldCase: caseFold
        case .foldDiacritics: diacriticFold
        case .foldCaseAndDiacritics: caseAndDiacriticFold
        case .length: #"char_length(s) + char_length(regexp_replace(s, '[^\U00010000-\U0010FFFF]', '', 'g'))"#
        case .like, .matches, .uppercase, .lowercase, .date, .decimalCompare, .decimalDouble, .divide, .remainder,
            .power, .absolute, .floor, .ceiling, .truncate, .squareRoot, .naturalLogarithm, .decimalLogarithm,
            .exponential:
            nil
        }
    }

    private static let caseFold = text(of: .caseInsensitive)
    private static let diacriticFold = text(of: .diacriticInsensitive)
    private static let caseAndDiacriticFold = text(of: .caseAndDiacriticInsensitive)

    /// Letters that fold to one letter, or to none, in one `translate`; those that fold to several by `replace`, before.
    ///
    /// Folding twice is folding once, so that no step changes the result of another. ASCII takes a short way.
    private static func text(of mode: FoldMode) -> String {
        let table = FoldPairs(mode)
        var text = "s"
        for (scalar, folded) in table.several { text = "replace(\(text), \(quoted(scalar)), \(quoted(folded)))" }
        let from = table.single.map(\.0).joined() + table.dropped.joined()
        let whole = "translate(\(text), \(quoted(from)), \(quoted(table.single.map(\.1).joined())))"
        let short = mode == .diacriticInsensitive ? "s" : "lower(s COLLATE \"C\")"
        return "CASE WHEN octet_length(s) = char_length(s) THEN \(short) ELSE \(whole) END"
    }

    private static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { result += "'" }
            result.unicodeScalars.append(scalar)
        }
        return result + "'"
    }
}

/// The code points that a fold changes, by how many they become.
private struct FoldPairs {
    var single: [(String, String)] = []
    var several: [(String, String)] = []
    var dropped: [String] = []

    /// The planes that hold letters and marks; those between are empty or for private use.
    private static let letters: [ClosedRange<UInt32>] = [1...0x3FFFF, 0xE0000...0xE0FFF]

    init(_ mode: FoldMode) {
        for value in Self.letters.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            let folded = Folding.fold(text, mode)
            if folded.utf8.elementsEqual(text.utf8) { continue }
            switch folded.unicodeScalars.count {
            case 0: dropped.append(text)
            case 1: single.append((text, folded))
            default: several.append((text, folded))
            }
        }
    }
}

/// What somebody wrote who thinks in another language, and how to say it in this one.
///
/// `WHERE age > 5`, `age === 5`, `name.contains("jo")`
struct ForeignPhrase {
    /// The format in front of the place, and from the place on; in lower case.
    private let before, after: ArraySlice<UInt8>

    init(_ format: String, at place: Int) {
        let bytes = format.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let place = min(max(place, 0), bytes.count)
        (before, after) = (bytes[..<place], bytes[place...])
    }

    /// A hint that fits better than the one of the code alone; nil where there is none.
    func hint(for code: PredicateFormatError.Code) -> String? {
        if isStatement { return "a predicate is what stands behind WHERE: age >= 21" }
        if case .expectedExpression = code { return missingSide }
        if case .expectedOperator = code { return foreignOperator }
        if case .expectedPredicate = code { return method.map { "write key \($0) value" } }
        if case .nonASCIIKey(let character) = code { return invisible(character) }
        if code == .unexpectedCharacter(";") { return "leave it out: nothing ends a predicate" }
        if code == .loneMark("@"), after.dropFirst().first == UInt8(ascii: "\"") {
            return "a text has quotes and nothing before them: \"jo\""
        }
        return nil
    }

    private var isStatement: Bool {
        let first = before.split(separator: UInt8(ascii: " ")).first
        return first.map { $0.elementsEqual("where".utf8) || $0.elementsEqual("select".utf8) } ?? false
    }

    /// `age === 5`, `age > 5 AND`
    private var missingSide: String? {
        if after.first == UInt8(ascii: "="), before.last == UInt8(ascii: "=") { return "write == or !=" }
        let last = before.split(separator: UInt8(ascii: " ")).last.map { String(decoding: $0, as: UTF8.self) }
        return switch last {
        case "and", "&&", "or", "||": "AND and OR stand between two comparisons: one is missing here"
        case "not", "!": "NOT stands before a comparison: NOT (age == 21)"
        default: nil
        }
    }

    /// `name.contains("jo")`, `tags@count > 1`, `name ~= "jo"`
    private var foreignOperator: String? {
        if let method { return "write key \(method) value" }
        switch after.first {
        case UInt8(ascii: "@"): return "a dot stands before an operator of collections: tags.@count"
        case UInt8(ascii: "!") where after.dropFirst().first != UInt8(ascii: "~"):
            return "NOT stands before the whole comparison: NOT (key IN value); the operator is !="
        case UInt8(ascii: "~"), UInt8(ascii: "!"): return "write MATCHES, which takes an expression for the whole text"
        default: return nil
        }
    }

    /// What stands for the method that is called at the place, or in the expression that begins there.
    private var method: String? {
        guard let call = after.firstIndex(of: UInt8(ascii: "(")) else { return nil }
        let name = (before + after[..<call]).reversed().prefix { ByteClass.isWordStart($0) }.reversed()
        return Self.methods[String(decoding: Array(name), as: UTF8.self)]
    }

    private static let methods = [
        "contains": "CONTAINS", "includes": "CONTAINS", "hasprefix": "BEGINSWITH", "startswith": "BEGINSWITH",
        "hassuffix": "ENDSWITH", "endswith": "ENDSWITH", "equals": "==", "isequal": "==", "matches": "MATCHES",
    ]

    private func invisible(_ character: String) -> String? {
        guard let scalar = character.unicodeScalars.first, scalar.isInvisible else { return nil }
        return scalar.properties.isWhitespace
            ? "\(scalar.codePoint) looks like a space and is none: write a space"
            : "\(scalar.codePoint) cannot be seen: delete it"
    }
}

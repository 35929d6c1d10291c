/// The reason why a row is no value of a type.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum DecodingProblem: Hashable, Sendable {
    /// The entity has no key of that name
    case noSuchKey(nearMisses: [String])
    /// NULL in the column of a property that is not optional
    case isNil
    /// A text in the column of a property that is a number
    case kind(expected: String, found: String)
    /// 300 in the column of an `Int8`, 2.5 in that of an `Int`
    case doesNotFit(String, found: String)
    /// Objects that lead to each other without end
    case nestingTooDeep(limit: Int)
    /// What the type's own `init(from:)` throws
    case host(String)

    /// The end of the sentence that names the key.
    var words: String {
        switch self {
        case .noSuchKey: "there is no such key"
        case .isNil: "it is nil, and the property is not optional"
        case .kind(let expected, let found): "expected \(expected), found \(found)"
        case .doesNotFit(let type, let found): "\(found) does not fit \(type)"
        case .nestingTooDeep(let limit): "objects lead to one another for more than \(limit) levels"
        case .host(let words): words
        }
    }

    var hints: [String] {
        switch self {
        case .noSuchKey(let nearMisses):
            nearMisses.last.map { ["did you mean \($0)?"] }
                ?? ["a property that no column holds is left out of CodingKeys, and has a default value"]
        case .isNil: ["declare the property as optional, or leave these rows out by the predicate"]
        case .kind: ["the schema says what a column holds"]
        case .doesNotFit, .nestingTooDeep, .host: []
        }
    }
}

/// One declaration of a source.
struct Declaration {
    enum Kind: String {
        case `struct`, `class`, `enum`, `protocol`, `actor`, `extension`
        case `func`, `var`, `let`, `init`, `subscript`, `case`, `typealias`, `associatedtype`

        var isType: Bool {
            switch self {
            case .struct, .class, .enum, .protocol, .actor: true
            case .extension, .func, .var, .let, .`init`, .subscript, .case, .typealias, .associatedtype: false
            }
        }
    }

    var kind: Kind
    /// The types around it and its own name, without parameters: `FormatPredicate.init`.
    var path: String
    /// The text after the name: generic parameters, parameters, effects, result, constraints.
    var signature: String
    /// `static`, `mutating`, …: those that callers see.
    var modifiers: [String]
    /// The inherited types of a type or an extension.
    var inherited: [String] = []
    /// The constraints of the extension around it, or of an extension itself.
    var constraints = ""
    var isPublic: Bool
    /// True if a comment of documentation stands before it.
    var isDocumented = false

    /// Its own name.
    var name: String { path.split(separator: ".").last.map(String.init) ?? path }

    /// True for what says nothing of its own: extensions, and what a protocol of Swift's library asks for.
    var needsNoDocumentation: Bool {
        switch kind {
        case .extension: true
        case .`init`: Self.labelsOfWitnesses.contains { signature.hasPrefix("(\($0)") }
        case .struct, .class, .enum, .protocol, .actor, .func, .var, .let, .subscript, .case, .typealias,
            .associatedtype:
            Self.witnesses.contains(name)
        }
    }

    /// The protocols of Swift's library that ask for such a member; nil for other members.
    var protocolsOfRequirement: Set<String>? {
        switch (kind, name) {
        case (.func, "=="): signature.hasSuffix("-> Bool") ? ["Equatable", "Hashable", "Comparable"] : nil
        case (.func, "<"): ["Comparable"]
        case (.func, "hash"): ["Hashable"]
        case (.func, "encode"): ["Encodable", "Codable"]
        case (.var, "description"): ["CustomStringConvertible"]
        case (.var, "debugDescription"): ["CustomDebugStringConvertible"]
        case (.var, "rawValue"), (.let, "rawValue"): ["OptionSet", "RawRepresentable"]
        case (.`init`, _): Self.protocolsOfInitializers.first { signature.hasPrefix("(\($0.key)") }?.value
        default: nil
        }
    }

    private static let protocolsOfInitializers: [String: Set<String>] = [
        "from decoder": ["Decodable", "Codable"], "rawValue": ["OptionSet", "RawRepresentable"],
        "stringLiteral": ["ExpressibleByStringLiteral", "ExpressibleByStringInterpolation"],
        "integerLiteral": ["ExpressibleByIntegerLiteral"], "floatLiteral": ["ExpressibleByFloatLiteral"],
        "booleanLiteral": ["ExpressibleByBooleanLiteral"], "arrayLiteral": ["ExpressibleByArrayLiteral"],
        "dictionaryLiteral": ["ExpressibleByDictionaryLiteral"],
        "stringInterpolation": ["ExpressibleByStringInterpolation"],
    ]
    private static let labelsOfWitnesses = [
        "from ", "rawValue", "stringLiteral", "nilLiteral", "integerLiteral", "floatLiteral", "booleanLiteral",
        "arrayLiteral", "dictionaryLiteral", "stringInterpolation", "literalCapacity",
    ]
    private static let witnesses: Set = [
        "hash", "encode", "description", "debugDescription", "errorDescription", "customMirror", "makeIterator",
        "makeAsyncIterator", "next", "Element", "AsyncIterator", "Iterator", "startIndex", "endIndex", "rawValue", "id",
        "allCases", "appendLiteral", "Failure", "<", "==",
    ]

    /// The line of the listing.
    var line: String {
        let words = modifiers + (kind == .`init` || kind == .subscript ? [] : [kind == .let ? "var" : kind.rawValue])
        let ending =
            constraints.isEmpty
            ? "" : signature.contains(" where ") ? ", \(constraints.dropFirst(6))" : " \(constraints)"
        let list = inherited.isEmpty ? "" : ": " + Set(inherited).sorted().joined(separator: ", ")
        let space = signature.hasPrefix("=") ? " " : ""
        return (words + [path]).joined(separator: " ") + space + signature + list + ending
    }
}

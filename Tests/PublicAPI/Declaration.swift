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

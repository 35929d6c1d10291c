import PredicateSyntax

/// Turns the names of a model into valid and unique Swift identifiers.
struct SwiftNames {
    private var taken: Set<String>

    /// `reserved` are names that generated code uses itself in the same scope.
    init(reserved: Set<String> = []) {
        taken = reserved
    }

    /// The identifier of a name: `class` with backticks, `first_name` for `first name`, `name_` for a name that is
    /// taken.
    mutating func add(_ name: String) -> String {
        let wanted = Self.identifier(name)
        var found = wanted
        var number = 1
        while !taken.insert(found).inserted {
            number += 1
            found = number == 2 ? "\(wanted)_" : "\(wanted)_\(number - 1)"
        }
        return Self.keywords.contains(found) ? "`\(found)`" : found
    }

    /// A name with `_` for everything that cannot be in an identifier.
    static func identifier(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isPart =
                scalar == "_" || (scalar.properties.isXIDContinue && !scalar.properties.isDefaultIgnorableCodePoint)
            result.unicodeScalars.append(isPart ? scalar : "_")
        }
        guard let first = result.unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
            return "_" + result
        }
        return result == "_" ? "__" : result
    }

    /// `in progress` becomes `inProgress`, `2` becomes `value2`.
    static func caseName(_ value: PredicateValue) -> String {
        switch value {
        case .integer(let number): return number < 0 ? "valueMinus\(number.magnitude)" : "value\(number)"
        case .string(let text):
            let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            guard let first = words.first else { return text.isEmpty ? "empty" : "symbol" }
            let start = first.allSatisfy { $0.isUppercase || !$0.isLetter } ? first.lowercased() : lowered(first)
            let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return identifier(([start] + rest).joined())
        default: return "value"
        }
    }

    private static func lowered(_ word: Substring) -> String { word.prefix(1).lowercased() + word.dropFirst() }

    /// The name of a nested type for an attribute: `Status` for `status`.
    static func typeName(_ name: String) -> String {
        let identifier = identifier(name)
        return identifier.prefix(1).uppercased() + identifier.dropFirst()
    }

    /// A string literal, without interpolation. Characters that are not printable are escaped.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.isPrinted {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                }
            }
        }
        return result + "\""
    }

    /// A line of a comment: control characters and those that change the direction of text become spaces.
    static func comment(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { result.unicodeScalars.append(scalar.isPrinted ? scalar : " ") }
        return result
    }

    /// The keywords that an identifier needs backticks for.
    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout", "internal",
        "let", "open", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct",
        "subscript", "typealias", "var", "actor", "break", "case", "catch", "continue", "default", "defer", "do",
        "else",
        "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while", "Any", "as",
        "await", "false", "is", "nil", "super", "throws", "true", "try", "async", "some", "any", "each", "macro",
        "consume", "copy", "borrowing", "consuming", "package", "extension", "indirect", "lazy", "mutating", "weak",
        "unowned", "required", "convenience", "dynamic", "final", "infix", "postfix", "prefix", "optional", "override",
        "nonisolated", "nonmutating", "isolated", "sending", "willSet", "didSet", "get", "set", "left", "right",
        "none", "precedence", "associativity", "discard", "yield", "repeat", "then", "unsafe", "distributed",
    ]

    /// Names that even backticks do not make usable as members.
    static let unusable: Set<String> = ["self", "Self", "Type", "Protocol", "init", "_"]
}

extension Unicode.Scalar {
    /// False for control and format characters, line separators, and code points that are not assigned.
    fileprivate var isPrinted: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        default: true
        }
    }
}

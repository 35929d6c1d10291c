/// An operator or punctuation mark. The raw value is its spelling; the longest match is taken.
package enum Symbol: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case singleEqual = "="
    case notEqual = "!="
    case lessGreater = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case equalLess = "=<"
    case greater = ">"
    case greaterOrEqual = ">="
    case equalGreater = "=>"
    case doubleAmpersand = "&&"
    case doubleBar = "||"
    case exclamation = "!"
    case plus = "+"
    case hyphen = "-"
    case asterisk = "*"
    case doubleAsterisk = "**"
    case slash = "/"
    case ampersand = "&"
    case bar = "|"
    case caret = "^"
    case tilde = "~"
    case doubleLess = "<<"
    case doubleGreater = ">>"
    case assign = ":="
    case colon = ":"
    case comma = ","
    case dot = "."
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case openBrace = "{"
    case closeBrace = "}"
    /// The constant `<null>`, which the printer writes for the null object.
    case nullObject = "<null>"

    /// The longest symbol that begins with `first` when `second` follows.
    static func longest(_ first: UInt8, _ second: UInt8) -> Symbol? {
        switch first {
        case UInt8(ascii: "="): beginningWithEqual(second)
        case UInt8(ascii: "<"): beginningWithLess(second)
        case UInt8(ascii: ">"): beginningWithGreater(second)
        case UInt8(ascii: "!"): second == UInt8(ascii: "=") ? .notEqual : .exclamation
        case UInt8(ascii: "&"): second == first ? .doubleAmpersand : .ampersand
        case UInt8(ascii: "|"): second == first ? .doubleBar : .bar
        case UInt8(ascii: "*"): second == first ? .doubleAsterisk : .asterisk
        case UInt8(ascii: ":"): second == UInt8(ascii: "=") ? .assign : .colon
        default: mark(first)
        }
    }

    /// The symbol of one byte that is never the start of a longer one.
    static func mark(_ byte: UInt8) -> Symbol? {
        switch byte {
        case UInt8(ascii: "+"): .plus
        case UInt8(ascii: "-"): .hyphen
        case UInt8(ascii: "/"): .slash
        case UInt8(ascii: "^"): .caret
        case UInt8(ascii: "~"): .tilde
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: "."): .dot
        case UInt8(ascii: "("): .openParenthesis
        case UInt8(ascii: ")"): .closeParenthesis
        case UInt8(ascii: "["): .openBracket
        case UInt8(ascii: "]"): .closeBracket
        case UInt8(ascii: "{"): .openBrace
        case UInt8(ascii: "}"): .closeBrace
        default: nil
        }
    }

    @inline(__always)
    private static func beginningWithEqual(_ second: UInt8) -> Symbol {
        switch second {
        case UInt8(ascii: "="): .equal
        case UInt8(ascii: "<"): .equalLess
        case UInt8(ascii: ">"): .equalGreater
        default: .singleEqual
        }
    }

    @inline(__always)
    private static func beginningWithLess(_ second: UInt8) -> Symbol {
        switch second {
        case UInt8(ascii: ">"): .lessGreater
        case UInt8(ascii: "="): .lessOrEqual
        case UInt8(ascii: "<"): .doubleLess
        default: .less
        }
    }

    @inline(__always)
    private static func beginningWithGreater(_ second: UInt8) -> Symbol {
        switch second {
        case UInt8(ascii: "="): .greaterOrEqual
        case UInt8(ascii: ">"): .doubleGreater
        default: .greater
        }
    }

    /// The number of bytes.
    var length: Int {
        switch self {
        case .equal, .notEqual, .lessGreater, .lessOrEqual, .equalLess, .greaterOrEqual, .equalGreater,
            .doubleAmpersand, .doubleBar, .doubleAsterisk, .doubleLess, .doubleGreater, .assign:
            2
        case .singleEqual, .less, .greater, .exclamation, .plus, .hyphen, .asterisk, .slash, .ampersand, .bar, .caret,
            .tilde, .colon, .comma, .dot, .openParenthesis, .closeParenthesis, .openBracket, .closeBracket,
            .openBrace, .closeBrace:
            1
        case .nullObject: rawValue.utf8.count
        }
    }
}

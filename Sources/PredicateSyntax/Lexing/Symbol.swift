/// A mark that is no word. The raw value is its spelling; the longest one that fits is taken.
@nonexhaustive
public enum Symbol: String, Hashable, Sendable, CaseIterable {
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

    /// The longest symbol at the head of these bytes.
    static func longest(at bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> (Symbol, length: Int)? {
        let first = bytes[offset]
        let second = offset + 1 < bytes.count ? bytes[offset + 1] : 0
        if let symbol = double(first, second) { return (symbol, 2) }
        return single(first).map { ($0, 1) }
    }

    private static func double(_ first: UInt8, _ second: UInt8) -> Symbol? {
        switch (first, second) {
        case (UInt8(ascii: "="), UInt8(ascii: "=")): .equal
        case (UInt8(ascii: "!"), UInt8(ascii: "=")): .notEqual
        case (UInt8(ascii: "<"), UInt8(ascii: ">")): .lessGreater
        case (UInt8(ascii: "<"), UInt8(ascii: "=")): .lessOrEqual
        case (UInt8(ascii: "="), UInt8(ascii: "<")): .equalLess
        case (UInt8(ascii: ">"), UInt8(ascii: "=")): .greaterOrEqual
        case (UInt8(ascii: "="), UInt8(ascii: ">")): .equalGreater
        case (UInt8(ascii: "&"), UInt8(ascii: "&")): .doubleAmpersand
        case (UInt8(ascii: "|"), UInt8(ascii: "|")): .doubleBar
        case (UInt8(ascii: "*"), UInt8(ascii: "*")): .doubleAsterisk
        case (UInt8(ascii: "<"), UInt8(ascii: "<")): .doubleLess
        case (UInt8(ascii: ">"), UInt8(ascii: ">")): .doubleGreater
        case (UInt8(ascii: ":"), UInt8(ascii: "=")): .assign
        default: nil
        }
    }

    private static func single(_ byte: UInt8) -> Symbol? {
        switch byte {
        case UInt8(ascii: "="): .singleEqual
        case UInt8(ascii: "<"): .less
        case UInt8(ascii: ">"): .greater
        case UInt8(ascii: "!"): .exclamation
        case UInt8(ascii: "+"): .plus
        case UInt8(ascii: "-"): .hyphen
        case UInt8(ascii: "*"): .asterisk
        case UInt8(ascii: "/"): .slash
        case UInt8(ascii: "&"): .ampersand
        case UInt8(ascii: "|"): .bar
        case UInt8(ascii: "^"): .caret
        case UInt8(ascii: "~"): .tilde
        case UInt8(ascii: ":"): .colon
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
}

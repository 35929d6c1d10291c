/// A token of a format string: its kind and its source range. Its text stays in the format until it is needed.
package struct Token {
    package enum Kind: Hashable, Sendable {
        /// The end of the format.
        case end
        /// `age`: letters, digits and underscores that spell no keyword
        case word
        /// `AND`
        case keyword(Keyword)
        /// `#size`, `#"first name"`
        case escapedWord
        /// `@count`
        case atWord
        /// `$limit`, `$#size`
        case variable
        /// `"jo"`
        case string
        /// `42`, `0x2A`
        case integer
        /// `4.2`, `1e5`
        case floatingPoint
        /// `%@`
        case specifier(FormatSpecifier.Kind)
        /// `==`
        case symbol(Symbol)
    }

    let kind: Kind
    /// True for a string with escapes.
    let hasEscapes: Bool
    private let lowerBound: UInt32
    private let upperBound: UInt32

    /// Offsets take four bytes each, since the stack of a deeply nested format holds many tokens; formats are far
    /// shorter than that allows.
    init(kind: Kind, start: Int, end: Int, hasEscapes: Bool = false) {
        self.kind = kind
        self.hasEscapes = hasEscapes
        lowerBound = UInt32(truncatingIfNeeded: start)
        upperBound = UInt32(truncatingIfNeeded: end)
    }

    var start: Int { Int(lowerBound) }
    var end: Int { Int(upperBound) }

    var range: Range<Int> { start..<end }

    func `is`(_ symbol: Symbol) -> Bool {
        if case .symbol(symbol) = kind { true } else { false }
    }

    func `is`(_ keyword: Keyword) -> Bool {
        if case .keyword(keyword) = kind { true } else { false }
    }
}

/// The tokens that a byte can begin or continue.
struct ByteClass: OptionSet {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let space = ByteClass(rawValue: 1)
    static let digit = ByteClass(rawValue: 2)
    static let wordStart = ByteClass(rawValue: 4)
    static let word = ByteClass(rawValue: 8)
    /// A symbol of one byte, whatever follows: `(`, `,`, `+`
    static let mark = ByteClass(rawValue: 16)
    static let quote = ByteClass(rawValue: 32)
    /// A symbol that may be longer: `<`, `=`, `*`
    static let openMark = ByteClass(rawValue: 64)

    /// The classes of all bytes.
    ///
    /// Allocated once and never freed: a pointer needs no reference counting for every byte.
    struct Table: @unchecked Sendable {
        private struct Entry {
            var classes: ByteClass
            var mark: Symbol
            var markBeforeEqual: Symbol
            /// Entries of four bytes are indexed faster than those of three.
            var padding: UInt8 = 0
        }

        private let entries: UnsafePointer<Entry>

        init() {
            let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 256)
            for byte in UInt8.min...UInt8.max {
                let mark = Symbol.longest(byte, UInt8(ascii: " ")) ?? .nullObject
                let longer = Symbol.longest(byte, UInt8(ascii: "=")) ?? .nullObject
                let entry = Entry(classes: ByteClass(of: byte), mark: mark, markBeforeEqual: longer)
                (entries + Int(byte)).initialize(to: entry)
            }
            self.entries = UnsafePointer(entries)
        }

        @inline(__always)
        subscript(_ byte: UInt8) -> ByteClass { entries[Int(byte)].classes }

        /// The symbol of a byte alone.
        @inline(__always)
        func mark(_ byte: UInt8) -> Symbol { entries[Int(byte)].mark }

        /// The symbol that begins with a byte before an equals sign, which may be part of it.
        @inline(__always)
        func markBeforeEqual(_ byte: UInt8) -> Symbol { entries[Int(byte)].markBeforeEqual }
    }

    static let table = Table()

    private init(of byte: UInt8) {
        var classes: ByteClass = []
        if Self.isSpace(byte) { classes.insert(.space) }
        if Self.isDigit(byte) { classes.insert(.digit) }
        if Self.isWordStart(byte) { classes.insert(.wordStart) }
        if Self.isWord(byte) { classes.insert(.word) }
        if Symbol.mark(byte) != nil {
            classes.insert(.mark)
        } else if Symbol.longest(byte, UInt8(ascii: " ")) != nil {
            classes.insert(.openMark)
        }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { classes.insert(.quote) }
        self = classes
    }
}

extension ByteClass {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte &- 0x09 <= 0x0D - 0x09
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    /// True for a byte that begins an identifier: ASCII letters and the underscore only. [NSP-012]
    static func isWordStart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
    }

    static func isWord(_ byte: UInt8) -> Bool {
        isWordStart(byte) || isDigit(byte)
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

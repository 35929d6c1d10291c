/// A part of a format string that draws an argument.
///
/// `%@`, `%K`, `%ld`
package struct FormatSpecifier: Hashable, Sendable {
    /// The kind of argument that a specifier takes.
    package enum Kind: Hashable, Sendable {
        /// `%@`: any value, becomes a constant
        case value
        /// `%K`: a string, becomes a key path
        case keyPath
        /// `%d`, `%lu`, `%x`, `%c`, …: an integer
        case integer
        /// `%f`, `%g`, `%e`, `%a`: a number
        case floatingPoint
        /// `%s`, `%S`: a string
        case text
    }

    package let kind: Kind
    /// The source range, as UTF-8 offsets.
    package let range: Range<Int>
}

extension FormatSpecifier.Kind {
    /// The kind of a conversion letter of the printf family; nil for any other letter. [NSP-033]
    init?(conversion: UInt8, hasLength: Bool) {
        switch conversion {
        case UInt8(ascii: "@") where !hasLength: self = .value
        case UInt8(ascii: "K") where !hasLength: self = .keyPath
        case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "U"),
            UInt8(ascii: "o"), UInt8(ascii: "O"), UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "c"),
            UInt8(ascii: "C"):
            self = .integer
        case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "g"),
            UInt8(ascii: "G"), UInt8(ascii: "a"), UInt8(ascii: "A"):
            self = .floatingPoint
        case UInt8(ascii: "s") where !hasLength, UInt8(ascii: "S") where !hasLength: self = .text
        default: return nil
        }
    }
}

import PredicateSyntax

/// Reads one JSON text (RFC 8259, strict) as a value.
///
/// `try JSONReader.parse(#"{"name": "jo", "age": 21}"#)`
///
/// A number without fraction and exponent is an `integer`; beyond 64 bits it is a `decimal`, or an error if that would
/// round it. Any other number, including `1.0`, is the nearest `double`, and infinity with the exponent 999, as
/// ``JSONWriter`` and SQLite write it: `-1e999`; another one past the range of doubles is an error. The last of duplicate keys counts. A byte
/// order mark at the beginning is skipped. Nesting is limited to ``maximumDepth``.
package enum JSONReader {
    /// 512 arrays and objects inside each other.
    package static let maximumDepth = 512

    /// Returns the value of a text in memory. Throws a ``DataError`` with the position.
    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(DataError) -> PredicateValue {
        var parser = JSONParser(bytes, shapes: bytes.count > 4096 ? ObjectShapes() : nil)
        if bytes.starts(with: byteOrderMark) { parser.index = byteOrderMark.count }
        do {
            return try parser.parseDocument()
        } catch {
            throw error.located(in: bytes, from: Position())
        }
    }

    /// Returns the value of a text in bytes: `JSONReader.parse(Array("[1, 2]".utf8))`. Throws a ``DataError``.
    package static func parse(_ bytes: [UInt8]) throws(DataError) -> PredicateValue {
        try bytes.withUnsafeBufferPointer { bytes in Result { () throws(DataError) in try parse(bytes) } }.get()
    }

    /// Returns the value of a text: `JSONReader.parse("[1, 2]")`. Throws a ``DataError``.
    package static func parse(_ text: String) throws(DataError) -> PredicateValue {
        var text = text
        return try text.withUTF8 { bytes in Result { () throws(DataError) in try parse(bytes) } }.get()
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

import PredicateJSON
import PredicateModel
import PredicateSyntax

/// The value of a transformable attribute as JSON: a property list, a keyed archive, or a JSON document.
package enum ArchivedJSON {
    /// The longest value that is decoded.
    private static let mostBytes = 16 << 20

    /// The value of bytes; nil if they have another form or are too long.
    static func value(of bytes: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        guard !bytes.isEmpty, bytes.count <= mostBytes else { return nil }
        if bytes[0] == Byte.openBrace || bytes[0] == Byte.openBracket { return try? JSONReader.parse(bytes) }
        return ArchivedTree.value(of: Array(bytes))
    }

    /// The value of data; nil if they have another form.
    package static func value(of bytes: [UInt8]) -> PredicateValue? {
        bytes.withUnsafeBufferPointer { value(of: $0) }
    }
}

import Foundation
import PredicateJSON
import PredicateModel
import PredicateSyntax

/// The value of data as JSON: a property list, a keyed archive, or a JSON document, which may be compressed by gzip.
package enum ArchivedJSON {
    /// The longest value that is decoded.
    private static let mostBytes = 16 << 20
    private static let limits = ModelLimits(fileSize: mostBytes, inflatedSize: mostBytes)

    /// The value of bytes; nil if they have another form or are too long.
    static func value(of bytes: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        guard !bytes.isEmpty, bytes.count <= mostBytes else { return nil }
        if bytes[0] == Byte.openBrace || bytes[0] == Byte.openBracket { return try? JSONReader.parse(bytes) }
        guard Inflater.isGzip(bytes) else { return ArchivedTree.value(of: Array(bytes)) }
        guard let content = try? Inflater.inflate(Array(bytes), isGzip: true, limits: limits), !Inflater.isGzip(content)
        else { return nil }
        return value(of: content) ?? String(bytes: content, encoding: .utf8).map(PredicateValue.string)
    }

    /// The value of data; nil for data in another form.
    package static func value(of bytes: [UInt8]) -> PredicateValue? {
        bytes.withUnsafeBufferPointer { value(of: $0) }
    }

    /// The form of bytes that can be decoded: `JSON`, `gzip`
    static func form(of bytes: some Collection<UInt8>) -> String {
        if Inflater.isGzip(bytes) { return "gzip" }
        let first = bytes.first
        return first == Byte.openBrace || first == Byte.openBracket ? "JSON" : "property list"
    }
}

import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The values of attributes as XML stores write them.
enum XMLStoreValues {
    /// `int32`, the name of a type in the files
    static func typeName(_ type: AttributeType) -> String {
        switch type {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .boolean: "bool"
        case .date: "date"
        case .binaryData: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .undefined, .objectID, .composite, .unknown: "undefined"
        }
    }

    /// The column value of a text; nil if it is not a value of the type. An empty text is NULL for types whose values
    /// are never empty.
    static func binding(_ text: String, _ attribute: AttributeDescription) -> SQLBinding? {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .objectID, .boolean, .decimal, .double, .float, .date, .uuid:
            if text.utf8.allSatisfy({ $0 <= 0x20 }) { return .null }
        case .string, .uri, .binaryData, .transformable, .undefined, .composite, .unknown: break
        }
        return switch attribute.type {
        case .string, .uri: .text(XMLStoreText.decoded(text))
        case .integer16, .integer32, .integer64, .objectID: integer(trimmed(text)).map(SQLBinding.integer)
        case .boolean: boolean(trimmed(text)).map { .integer($0 ? 1 : 0) }
        case .decimal, .double, .float: Double(trimmed(text)).map(SQLBinding.double)
        // A date that is not a number would be nil.
        case .date: Double(trimmed(text)).flatMap { $0.isNaN ? nil : .double($0) }
        case .uuid: UUID(uuidString: trimmed(text)).map { .blob(bytes(of: $0)) }
        case .binaryData, .transformable:
            data(text).map { .blob(attribute.allowsExternalBinaryDataStorage ? [1] + $0 : $0) }
        case .undefined, .composite, .unknown: nil
        }
    }

    /// The text of a column value; nil for a value of a storage class that the type does not have, and for data whose file is
    /// missing.
    static func text(_ value: SQLBinding, _ attribute: AttributeDescription, externalFolder: String) -> String? {
        switch attribute.type {
        case .string, .uri: value.string.map(XMLStoreText.encoded)
        case .integer16, .integer32, .integer64, .boolean, .objectID: value.number.map { String($0) }
        case .decimal, .double, .float: value.number.map { String($0) } ?? value.double.map(number)
        case .date: (value.number.map { Double($0) } ?? value.double).map(date)
        case .uuid: value.data.flatMap(uuid)?.uuidString
        case .binaryData, .transformable:
            value.data.flatMap { content(of: $0, attribute, externalFolder)?.base64EncodedString() }
        case .undefined, .composite, .unknown: nil
        }
    }

    private static func content(of data: Data, _ attribute: AttributeDescription, _ folder: String) -> Data? {
        guard attribute.allowsExternalBinaryDataStorage else { return data }
        guard case .data(let content) = ExternalData.value(of: .data(data), in: folder) else { return nil }
        return content
    }

    // MARK: - Numbers

    private static func integer(_ text: String) -> Int64? {
        Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.uppercased() {
        case "1", "YES", "TRUE": true
        case "0", "NO", "FALSE": false
        default: nil
        }
    }

    /// The shortest text that is read as the same number; a whole number has no decimal point.
    static func number(_ number: Double) -> String {
        if let whole = Int64(exactly: number), abs(number) < 0x1p53 { return String(whole) }
        return number.description
    }

    /// The seconds since 2001 with twenty decimals, as Core Data writes dates. A number close to zero needs more digits.
    static func date(_ number: Double) -> String {
        let text = String(format: "%.20f", number)
        return Double(text) == number ? text : number.description
    }

    // MARK: - Data

    private static func data(_ text: String) -> Data? {
        let digits = Data(text.utf8.lazy.filter { $0 > 0x20 })
        return Data(base64Encoded: digits)
    }

    private static func bytes(of uuid: UUID) -> Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }

    private static func uuid(_ data: Data) -> UUID? {
        guard data.count == 16 else { return nil }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension SQLBinding {
    /// A floating-point number; nil for any other value.
    fileprivate var double: Double? { if case .double(let number) = self { number } else { nil } }

    /// Bytes; nil for any other value.
    fileprivate var data: Data? { if case .blob(let data) = self { data } else { nil } }
}

import Foundation
import PredicateSQL
import PredicateSQLite
import PredicateSyntax

extension SQLType {
    /// Converts a stored value of a column to the type that the schema declares.
    ///
    /// SQLite allows values of any storage class in any column: one that the type cannot represent is returned unconverted.
    func value(of stored: SQLBinding) -> PredicateValue {
        switch (stored, self) {
        case (.null, _): .null
        case (.integer(let value), .double): .double(Double(value))
        case (.integer(0), .boolean): .bool(false)
        case (.integer(1), .boolean): .bool(true)
        case (_, .date(let storage)): Self.date(stored, storage)
        case (_, .decimal): Self.decimal(stored)
        case (.blob(let data), .uuid(.blob)): Self.uuid(data)
        case (.text(let text), .uuid(let storage)): storage.uuid(text).map(PredicateValue.uuid) ?? .string(text)
        case (_, .integer), (_, .double), (_, .string), (_, .boolean), (_, .data), (_, .uuid), (_, .any):
            Self.unconverted(stored)
        }
    }

    /// The value by its storage class alone.
    private static func unconverted(_ stored: SQLBinding) -> PredicateValue {
        switch stored {
        case .null: .null
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .boolean(let value): .bool(value)
        case .text(let text): .string(text)
        case .blob(let data): .data(data)
        }
    }

    private static func date(_ stored: SQLBinding, _ storage: SQLType.DateStorage) -> PredicateValue {
        switch (stored, storage) {
        case (.integer(let value), .since1970): seconds(Double(value) - 978_307_200)
        case (.double(let value), .since1970): seconds(value - 978_307_200)
        case (.integer(let value), _): seconds(Double(value))
        case (.double(let value), _): seconds(value)
        case (.text(let text), .iso8601), (.text(let text), .timestamp):
            StoredText.date(text).map(PredicateValue.date) ?? .string(text)
        case (.null, _), (.boolean, _), (.text, _), (.blob, _): unconverted(stored)
        }
    }

    private static func seconds(_ seconds: Double) -> PredicateValue {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    private static func decimal(_ stored: SQLBinding) -> PredicateValue {
        switch stored {
        case .text(let text): StoredText.decimal(text).map(PredicateValue.decimal) ?? .string(text)
        case .integer(let value): .decimal(Decimal(value))
        case .double(let value): StoredText.decimal(value).map(PredicateValue.decimal) ?? .double(value)
        case .null, .boolean, .blob: unconverted(stored)
        }
    }

    private static func uuid(_ data: Data) -> PredicateValue {
        guard data.count == 16 else { return .data(data) }
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { _ = data.copyBytes(to: $0) }
        return .uuid(UUID(uuid: bytes))
    }

}

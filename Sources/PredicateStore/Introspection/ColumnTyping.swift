import Foundation
import PredicateSQL
import PredicateSQLite

/// The rules for the type of a column: its declared type, and where that leaves it open, a sample of its values.
///
/// | declared                        | type |
/// |---------------------------------|------|
/// | BOOL…                           | boolean, if its values are 0 and 1 |
/// | …DATE…, …TIMESTAMP…             | date, as most values are: as ISO 8601 text, or as seconds since 1970; since 2001 in a Core Data store |
/// | …UUID…, …GUID…                  | uuid: as sixteen bytes, or as text with hyphens in one case |
/// | …DECIMAL…, with TEXT            | decimal, if its values are decimal numbers as text |
/// | …INT…                           | integer |
/// | …CHAR…, …CLOB…, …TEXT…          | string |
/// | …REAL…, …FLOA…, …DOUB…          | double |
/// | …BLOB…                          | data |
/// | any other, or none              | that of its values: integer, double, string or data |
/// | any, with values of other types | any; so too for fractions beside integers that no double holds |
struct ColumnTyping {
    /// Values of a column that are not NULL.
    struct Sample {
        let values: [SQLBinding]

        func allSatisfy(_ test: (SQLBinding) -> Bool) -> Bool {
            values.allSatisfy(test)
        }
    }

    /// True for a Core Data store, in which dates are seconds since 2001.
    let isCoreData: Bool

    /// The values of a `STRICT` table are taken to be of one kind.
    func type(_ declaredType: String, _ sample: Sample, isStrict: Bool = false) -> SQLType {
        if Self.isBoolean(declaredType), sample.allSatisfy(\.isZeroOrOne) { return .boolean }
        if Self.isUUID(declaredType), let type = uuidType(declaredType, sample) { return type }
        if Self.isDate(declaredType), let type = dateType(sample, isStrict: isStrict) { return type }
        if Self.isDecimalText(declaredType), sample.allSatisfy(\.isDecimalText) { return .decimal }
        switch SQLAffinity(declaredType: declaredType) {
        case .integer: return sample.allSatisfy(\.isInteger) ? .integer : numberType(sample)
        case .text: return sample.allSatisfy(\.isText) ? .string : .any
        case .real: return numberType(sample)
        case .numeric, .blob, .unknown: return typeOfValues(declaredType, sample)
        }
    }

    /// The type of a column of which no value is known: its declared type where that is a plain one.
    func type(of column: ColumnFacts) -> SQLType {
        switch column.declaredType.uppercased() {
        case "INTEGER", "INT", "BIGINT": .integer
        case "REAL", "DOUBLE", "FLOAT": .double
        case "TEXT": .string
        default: .any
        }
    }

    /// A text of a column that is declared as one of UUIDs, whose texts are strings.
    func looseUUID(_ declaredType: String, _ sample: Sample) -> String? {
        guard Self.isUUID(declaredType) else { return nil }
        for value in sample.values {
            if case .text(let text) = value { return text }
        }
        return nil
    }

    private static func isBoolean(_ declaredType: String) -> Bool {
        declaredType.uppercased().contains("BOOL")
    }

    private static func isDate(_ declaredType: String) -> Bool {
        let name = declaredType.uppercased()
        return name.contains("DATE") || name.contains("TIMESTAMP")
    }

    /// A column with the affinity of numbers keeps doubles in place of decimal numbers.
    private static func isDecimalText(_ declaredType: String) -> Bool {
        declaredType.uppercased().contains("DECIMAL") && SQLAffinity(declaredType: declaredType) == .text
    }

    private static func isUUID(_ declaredType: String) -> Bool {
        let name = declaredType.uppercased()
        return name.contains("UUID") || name.contains("GUID")
    }

    private func uuidType(_ declaredType: String, _ sample: Sample) -> SQLType? {
        if sample.values.isEmpty {
            return SQLAffinity(declaredType: declaredType) == .text ? .uuid(.text) : .uuid(.blob)
        }
        return SQLType.UUIDStorage.allCases.first { storage in sample.allSatisfy { $0.isUUID(storage) } }.map(
            SQLType.uuid)
    }

    /// The type of a date column by most of its values, since one empty text makes no column of strings; without values that of
    /// SQLite's `CURRENT_TIMESTAMP`.
    private func dateType(_ sample: Sample, isStrict: Bool) -> SQLType? {
        func holds(_ test: (SQLBinding) -> Bool) -> Bool {
            isStrict ? sample.allSatisfy(test) : 2 * sample.values.count(where: test) > sample.values.count
        }
        if isCoreData, sample.allSatisfy(\.isNumber) { return .date(.since2001) }
        if sample.values.isEmpty || holds(\.isDateText) { return .date(.iso8601) }
        return holds(\.isSecondsSince1970) ? .date(.since1970) : nil
    }

    /// The type of a column of numbers, which reads integers as doubles unless one of them is none.
    private func numberType(_ sample: Sample) -> SQLType {
        sample.allSatisfy(\.isNumber) && sample.allSatisfy(\.isHeldByDouble) ? .double : .any
    }

    /// The type of a column by its values; without values a numeric column is one of doubles.
    private func typeOfValues(_ declaredType: String, _ sample: Sample) -> SQLType {
        guard !sample.values.isEmpty else {
            return SQLAffinity(declaredType: declaredType) == .numeric ? .double : .data
        }
        if sample.allSatisfy(\.isInteger) { return .integer }
        if sample.allSatisfy(\.isNumber) { return numberType(sample) }
        if sample.allSatisfy(\.isText) { return .string }
        return sample.allSatisfy(\.isBlob) ? .data : .any
    }
}

extension SQLBinding {
    fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }

    /// False for an integer that is not the double nearest to it.
    fileprivate var isHeldByDouble: Bool {
        if case .integer(let value) = self { Int64(exactly: Double(value)) == value } else { true }
    }

    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    fileprivate var isBlob: Bool { if case .blob = self { true } else { false } }

    fileprivate var isZeroOrOne: Bool { self == .integer(0) || self == .integer(1) }

    fileprivate var isNumber: Bool { number != nil }

    private var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .boolean(let value): value ? 1 : 0
        case .null, .text, .blob: nil
        }
    }

    /// True for a number from 1970 to 2200, except Julian days, which lie in one month of 1970. Milliseconds are greater.
    fileprivate var isSecondsSince1970: Bool {
        guard let number else { return false }
        return (0...7_258_118_400).contains(number) && !(2_000_000...3_000_000).contains(number)
    }

    fileprivate var isDateText: Bool {
        if case .text(let text) = self { StoredText.date(text) != nil } else { false }
    }

    fileprivate var isDecimalText: Bool {
        if case .text(let text) = self { StoredText.decimal(text) != nil } else { false }
    }

    fileprivate func isUUID(_ storage: SQLType.UUIDStorage) -> Bool {
        switch self {
        case .blob(let data): storage == .blob && data.count == 16
        case .text(let text): storage.uuid(text) != nil
        case .null, .integer, .double, .boolean: false
        }
    }
}

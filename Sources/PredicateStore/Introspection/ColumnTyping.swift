import Foundation
import PredicateSQL

/// What type a column has for predicates: by what it declares, and where that leaves it open, by what is in it.
///
/// | declared                        | type |
/// |---------------------------------|------|
/// | BOOL…                           | boolean, when its values are 0 and 1 |
/// | …DATE…, …TIMESTAMP…             | date: as ISO 8601 text, or as seconds since 1970; since 2001 in a Core Data store |
/// | …UUID…, …GUID…                  | uuid, when its values are |
/// | …INT…                           | integer |
/// | …CHAR…, …CLOB…, …TEXT…          | string |
/// | …REAL…, …FLOA…, …DOUB…          | double |
/// | …BLOB…                          | data |
/// | any other, or none              | what its values are: integer, double, string or data |
/// | any, with values of other kinds | any |
struct ColumnTyping {
    /// What values of a column have in common.
    struct Sample {
        let values: [SQLBinding]

        func holds(_ test: (SQLBinding) -> Bool) -> Bool {
            values.allSatisfy(test)
        }
    }

    /// Whether the file was made by Core Data, which counts seconds from 2001.
    let isCoreData: Bool

    func type(_ declaredType: String, _ sample: Sample) -> SQLType {
        if Self.isBoolean(declaredType), sample.holds(\.isZeroOrOne) { return .boolean }
        if Self.isUUID(declaredType), let type = uuidType(declaredType, sample) { return type }
        if Self.isDate(declaredType), let type = dateType(sample) { return type }
        switch Affinity(declaredType) {
        case .integer: return sample.holds(\.isInteger) ? .integer : sample.holds(\.isNumber) ? .double : .any
        case .text: return sample.holds(\.isText) ? .string : .any
        case .real: return sample.holds(\.isNumber) ? .double : .any
        case .numeric, .blob: return plainType(declaredType, sample)
        }
    }

    private static func isBoolean(_ declaredType: String) -> Bool {
        declaredType.uppercased().contains("BOOL")
    }

    private static func isDate(_ declaredType: String) -> Bool {
        let name = declaredType.uppercased()
        return name.contains("DATE") || name.contains("TIMESTAMP")
    }

    private static func isUUID(_ declaredType: String) -> Bool {
        let name = declaredType.uppercased()
        return name.contains("UUID") || name.contains("GUID")
    }

    private func uuidType(_ declaredType: String, _ sample: Sample) -> SQLType? {
        if sample.values.isEmpty { return Affinity(declaredType) == .text ? .uuid(.text) : .uuid(.blob) }
        if sample.holds(\.isUUIDBytes) { return .uuid(.blob) }
        return sample.holds(\.isUUIDText) ? .uuid(.text) : nil
    }

    /// Without values the column will hold what SQLite's own `CURRENT_TIMESTAMP` writes.
    private func dateType(_ sample: Sample) -> SQLType? {
        if isCoreData, sample.holds(\.isNumber) { return .date(.since2001) }
        if sample.holds(\.isDateText) { return .date(.iso8601) }
        return sample.holds(\.isSecondsSince1970) ? .date(.since1970) : nil
    }

    /// Without values a column of numbers is one of doubles: among those are all but the largest integers.
    private func plainType(_ declaredType: String, _ sample: Sample) -> SQLType {
        guard !sample.values.isEmpty else { return Affinity(declaredType) == .numeric ? .double : .data }
        if sample.holds(\.isInteger) { return .integer }
        if sample.holds(\.isNumber) { return .double }
        if sample.holds(\.isText) { return .string }
        return sample.holds(\.isBlob) ? .data : .any
    }
}

/// What SQLite makes of values that are put into a column, by its own five rules in their order.
enum Affinity: Hashable {
    case integer
    case text
    case blob
    case real
    case numeric

    init(_ declaredType: String) {
        let name = declaredType.uppercased()
        let has = { (words: [String]) in words.contains { name.contains($0) } }
        if has(["INT"]) {
            self = .integer
        } else if has(["CHAR", "CLOB", "TEXT"]) {
            self = .text
        } else if has(["BLOB"]) || name.isEmpty {
            self = .blob
        } else {
            self = has(["REAL", "FLOA", "DOUB"]) ? .real : .numeric
        }
    }

    /// Whether a text beside the column stays one, though it looks like a number.
    var keepsTexts: Bool { self == .text || self == .blob }
}

extension SQLBinding {
    fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }

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

    /// 1970 to 2200. Milliseconds are greater, days counted by astronomers lie in one month of 1970.
    fileprivate var isSecondsSince1970: Bool {
        guard let number else { return false }
        return (0...7_258_118_400).contains(number) && !(2_000_000...3_000_000).contains(number)
    }

    fileprivate var isDateText: Bool {
        if case .text(let text) = self { StoredText.date(text) != nil } else { false }
    }

    fileprivate var isUUIDBytes: Bool {
        if case .blob(let data) = self { data.count == 16 } else { false }
    }

    fileprivate var isUUIDText: Bool {
        guard case .text(let text) = self, let uuid = UUID(uuidString: text) else { return false }
        return uuid.uuidString.utf8.elementsEqual(text.utf8)
    }
}

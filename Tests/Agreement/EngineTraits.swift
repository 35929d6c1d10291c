import Foundation
import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// The values that the columns of an engine hold, and how they are declared.
package struct EngineTraits: Sendable {
    /// The types of attributes, besides those that every entity has.
    package var types: [SQLType]
    /// The declaration of a column.
    package var declaration: @Sendable (SQLType, WorldTable.Role) -> String
    /// Texts may hold U+0000.
    package var holdsNUL = true
    /// Strings in arrays may contain U+0000, which the JSON functions of some databases take for the end of a string.
    package var holdsNULInArrays = true
    /// Doubles may be infinite.
    package var holdsInfinity = true
    /// Doubles may be NaN; otherwise it is NULL.
    package var holdsNaN = true
    /// A double zero keeps its sign.
    package var keepsSignOfZero = true
    /// True if columns hold values of several kinds.
    package var holdsAnyKind = false
    /// A moment is a text of ISO 8601, since the database has no type for it.
    package var keepsMomentsAsTexts = false
    /// Columns may have indexes of their folds.
    package var indexesFolds = false
    /// The digits of a decimal number, and those of them after the point; nil for any.
    package var decimalDigits: (all: Int, fraction: Int)?
    /// Rows can be changed, and the change undone.
    package var changesRows = true
    /// Types of columns whose numbers are limited.
    package var limitedTypes: [LimitedType] = []
    /// The names of the errors, as its client reports them, that the values of a row may lead to.
    package var rowErrors: Set<String> = []

    package init(
        types: [SQLType] = EngineTraits.storedTypes,
        declaration: @escaping @Sendable (SQLType, WorldTable.Role) -> String
    ) {
        self.types = types
        self.declaration = declaration
    }

    /// The types that databases with a type for moments have columns for.
    package static let storedTypes: [SQLType] = [
        .boolean, .date(.since2001), .date(.since1970), .date(.iso8601), .date(.timestamp), .date(.timestamp),
        .uuid(.blob), .uuid(.text), .uuid(.lowercaseText), .data, .decimal, .double, .boolean, .single,
        .array(.string, .json), .array(.integer, .json),
    ]
}

extension EngineTraits {
    /// SQLite, whose columns hold values of any kind, and whose zero has no sign.
    package static let sqlite: EngineTraits = {
        var traits = EngineTraits(types: []) { type, role in
            switch role {
            case .key: "\(type.sqliteDeclaration) PRIMARY KEY NOT NULL"
            case .link: ""
            case .optional: type.sqliteDeclaration
            case .required: "\(type.sqliteDeclaration) NOT NULL"
            }
        }
        traits.types = [
            .boolean, .date(.since2001), .date(.since1970), .date(.iso8601), .date(.timestamp), .uuid(.blob),
            .uuid(.text), .uuid(.lowercaseText), .data, .decimal, .double, .boolean, .array(.string, .json),
            .array(.integer, .json), .json,
        ]
        traits.keepsSignOfZero = false
        traits.holdsNaN = false
        traits.holdsNULInArrays = false
        traits.holdsAnyKind = true
        traits.keepsMomentsAsTexts = true
        traits.indexesFolds = true
        return traits
    }()
}

extension SQLType {
    /// The declared type of a column of this type in SQLite.
    fileprivate var sqliteDeclaration: String {
        switch self {
        case .integer, .boolean: "INTEGER"
        case .double, .single: "REAL"
        case .decimal, .string, .paddedString, .array, .json, .date(.iso8601), .uuid(.text), .uuid(.lowercaseText):
            "TEXT"
        case .date(.since1970): "REAL"
        // As Core Data declares it: whole numbers become integers.
        case .date(.since2001), .date(.timestamp): "TIMESTAMP"
        case .uuid(.blob), .data: "BLOB"
        case .any: ""
        }
    }
}

// MARK: - Values

/// A type of columns whose numbers are limited, which the schema names: `smallint`, `numeric(10,2)`.
package struct LimitedType: Sendable {
    package let name: String
    package let type: SQLType
    /// Numbers that the type holds, with those at its limits.
    let numbers: [String]

    package static func integer(_ name: String, _ limits: String...) -> LimitedType {
        LimitedType(name: name, type: .integer, numbers: limits + ["0", "1", "2", "3", "7", "100"])
    }

    package static func decimal(_ name: String, _ numbers: String...) -> LimitedType {
        LimitedType(name: name, type: .decimal, numbers: numbers + ["0", "1", "-1", "0.5", "-0.1"])
    }

    /// The integers that the type holds; nil for decimals. The greatest is the first number, and a least below zero the second.
    fileprivate var integers: ClosedRange<Int64>? {
        guard type == .integer, let greatest = Int64(numbers[0]), let second = Int64(numbers[1]) else { return nil }
        return min(second, 0)...greatest
    }

    fileprivate func cell(_ random: inout RandomSource) -> Cell? {
        let number = random.any(of: numbers) ?? "0"
        return Cell(
            storing: Decimal(string: number).map { value in
                type == .integer ? Int64(number).map(PredicateValue.integer) ?? .null : .decimal(value)
            } ?? .null, type)
    }
}

extension EngineTraits {
    /// The same without columns of JSON objects, which have no order and no equality.
    package var withoutJSON: EngineTraits {
        var traits = self
        traits.types.removeAll { $0 == .json }
        return traits
    }

    /// A random value that a column of the engine can hold.
    package func cell(_ attribute: SQLAttribute, _ random: inout RandomSource) -> Cell {
        let limited = limitedTypes.first { $0.name == attribute.nativeType }
        return limited?.cell(&random) ?? held(Cell(attribute.type, &random))
    }

    /// False for an integer outside the range of a column's type.
    package func canHold(_ cell: Cell, _ attribute: SQLAttribute) -> Bool {
        guard case .integer(let value) = cell.stored,
            let integers = limitedTypes.first(where: { $0.name == attribute.nativeType })?.integers
        else { return true }
        return integers.contains(value)
    }

    /// A value as a column of the engine holds it: the nearest one that it can hold.
    package func held(_ cell: Cell) -> Cell {
        switch (cell.stored, cell.value) {
        case (.text(let text), .string) where !holdsNUL && text.utf8.contains(0):
            let text = text.replacing("\0", with: "\u{1}")
            return Cell(stored: .text(text), value: .string(text))
        case (.double(let stored), .double(let value)):
            return Cell(stored: .double(held(stored)), value: .double(held(value)))
        case (.integer, .date(let date)) where keepsMomentsAsTexts:
            return Cell(stored: ISO8601.string(from: date).map(SQLBinding.text) ?? .null, value: cell.value)
        case (.text, .decimal(let value)):
            let value = held(value)
            return Cell(stored: .text(value.description), value: .decimal(value))
        case (.text(let text), .array(let elements)) where !holdsNULInArrays && text.contains("u0000"):
            let kept = elements.map { element -> PredicateValue in
                if case .string(let text) = element, text.utf8.contains(0) { return .null }
                return element
            }
            return Cell(array: kept, .string)
        default: return cell
        }
    }

    private func held(_ value: Double) -> Double {
        if value == 0, !keepsSignOfZero { return 0 }
        if value.isInfinite, !holdsInfinity {
            return value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
        }
        return value
    }

    private func held(_ value: Decimal) -> Decimal {
        guard let decimalDigits else { return value }
        var (value, result) = (value, Decimal())
        NSDecimalRound(&result, &value, decimalDigits.fraction, .plain)
        let bound = Decimal(sign: .plus, exponent: decimalDigits.all - decimalDigits.fraction, significand: 1)
        return abs(result) < bound ? result : 1
    }
}

// MARK: - Cells of given values

extension EngineTraits {
    /// What a column holds of a computed value.
    func stored(_ value: PredicateValue) -> PredicateValue {
        if case .double(let number) = value, number.isNaN, !holdsNaN { .null } else { value }
    }
}

extension Cell {
    /// A value in a column of a type; nil of one that a column of the type does not hold.
    package init?(storing value: PredicateValue, _ type: SQLType) {
        let stored: SQLBinding? =
            switch (type, value) {
            case (_, .null): .null
            case (.boolean, .bool(let value)): .boolean(value)
            case (.integer, .integer(let value)): .integer(value)
            case (.double, .double(let value)): .double(value)
            case (.array(let element, _), .array): SQLType.array(element, .json).binding(of: value)
            case (.decimal, .decimal(let value)): .text(value.description)
            case (.string, .string(let text)): .text(text)
            case (.date(.since2001), .date(let date)): .double(date.timeIntervalSinceReferenceDate)
            case (.date(.timestamp), .date(let date)): Microseconds.nearest(to: date).map(SQLBinding.integer)
            case (.data, .data(let data)): .blob(data)
            case (.uuid(.blob), .uuid(let uuid)): .blob(uuid.bytes)
            case (.uuid(.text), .uuid(let uuid)): .text(uuid.uuidString)
            case (.uuid(.lowercaseText), .uuid(let uuid)): .text(uuid.uuidString.lowercased())
            default: nil
            }
        guard let stored else { return nil }
        self.init(stored: stored, value: value)
    }
}

extension Date {
    /// True for a whole microsecond in the years 1 to 9999, which every type for moments holds.
    package var isMicrosecond: Bool {
        guard let nearest = Microseconds.nearest(to: self), Microseconds.date(nearest) == self else { return false }
        return (-63_113_904_000_000_000...252_423_993_599_999_999).contains(nearest)
    }
}

/// The kind of a value by the schema, before any row is read; it decides every comparison of kinds.
enum ValueKind: Hashable, Sendable {
    case integer
    case double
    /// `age ** 2`: an integer, or a double where 64 bits do not hold it [NSP-175]
    case power
    /// 0 or 1, or the database's own; a number to every operator
    case boolean
    case decimal
    case string
    case date(SQLType.DateStorage)
    case uuid(SQLType.UUIDStorage)
    case data
    /// Of every row its own
    case any

    init(_ type: SQLType) {
        switch type {
        case .integer: self = .integer
        case .double: self = .double
        case .decimal: self = .decimal
        case .boolean: self = .boolean
        case .string: self = .string
        case .date(let storage): self = .date(storage)
        case .uuid(let storage): self = .uuid(storage)
        case .data: self = .data
        case .any: self = .any
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .double, .power, .boolean, .decimal: true
        case .string, .date, .uuid, .data, .any: false
        }
    }

    /// True if its values are kept as texts and compared as these are, whatever the collation of the column.
    var isText: Bool {
        switch self {
        case .string, .uuid(.text), .uuid(.lowercaseText): true
        case .integer, .double, .power, .boolean, .decimal, .date, .uuid(.blob), .data, .any: false
        }
    }

    /// True if it has 64 bits and no fraction.
    var isWhole: Bool { self == .integer || self == .boolean }

    /// True if values of the two kinds can be equal at all.
    func isComparable(with other: ValueKind) -> Bool {
        switch (self, other) {
        case (.string, .string), (.date, .date), (.uuid, .uuid), (.data, .data): true
        case (.integer, _), (.double, _), (.power, _), (.boolean, _), (.decimal, _): other.isNumber
        case (.string, _), (.date, _), (.uuid, _), (.data, _), (.any, _): false
        }
    }

    /// The kind in an error message.
    var name: String {
        switch self {
        case .integer: "an integer"
        case .double: "a double"
        case .power: "a power of integers"
        case .boolean: "a Boolean"
        case .decimal: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .uuid: "a UUID"
        case .data: "data"
        case .any: "a value of any kind"
        }
    }
}

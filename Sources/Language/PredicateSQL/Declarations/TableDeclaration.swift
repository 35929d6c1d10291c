import PredicateSyntax

/// A table to create in a database.
///
/// Schemas and models describe their tables in this form, and ``Declarations`` writes it for each database.
package struct TableDeclaration: Sendable {
    package var name: String
    package var schema: String?
    package var columns: [ColumnDeclaration] = []
    /// The columns of the primary key.
    package var primaryKey: [String]
    /// Lists of columns whose combined values are unique.
    package var unique: [[String]] = []
    package var indexes: [Index] = []

    package init(_ name: String, in schema: String? = nil, primaryKey: [String]) {
        (self.name, self.schema, self.primaryKey) = (name, schema, primaryKey)
    }

    package var own: TableName { TableName(name, in: schema) }

    /// The primary key, if the database can generate it: a single integer column that is no foreign key.
    var countedKey: ColumnDeclaration? {
        columns.first { primaryKey == [$0.name] && $0.type.isInteger && !$0.isLink }
    }

    /// An index over columns.
    package struct Index: Sendable {
        /// The name of the index, which follows that of the table.
        package let name: String
        package let terms: [(column: String, isAscending: Bool)]

        package init(_ name: String, _ terms: [(column: String, isAscending: Bool)]) {
            (self.name, self.terms) = (name, terms)
        }
    }
}

/// A column of a ``TableDeclaration``.
package struct ColumnDeclaration: Sendable {
    package let name: String
    package internal(set) var type: DeclaredType
    /// A Boolean value that indicates whether the value may be NULL.
    package var isOptional: Bool
    /// A Boolean value that indicates whether the values are primary keys of other rows, for which the column has an
    /// index.
    package var isLink: Bool
    /// The table to whose primary key the column refers as a foreign key; nil for none.
    package var references: TableName?
    package var rules = ValueRules()

    package init(_ name: String, _ type: DeclaredType, isOptional: Bool = true, isLink: Bool = false) {
        (self.name, self.type, self.isOptional, self.isLink) = (name, type, isOptional, isLink)
    }
}

/// The default of a column and the limits of its values, for DEFAULT and CHECK. Values without a literal are left out.
package struct ValueRules: Sendable {
    package var defaultValue: PredicateValue?
    /// The bounds of numbers and dates.
    package var minimum: PredicateValue?
    package var maximum: PredicateValue?
    /// The bounds of a string's length in UTF-16 code units.
    package var minimumLength: Int?
    package var maximumLength: Int?
    /// The allowed values; nil if any is.
    package var values: [PredicateValue]?
    /// The regular expression that matches the whole of every string.
    package var pattern: String?

    package init() {}
}

/// The type of a column, which each database declares in its own way.
package indirect enum DeclaredType: Hashable, Sendable {
    /// Integers of 16, 32 and 64 bits.
    case integer16, integer32, integer64
    /// Binary floating-point numbers of 64 and 32 bits.
    case double, single
    /// A decimal number, which SQLite and DuckDB declare as a double, and a decimal number that keeps its digits.
    case decimal, exactDecimal
    case boolean
    /// A string, and one that a primary key may hold.
    case text, shortText
    /// A point in time.
    case date
    /// Bytes, and those that a primary key may hold.
    case data, shortData
    /// A UUID of the database's own type, or as a string; a UUID as bytes.
    case uuid, uuidBytes
    /// A JSON document.
    case json
    /// An array of the database's own type.
    case array(DeclaredType)

    /// True for the types of a key that a database can count up.
    var isInteger: Bool {
        switch self {
        case .integer16, .integer32, .integer64: true
        case .double, .single, .decimal, .exactDecimal, .boolean, .text, .shortText, .date, .data, .shortData, .uuid,
            .uuidBytes, .json, .array:
            false
        }
    }

    /// True for numbers and dates, which have bounds.
    var hasBounds: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .double, .single, .decimal, .exactDecimal, .date: true
        case .boolean, .text, .shortText, .data, .shortData, .uuid, .uuidBytes, .json, .array: false
        }
    }
}

/// Makes names unique for a database that ignores case: a duplicate gets a number. Long names are cut.
package struct UniqueNames: Sendable {
    private var taken: Set<String> = []
    /// The last number of the duplicates of a name.
    private var numbers: [String: Int] = [:]
    private let longest: Int?

    /// The names of a table's columns, or of a database's tables and indexes.
    package init(for engine: SQLEngine) {
        longest = engine.longestName
    }

    package mutating func add(_ name: String) -> String {
        var found = cut(name, for: "")
        let stem = found.lowercased()
        var number = numbers[stem] ?? 1
        while !taken.insert(found.lowercased()).inserted {
            number += 1
            found = cut(name, for: " \(number)")
        }
        numbers[stem] = number
        return found
    }

    private func cut(_ name: String, for end: String) -> String {
        guard let longest, name.utf8.count + end.utf8.count > longest else { return name + end }
        var short = name
        while short.utf8.count + end.utf8.count > longest { short.removeLast() }
        return short + end
    }
}

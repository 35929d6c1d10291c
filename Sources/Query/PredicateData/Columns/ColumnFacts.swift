/// The type of a column of CSV, and why it has this type.
package struct ColumnFacts: Hashable, Sendable {
    package let reading: ColumnReading
    package let exception: ColumnException?

    /// `integer`, `date (dmy)`, `double (decimal comma)`
    package var name: String {
        if let notation = reading.dateNotation { return "\(reading.type.rawValue) (\(notation.rawValue))" }
        return reading.type.rawValue + (reading.hasDecimalComma ? " (decimal comma)" : "")
    }

    /// A sentence that names the cell because of which a column has the type string; nil for other columns.
    package func reason(_ column: String) -> String? {
        exception.map { "'\(column)' is \(reading.type.noun), \($0.reason)" }
    }
}

extension RecordHeader {
    /// The facts about the columns, by name.
    package var facts: [String: ColumnFacts] {
        let facts = zip(columns, readings).map { ($0, ColumnFacts(reading: $1, exception: exceptions[$0])) }
        return Dictionary(facts) { first, _ in first }
    }
}

/// What a pass over separated values has found out about them, for the next pass.
package struct KnownTable: Hashable, Sendable {
    /// Whether the first row has the names of the columns; nil if that is not known.
    package var hasHeader: Bool?
    /// The columns whose types were inferred from the whole input.
    package var columns: [String: ColumnFacts] = [:]

    package init() {}
}

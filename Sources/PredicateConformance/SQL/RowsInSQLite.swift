import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The rows of a record in SQLite: each is loaded into a table of its own, from which the compiled predicate selects.
///
/// A row is selected exactly if the record says true for it; an object for which evaluation fails is not selected.
struct RowsInSQLite {
    enum Outcome: Hashable {
        /// SQLite selects the row, or does not
        case selected(Bool)
        /// The compiler refuses the predicate for this table
        case refused
        /// The object is no dictionary of plain values
        case notFlat
        /// SQLite reports an error that the values of a row may lead to
        case rowError
        case failed(String)
    }

    private let predicate: FormatPredicate
    private let variables: [String: PredicateValue]
    /// The types of the columns as all rows together tell them.
    private let types: [String: SQLType]

    init(_ predicate: FormatPredicate, _ variables: [String: PredicateValue], rows: [PredicateValue]) {
        self.predicate = predicate
        self.variables = variables
        var types: [String: SQLType] = [:]
        for case .dictionary(let entries) in rows {
            for (key, value) in entries where types[key] == nil { types[key] = value.columnType }
        }
        self.types = types
    }

    /// The rows that SQLite selects for an object; a column whose type no row tells is tried as text and as number, and
    /// all of them as settled and as columns that may hold values of any kind.
    func outcomes(for object: PredicateValue) -> [Outcome] {
        var outcomes: [Outcome] = []
        for type in [SQLType.string, .integer] {
            guard let row = FlatRow(object, types: types, otherwise: type) else { return [.notFlat] }
            for tellsKinds in [false, true] {
                let outcome = outcome(for: row, tellingKinds: tellsKinds)
                if !outcomes.contains(outcome) { outcomes.append(outcome) }
            }
        }
        let judged = outcomes.filter { $0 != .refused }
        return judged.isEmpty ? outcomes : judged
    }

    private func outcome(for row: FlatRow, tellingKinds: Bool) -> Outcome {
        let query: SQLQuery
        do {
            let compiler = SQLCompiler(schema: row.schema(tellingKinds: tellingKinds))
            query = try compiler.compile(predicate, entity: FlatRow.table, variables: variables)
        } catch {
            return .refused
        }
        do throws(StoreError) {
            let connection = try SQLiteConnection.inMemory()
            try connection.execute(row.creation)
            try connection.run(row.insertion)
            return .selected(try !connection.rows(of: query.select).all().isEmpty)
        } catch {
            return error.isOfARow ? .rowError : .failed("\(error)")
        }
    }
}

extension StoreError {
    /// True if a row may be the reason: an invalid pattern, a sum that is too large.
    fileprivate var isOfARow: Bool {
        switch code {
        case .evaluation, .mixedKinds: true
        default: message == "integer overflow"
        }
    }
}

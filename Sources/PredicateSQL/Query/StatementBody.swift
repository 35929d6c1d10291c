/// The tables and the condition of a compiled predicate, written once: the part that every statement wraps.
///
/// `age >= 21`: the tables are `"person" AS t0`, the condition is `t0."age" >= ?1`.
///
/// The values of parameters are not part of it, so that predicates that differ in constants only share one body.
///
/// `@unchecked`: the scope is only read, and copied before tables are added.
final class StatementBody: @unchecked Sendable {
    /// A placeholder in the condition.
    struct Placeholder: Equatable {
        /// Its range in the condition, as UTF-8 offsets.
        var range: Range<Int>
        /// The index of its value among the bindings.
        let binding: Int
        let type: SQLBinding.ParameterType
    }

    /// A part of the condition that keeps values of other kinds away: `t0."age" <= 9e999` in `t0."age" > ?1 AND t0."age" <= 9e999`.
    struct Bound {
        /// Its range in the condition, as UTF-8 offsets.
        var range: Range<Int>
        /// The column of the root.
        let column: ColumnReference
        let storage: SQLPiece.Storage
    }

    /// `"person" AS t0 LEFT JOIN …`
    let tables: String
    let condition: String
    let placeholders: [Placeholder]
    let bounds: [Bound]
    /// The types of the values, in their order.
    let types: [SQLBinding.ParameterType]
    /// True if the condition holds for every row, so that statements need no WHERE.
    let isAlways: Bool
    /// True if the condition reads further rows.
    let hasSubqueries: Bool
    let functions: SQLFunctionSet
    let scope: Scope
    /// The number of aliases in use: those that a statement adds begin here.
    let aliasCount: Int

    init(
        tables: String, condition: String, placeholders: [Placeholder], bounds: [Bound], isAlways: Bool,
        hasSubqueries: Bool, functions: SQLFunctionSet, scope: Scope, aliasCount: Int
    ) {
        self.tables = tables
        self.condition = condition
        self.placeholders = placeholders
        self.bounds = bounds
        types = placeholders.types
        self.isAlways = isAlways
        self.hasSubqueries = hasSubqueries
        self.functions = functions
        self.scope = scope
        self.aliasCount = aliasCount
    }

    var joinsTables: Bool { scope.sources.count > 1 }

    /// True if another body has the same text, so that one can serve for both.
    func hasSameText(as other: StatementBody) -> Bool {
        tables == other.tables && condition == other.condition && placeholders == other.placeholders
            && isAlways == other.isAlways
    }
}

extension SQLWriter {
    /// Writes ` WHERE …`, with parameters numbered after those that stand in the text already; nothing where every row
    /// is selected.
    mutating func writeWhere(_ body: StatementBody, _ bindings: [SQLBinding]) {
        if body.isAlways { return }
        write(" WHERE ")
        var condition = body.condition
        condition.withUTF8 { bytes in
            var position = 0
            for placeholder in body.placeholders {
                writeBytes(UnsafeBufferPointer(rebasing: bytes[position..<placeholder.range.lowerBound]))
                let (number, value) = (placeholder.binding + 1, bindings[placeholder.binding])
                writeParameter(SQLParameter(number: number, binding: value, type: placeholder.type))
                position = placeholder.range.upperBound
            }
            writeBytes(UnsafeBufferPointer(rebasing: bytes[position...]))
        }
    }
}

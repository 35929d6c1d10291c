import PredicateEvaluation
import PredicateSyntax

/// A query for the reference: rows → filter → values with names → groups → having → first of each → distinct → order →
/// page. [NSP-513]
///
/// It is made field by field and not parsed, so that it shares nothing with the queries under test.
package struct ReferenceQuery {
    /// A value of a row.
    package enum Operand {
        /// The value of a key, as it is in the row; nil if the row has no such key.
        case key(String)
        /// An expression, which loses what distinguishes a Boolean from a number: give keys of Booleans as keys.
        case expression(ExpressionNode)
    }

    /// `price * 2 AS double`
    package struct Item {
        package var name: String
        package var operand: Operand

        package init(_ name: String, _ operand: Operand) {
            (self.name, self.operand) = (name, operand)
        }
    }

    /// `avg(age) AS a`; without an operand the number of rows.
    package struct Aggregate {
        package var name: String
        package var function: ReferenceTotals.Function
        package var operand: Operand?

        package init(_ name: String, _ function: ReferenceTotals.Function, _ operand: Operand?) {
            (self.name, self.function, self.operand) = (name, function, operand)
        }
    }

    /// Groups of rows: the values by which they are made, and the columns after them.
    package struct Grouping {
        package var keys: [Item]
        package var aggregates: [Aggregate]
        /// Holds for the rows of the groups that are kept, over the names of their columns.
        package var having: PredicateNode?
        /// True if the groups with the most rows come first, as `--count-by` has it; else they are in the order of
        /// their keys.
        package var isLargestFirst = false

        package init(_ keys: [Item], _ aggregates: [Aggregate], having: PredicateNode? = nil) {
            (self.keys, self.aggregates, self.having) = (keys, aggregates, having)
        }
    }

    /// `age DESC NULLS LAST`
    package struct OrderItem {
        package var operand: Operand
        package var isDescending = false
        /// `[c]`, `[cd]`
        package var options: ComparisonOptions = []
        package var isNumeric = false
        package var nils: SortKey.NilPlacement?

        package init(_ operand: Operand, isDescending: Bool = false) {
            (self.operand, self.isDescending) = (operand, isDescending)
        }
    }

    /// `WHERE age > 20`; nil for all rows
    package var predicate: PredicateNode?
    /// True if the rows are selected for which the predicate does not hold, but not those for which it is an error.
    package var isInverted = false
    /// True if a predicate that is an error for a row does not hold for it, as in SQL; else no row with an error is
    /// selected, and the error counts.
    package var takesErrorsForFalse = false
    /// True if a computed NaN is nil, as in SQLite.
    package var takesNaNForNil = false
    /// The values of rows, if there are no groups.
    package var items: [Item] = []
    package var grouping: Grouping?
    /// `LIMIT 2 BY city`: how many rows of each value are kept
    package var firsts: (count: Int, keys: [Operand])?
    package var isDistinct = false
    package var order: [OrderItem] = []
    package var offset = 0
    package var limit: Int?
    /// The number of rows at the end; nil for all.
    package var last: Int?

    package init() {}

    /// What the reference answers.
    package struct Answer {
        package var columns: [String]
        package var rows: [[ReferenceCell]]
        /// The number of rows for which the predicate holds.
        package var matches = 0
        /// The number of errors of rows, each of which leaves out a row or a value.
        package var errors = 0
    }
}

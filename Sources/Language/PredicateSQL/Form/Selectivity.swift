import PredicateSyntax

/// An estimate of the rows that conditions select, from the sizes in the schema, and from what is usual where they are not known.
///
/// `age == 40` selects one of 65 values, and `total > 9900` a hundredth of the range from 0 to 10,000.
final class Selectivity {
    /// True if an estimate depends on the value of a constant.
    private(set) var readsConstants = false

    /// The usual number of rows of a table, and shares of them.
    private static let (rows, ofEqual, ofRange, ofHalfRange, ofOthers) = (100_000.0, 0.005, 0.02, 0.33, 0.33)

    /// Returns about how many rows a table has.
    func rows(of table: QuotedName) -> Double { table.rowCount ?? Self.rows }

    /// Returns about how many rows of the first table of a scope a condition selects.
    func rows(of scope: TableScope, where condition: ConditionForm) -> Double {
        scope.sources.first.map { rows(of: $0.table) * share(of: condition) } ?? 0
    }

    /// Returns the number where it follows from known sizes; infinity otherwise.
    func knownRows(of scope: TableScope, where condition: ConditionForm) -> Double {
        scope.sources.first?.table.rowCount.map { $0 * share(of: condition) } ?? .infinity
    }

    /// Returns the share of rows for which a condition is true.
    func share(of condition: ConditionForm) -> Double {
        switch condition {
        case .constant(let value): value ? 1 : 0
        case .and(let parts): share(ofAll: parts)
        case .or(let parts): min(1, parts.reduce(0) { $0 + share(of: $1) })
        case .not(let inner): 1 - share(of: inner)
        case .compare(.column(let column), .equal, .parameter), .compareText(.column(let column), .equal, .parameter):
            shareOfEqual(column)
        case .compare(let value, .notEqual, .parameter): value.isColumn ? 1 : Self.ofOthers
        case .compareText(_, .notEqual, .parameter): 1
        case .compare, .compareText: bound(condition).map { share(of: $0) } ?? Self.ofOthers
        case .isIn(.column(let column), let elements, _): min(1, shareOfEqual(column) * Double(elements.count))
        case .isNull, .mayBegin, .mayContain, .isIn, .isInList, .isOnPage, .search(.beginsWith, _, .constant):
            Self.ofRange
        case .isStored(_, .rareNumber): 0
        case .isStored, .bound: 1
        case .truth, .same, .sameText, .search, .like, .matches, .finds, .exists, .isAmong, .ifUnknown: Self.ofOthers
        }
    }

    private func shareOfEqual(_ form: ColumnForm) -> Double { form.column.valueCount.map { 1 / $0 } ?? Self.ofEqual }

    /// Returns the share of rows that satisfy all parts. The bounds of a column are a range.
    private func share(ofAll parts: [ConditionForm]) -> Double {
        var (share, ranges) = (1.0, [Range]())
        for part in parts.flatMap(\.boundsOfDates) {
            if let range = bound(part) {
                let index = ranges.firstIndex { $0.column === range.column && $0.alias == range.alias }
                if let index { ranges[index].narrow(to: range) } else { ranges.append(range) }
            } else {
                share *= self.share(of: part)
            }
        }
        return ranges.reduce(share) { $0 * self.share(of: $1) }
    }

    // MARK: Costs, in rows of a scan

    /// The cost of a row that an index finds.
    private static let found = 3.0

    /// Returns the cost of a search for the related rows of so many rows. An EXISTS reads those up to the first selected one.
    func costOfSearches(
        _ tested: Double, of related: TableScope.Table?, from scope: TableScope, toFirst condition: ConditionForm
    ) -> Double {
        guard let related, let tie = related.tie else { return 0 }
        let referring = scope.sources.first { $0.alias == tie.value.alias }
        let each = referring.map { rowsOfEach(of: related, for: $0) } ?? 1
        let read = 1 / max(share(of: condition), 1 / each)
        return tested * Self.found * (1 + read)
    }

    /// Returns about how many rows refer to each row of another table. A foreign key refers to one row, and of a table of unknown
    /// size one row is expected.
    private func rowsOfEach(of related: TableScope.Table, for referring: TableScope.Table) -> Double {
        guard related.kind != .lookedUp, let rows = related.table.rowCount else { return 1 }
        return max(1, rows / self.rows(of: referring.table))
    }

    /// Returns the cost of a set of the rows that a condition selects. In a table with a known number of rows, a column has an
    /// index only if that is known. A condition on joined tables only may start from those.
    func costOfSet(in scope: TableScope, where condition: ConditionForm) -> Double {
        let selected = rows(of: scope, where: condition)
        guard let start = scope.sources.first, let rows = start.table.rowCount else { return Self.found * selected }
        let columns = NamedRows.columns(of: condition)[start.alias] ?? []
        let hasIndex = columns.isEmpty || columns.contains(where: \.hasIndex)
        return hasIndex && !condition.isAlways ? min(Self.found * selected, rows + selected) : rows + selected
    }

    // MARK: Ranges

    /// The values of a column between two bounds.
    private struct Range {
        let column: ColumnReference
        let alias: Int
        /// The bounds; infinite where there is none, and nil for one whose place among the values is not known.
        var lower: Double? = -.infinity
        var upper: Double? = .infinity

        mutating func narrow(to other: Range) {
            lower = lower.flatMap { own in other.lower.map { max(own, $0) } }
            upper = upper.flatMap { own in other.upper.map { min(own, $0) } }
        }
    }

    private func share(of range: Range) -> Double {
        let isWhole = range.lower != -.infinity && range.upper != .infinity
        guard let values = range.column.valueRange, let lower = range.lower, let upper = range.upper else {
            return isWhole ? Self.ofRange : Self.ofHalfRange
        }
        readsConstants = true
        let (least, width) = (values.lowerBound, values.upperBound - values.lowerBound)
        guard width > 0 else { return lower <= least && least <= upper ? 1 : 0 }
        return max(0, (min(upper, values.upperBound) - max(lower, least)) / width)
    }

    /// Returns the range of a comparison of a column with a constant; nil for any other condition.
    private func bound(_ condition: ConditionForm) -> Range? {
        if case .compare(let value, let relation, .parameter(let constant)) = condition {
            return range(value, relation, constant)
        }
        guard case .compareText(let value, let relation, .parameter(let constant)) = condition else { return nil }
        return range(value, relation, constant)
    }

    private func range(_ value: ValueForm, _ relation: RelationOperator, _ constant: SQLParameter) -> Range? {
        guard relation.isOrdering, let form = value.orderedColumn else { return nil }
        let place = form.column.valueRange == nil ? nil : constant.position
        var range = Range(column: form.column, alias: form.alias)
        if relation.admits(.less) { range.upper = place } else { range.lower = place }
        return range
    }
}

extension ConditionForm {
    /// The parts of the condition on a date that may be a number: `(born >= 'a' OR born <= 9e999)`, where numbers are rare.
    fileprivate var boundsOfDates: [ConditionForm] {
        guard case .or(let parts) = self, parts.count == 2, case .isStored(_, .rareNumber) = parts[1] else {
            return [self]
        }
        return if case .and(let bounds) = parts[0] { bounds } else { [parts[0]] }
    }
}

extension ValueForm {
    /// The column of which the value is a number in the same order.
    fileprivate var orderedColumn: ColumnForm? {
        if case .cast(let value, _) = self { value.orderedColumn } else { bareColumn }
    }
}

extension SQLParameter {
    /// The number; of a date, the seconds since 2001.
    fileprivate var position: Double? {
        switch binding {
        case .integer(let value): Double(value)
        case .double(let value): value.isNaN ? nil : value
        // The day with which the string begins is near enough.
        case .text(let text):
            type == .decimal
                ? Double(text) : ISO8601.date(from: String(text.prefix(10)))?.timeIntervalSinceReferenceDate
        case .null, .boolean, .blob: nil
        }
    }
}

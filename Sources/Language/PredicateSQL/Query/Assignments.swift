import PredicateSyntax

/// The values that an update assigns: `"name" = ?1`, `"stock" = t0."stock" - ?2`
///
/// Computed values come first: MariaDB and MySQL assign in order, and a later expression would read the new value of a column.
struct Assignments {
    private(set) var list: [Assignment] = []
    private let query: SQLQuery
    private let results: ResultResolver
    private var resolver: Resolver { results.resolver }
    private var scope: TableScope { results.resolver.root.scope }

    struct Assignment {
        let column: AssignedColumn
        let value: ValueForm
        var ownValue = OwnValue.replaced
    }

    /// When the column keeps its old value.
    enum OwnValue {
        case replaced
        /// `COALESCE(t0."held" + 1, t0."held")`: where the assigned value is NULL
        case keptForNull
        /// `CASE WHEN t0."stock" IS NOT NULL THEN … ELSE t0."held" END`: where one of the forms is NULL, which means an error.
        /// The assigned value itself may be NULL without an error.
        case keptForErrors([ValueForm])
    }

    /// Throws for an unknown key, and for a value of the wrong kind.
    init(_ values: [String: PredicateValue], of query: SQLQuery, _ results: ResultResolver) throws(SQLCompilationError)
    {
        (self.query, self.results) = (query, results)
        var constants: [Assignment] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let column = try AssignedColumn(key, of: query.entityReference, in: query.compiler.schema)
            if let node = value.computed {
                list.append(try assignment(of: FormatExpression(node), to: column))
            } else {
                let (binding, type) = try column.binding(of: value.constant, query.dialect)
                constants.append(Assignment(column: column, value: .parameter(resolver.parameter(binding, type))))
            }
        }
        if query.has(.assignsInOrder) { try checkOrder() }
        list += constants
    }

    /// Throws for a value that is computed from a column to which an earlier one is assigned.
    private func checkOrder() throws(SQLCompilationError) {
        for (place, assignment) in list.enumerated() {
            let read = NamedRows.columns(of: .isNull(assignment.value))[0] ?? []
            for earlier in list.prefix(place)
            where read.contains(where: { $0.name.text.hasSameCodePoints(as: earlier.column.name.text) }) {
                let (key, other) = (assignment.column.key, earlier.column.key)
                let piece = "a value for '\(key)' that is computed from the changed '\(other)'"
                throw SQLCompilationError(
                    .notExpressible(.function(piece, dialect: query.dialect.name)), text: key, range: 0..<key.utf8.count
                )
            }
        }
    }

    /// Assigns the value of an expression in each row. Where it is an error, the column keeps its value.
    private func assignment(
        of expression: FormatExpression, to column: AssignedColumn
    ) throws(SQLCompilationError) -> Assignment {
        try query.compiler.review(expression)
        return try expression.locating { () throws(CompilationFault) in
            let value = try value(of: expression.node, for: column)
            let forms = try inRow([value.form] + value.failures)
            let ownValue = ownValue(beside: value, forms[0], failures: Array(forms[1...]), column.column)
            return Assignment(column: column, value: forms[0], ownValue: ownValue)
        }
    }

    private func ownValue(
        beside value: TypedValue, _ form: ValueForm, failures: [ValueForm], _ column: ColumnReference
    ) -> OwnValue {
        if failures.isEmpty || form.isNilOnly(with: column) { return .replaced }
        let hasNullForNaN = query.compiler.writing.features.isDisjoint(with: [.ordersNotANumber, .finiteDoubles])
        return value.mayBeNil || value.mayBeNaN && hasNullForNaN ? .keptForErrors(failures) : .keptForNull
    }

    private func value(
        of node: ExpressionNode, for column: AssignedColumn
    ) throws(CompilationFault) -> TypedValue {
        let resolved = try resolver.resolve(node, .root)
        guard let destination = column.destination else {
            let value = try resolver.result(of: resolved, .root).ofOneKind
            return try resolver.converted(value, to: ValueKind(column.type), column.key)
        }
        guard case .object(let object) = resolved, object.entity.sharesObjects(with: destination) else {
            let expected = "an object of \(destination.name)"
            throw CompilationFault(
                .valueKind(key: column.key, expected: expected, found: resolved.operand.words), at: .root)
        }
        return TypedValue(form: .column(object.key), kind: object.keyValue.kind, mayBeNil: object.mayBeNil)
    }

    /// Returns values of related rows as subqueries, since an update has only the tables that it changes:
    /// `(SELECT t1."rate" FROM "country" AS t1 WHERE t1."id" = t0."country_id")`
    private func inRow(_ values: [ValueForm]) throws(CompilationFault) -> [ValueForm] {
        let joins = scope.sources.dropFirst()
        defer { scope.keepJoins(of: []) }
        let tables = values.flatMap { NamedRows.tables(in: .isNull($0)) } + joins.map(\.table)
        let own = query.entityReference.table
        if !query.has(.readsWhatItChanges), tables.contains(where: own.isSame) {
            let piece = "a value of other objects of \(query.entity.name) in an update"
            throw CompilationFault(.function(piece, dialect: query.dialect.name), at: .root)
        }
        let rows = Set(joins.map(\.alias))
        if rows.isEmpty { return values }
        guard var first = scope.lookup(of: rows) else { throw .severalObjects }
        first.kind = .start
        let others = joins.filter { $0.alias != first.alias }
        var found: [ValueForm] = []
        for value in values {
            let isRelated = NamedRows.columns(of: .isNull(value)).keys.contains(where: rows.contains)
            if isRelated, !ConditionForm.not(.isNull(value)).isUntrue(where: { rows.contains($0.alias) }) {
                throw .severalObjects
            }
            found.append(isRelated ? .aggregate(.only(value), TableScope(start: first, others[...]), .always) : value)
        }
        return found
    }
}

extension CompilationFault {
    fileprivate static var severalObjects: CompilationFault {
        CompilationFault(.construct("a value of several related objects in an update"), at: .root)
    }
}

extension Resolver {
    /// Returns a value as a column of a kind stores it.
    fileprivate func converted(
        _ value: TypedValue, to kind: ValueKind, _ key: String
    ) throws(CompilationFault) -> TypedValue {
        try checkDigits(value, .root)
        switch (kind, value.kind) {
        case (.double, .integer), (.double, .decimal), (.double, .double): return double(value)
        case (.decimal, .integer) where dialect.features.contains(.decimalType):
            var value = value
            value.form = .cast(value.form, .type(.integerToDecimal))
            return value
        case (.data, .data), (.integer, .integer), (.boolean, .boolean), (.decimal, .decimal), (.string, .string):
            return value
        case (.date(let first), .date(let second)) where first == second: return value
        case (.uuid(let first), .uuid(let second)) where first == second: return value
        case (.integer, _), (.double, _), (.power, _), (.boolean, _), (.decimal, _), (.string, _), (.date, _),
            (.uuid, _),
            (.data, _), (.any, _):
            let (expected, found) = (kind.operand.words, value.kind.operand.words)
            throw CompilationFault(.valueKind(key: key, expected: expected, found: found), at: .root)
        }
    }
}

extension PredicateValue {
    /// An expression to compute for each row; nil for a constant.
    fileprivate var computed: ExpressionNode? {
        if case .expression(let node) = self, case nil = node.constant { node } else { nil }
    }

    /// The constant of an expression that is one, and any other value unchanged.
    fileprivate var constant: PredicateValue {
        if case .expression(let node) = self { node.constant ?? self } else { self }
    }
}

extension ExpressionNode {
    fileprivate var constant: PredicateValue? {
        if case .constantValue(let value) = self { value } else { nil }
    }
}

extension ValueForm {
    /// True if the value is NULL only where a column is.
    fileprivate func isNilOnly(with column: ColumnReference) -> Bool {
        switch self {
        case .parameter, .word: return true
        case .column(let own): return own.column === column || !own.isNullable
        case .arithmetic(let operation, let left, let right):
            return (operation.keepsNumbers || operation.isOfDecimals) && left.isNilOnly(with: column)
                && right.isNilOnly(with: column)
        case .cast(let value, .type(let cast)):
            return (cast.keepsNumbers || range != nil) && value.isNilOnly(with: column)
        case .guarded, .null, .checked, .cast, .call, .conditional, .aggregate: return false
        }
    }
}

extension SQLPiece.Cast {
    /// True for conversions of numbers that are never NULL.
    fileprivate var keepsNumbers: Bool {
        switch self {
        case .integerToDouble, .integerToLong, .integerToDecimal, .decimalToDouble, .booleanToInteger, .singleToDouble:
            true
        case .integerToText, .decimalToTerm, .decimalToFactor, .decimalToLongFactor, .wholeToFactor,
            .notANumberToNull, .doubleToSign, .paddedToText, .arrayToSize, .jsonToArray, .jsonToSize, .jsonToText,
            .jsonToInteger, .jsonToDouble, .jsonToBoolean:
            false
        }
    }
}

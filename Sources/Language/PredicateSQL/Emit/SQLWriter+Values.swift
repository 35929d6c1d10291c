extension SQLWriter {
    @discardableResult
    mutating func writeValue(_ value: ValueForm) -> SQLText.Precedence {
        guard hasRoom() else { return .atom }
        switch value {
        case .parameter(let parameter): writeParameter(parameter)
        case .word(let word): write(word)
        case .null: write("NULL")
        case .column(let column): writeColumn(column.column, of: column.alias)
        case .guarded(let column): return writeValue(column.orError)
        case .arithmetic(let operation, let left, let right):
            return writeTemplate(templates.arithmetic[operation], or: "this operation") { writer, operand in
                writer.writeValue(operand == 0 ? left : right)
            }
        case .checked(let chain):
            return writeTemplate(templates.checkedInteger, or: "a sum of integers") { writer, operand in
                operand == 0 ? writer.writeValue(chain) : writer.writeSteps(of: chain)
            }
        case .cast(let value, let cast): return writeCast(value, cast)
        case .call(let function, let arguments):
            note(function)
            if templates.bindsArguments, function.isOfPrelude, !arguments.allSatisfy(\.isPlain) {
                return writeBoundCall(function, arguments)
            }
            return writeCall(templates.call[function], function, arguments)
        case .conditional(let test, let first, let second): writeConditional(test, first, second)
        case .aggregate(let aggregate, let scope, let condition):
            writeSubquery(over: scope) { parts in
                parts.addPart { $0.add(aggregate) }
                parts.addConjuncts(of: condition)
            } _: { writer in
                writer.write("(SELECT ")
                writer.writeAggregate(aggregate)
                writer.writeTables(of: scope, condition)
                writer.write(")")
            }
        }
        return .atom
    }

    /// `a + b BETWEEN -9223372036854775808 AND 9223372036854775807 AND (a + b) * c BETWEEN …`: the results of a
    /// chain, inner ones first.
    private mutating func writeSteps(of chain: ValueForm) -> SQLText.Precedence {
        for (index, step) in chain.integerSteps.enumerated() {
            if index > 0 { write(" AND ") }
            _ = writeTemplate(Self.isInteger, or: "a range of integers") { writer, _ in writer.writeValue(step) }
        }
        return .and
    }

    private static let isInteger = SQLTemplate(SQLText.fitsInt64(SQLText(operand: 0)), SQLiteDialect())

    private mutating func writeCall(
        _ template: SQLTemplate?, _ function: SQLFunction, _ arguments: [ValueForm]
    ) -> SQLText.Precedence {
        // If two strings come from the row, one of them has the explicit collation for both.
        let ordered = arguments.count { !$0.isPlain || $0.isColumn } > 1
        return writeTemplate(template, or: function.name) { writer, operand in
            guard arguments.indices.contains(operand) else { return .atom }
            let argument = arguments[operand]
            return function.takesTexts
                ? writer.writeArgument(argument, ordered: ordered) : writer.writeValue(argument)
        }
    }

    /// Writes an argument of a function or a search.
    mutating func writeArgument(_ value: ValueForm, ordered: Bool = false) -> SQLText.Precedence {
        guard case .column = value, dialect.features.contains(.functionsFollowCollations) else {
            return writeValue(value)
        }
        return writeComparable(value, ordered: ordered)
    }

    private mutating func writeBoundCall(_ function: SQLFunction, _ arguments: [ValueForm]) -> SQLText.Precedence {
        let operands = arguments.indices.map(SQLText.init(operand:))
        let piece = SQLPiece.boundCall(function, operands, repeated: arguments.map { !$0.isPlain })
        return writeCall(dialect.base.template(of: piece), function, arguments)
    }

    private mutating func writeCast(_ value: ValueForm, _ cast: CastForm) -> SQLText.Precedence {
        let template: SQLTemplate?
        switch cast {
        case .collated: return writeComparable(value, ordered: true)
        case .type(let cast):
            if cast == .decimalToDouble { note(.decimalDouble) }
            template = templates.cast[cast]
        case .dateToSeconds(let storage):
            if storage == .iso8601 || storage == .timestamp { note(.date) }
            template = templates.seconds[storage]
        case .calendar(let part): template = templates.calendar[part]
        case .part(let part): template = templates.part[part]
        }
        return writeTemplate(template, of: value, or: "this conversion")
    }

    private mutating func writeConditional(_ test: ConditionForm, _ first: ValueForm, _ second: ValueForm) {
        write("CASE WHEN ")
        writeOperand(.or) { $0.writeCondition(test) }
        write(" THEN ")
        writeOperand(.or) { $0.writeValue(first) }
        if case .null = second {
        } else {
            write(" ELSE ")
            writeOperand(.or) { $0.writeValue(second) }
        }
        write(" END")
    }

    @discardableResult
    mutating func writeAggregate(_ aggregate: AggregateForm) -> SQLText.Precedence {
        switch aggregate {
        case .countRows: write("COUNT(*)")
        case .countValues(let value): writeCall("COUNT(", value, isText: false, ordered: false)
        case .countDistinct(let value, let isText):
            writeCall("COUNT(DISTINCT ", value, isText: isText, ordered: false)
        case .sum(let value, let isDistinct):
            if isDistinct, dialect.features.contains(.applicationFunctions) { note(.numberSum) }
            return writeTemplate(templates.sum[isDistinct], of: value, or: "a sum")
        case .decimalSum(let value, let isDistinct):
            return writeTemplate(templates.decimalSum[isDistinct], of: value, or: "a sum of decimals")
        case .narrowSum(let value, let addend, let isDistinct):
            return writeTemplate(templates.narrowSum(addend, distinct: isDistinct), of: value, or: "a sum")
        case .only(let value): return writeValue(value)
        case .decimalAverage: note(missing: "an average of decimal numbers")
        case .decimalExcess(let value, let constant):
            return writeTemplate(templates.decimalExcess, or: "an average of decimals") { writer, operand in
                writer.writeValue(operand == 0 ? value : constant)
            }
        case .function(let function, let value):
            note(function)
            return writeTemplate(templates.call[function], of: value, or: function.name)
        case .average(let value, let isDistinct):
            if isDistinct, dialect.features.contains(.applicationFunctions) { note(.numberAverage) }
            return writeTemplate(templates.average[isDistinct], of: value, or: "an average")
        case .minimum(let value, let isText): writeCall("MIN(", value, isText: isText, ordered: true)
        case .maximum(let value, let isText): writeCall("MAX(", value, isText: isText, ordered: true)
        case .ofGroup(let aggregate): return writeAggregate(aggregate)
        }
        return .atom
    }

    private mutating func writeAggregate(_ aggregate: GroupAggregateForm) -> SQLText.Precedence {
        switch aggregate {
        case .function(let function, let value, let arguments):
            note(function)
            return writeTemplate(templates.call[function], or: function.name) { writer, operand in
                writer.writeValue(operand == 0 ? value : arguments[operand - 1])
            }
        case .total(let value, let addend):
            return writeTemplate(templates.total[addend], of: value, or: "a sum")
        case .mean(let value, let addend):
            return writeTemplate(templates.mean[addend], of: value, or: "an average")
        case .joined(let text, let separator, let key, let keyIsText):
            return writeTemplate(templates.joined, or: "joined strings") { writer, operand in
                if operand == 2, keyIsText { return writer.writeComparable(key, ordered: true) }
                return writer.writeValue(operand == 0 ? text : operand == 1 ? separator : key)
            }
        case .truthExtreme(let value, let isLeast):
            return writeTemplate(templates.truthExtreme[isLeast], of: value, or: "an extreme")
        case .extremeOfDoubles(let value, let isLeast):
            writeExtreme(of: value, isLeast)
            return .atom
        }
    }

    /// Writes the least or the greatest double. NaN, which the database orders last, is the result if all numbers are on
    /// one side of it: `CASE WHEN MIN(n) < 0 OR COUNT(a) = COUNT(n) THEN MIN(n) ELSE MAX(a) END`, in which `n` is NULL
    /// for NaN
    private mutating func writeExtreme(of value: ValueForm, _ isLeast: Bool) {
        let number = ValueForm.cast(value, .type(.notANumberToNull))
        let opening: StaticString = isLeast ? "MIN(" : "MAX("
        write("CASE WHEN ")
        writeCall(opening, number, isText: false, ordered: true)
        write(isLeast ? " < 0 OR " : " >= 0 OR ")
        writeCall("COUNT(", value, isText: false, ordered: false)
        write(" = ")
        writeCall("COUNT(", number, isText: false, ordered: false)
        write(" THEN ")
        writeCall(opening, number, isText: false, ordered: true)
        write(" ELSE ")
        writeCall("MAX(", value, isText: false, ordered: true)
        write(" END")
    }

    private mutating func writeCall(_ opening: StaticString, _ value: ValueForm, isText: Bool, ordered: Bool) {
        write(opening)
        writeOperand(.or) { isText ? $0.writeComparable(value, ordered: ordered) : $0.writeValue(value) }
        write(")")
    }
}

// MARK: - Tables

extension SQLWriter {
    /// `"person" AS t0 LEFT JOIN …`
    mutating func writeSources(of scope: TableScope) {
        noteTables(scope.sources.count, of: scope.sources.count)
        for source in scope.sources { writeSource(source) }
    }

    /// ` LEFT JOIN "person" AS t1 ON …`: the tables after the first, which is already written.
    mutating func writeJoins(of scope: TableScope) {
        noteTables(scope.sources.count - 1, of: scope.sources.count)
        for source in scope.sources.dropFirst() { writeSource(source) }
    }

    /// ` FROM … WHERE …`. The join condition of the first table is part of the WHERE.
    mutating func writeTables(of scope: TableScope, _ condition: ConditionForm?) {
        hasSubqueries = true
        noteNumbers(of: scope, condition)
        write(" FROM ")
        writeSources(of: scope)
        writeRepeatedRows(beside: scope)
        var word: StaticString = " WHERE "
        if let start = scope.sources.first, let tie = start.tie {
            write(word)
            writeTie(tie, start.alias)
            word = " AND "
        }
        guard let condition, !condition.isAlways else { return }
        write(word)
        writeOperand(scope.sources.first?.tie == nil ? .or : .and) { $0.writeCondition(condition) }
    }

    private mutating func writeRepeatedRows(beside scope: TableScope) {
        guard let repeated = outerRows?.repeated, !repeated.isEmpty else { return }
        noteTables(repeated.count, of: scope.sources.count + repeated.count)
        for source in repeated { writeSource(source) }
    }

    private mutating func writeSource(_ source: TableScope.Table) {
        switch (source.kind, source.tie) {
        case (.start, _): break
        case (.needed, .some): write(" JOIN ")
        case (.lookedUp, .some): write(source.isNeeded ? " JOIN " : " LEFT JOIN ")
        case (.needed, nil), (.lookedUp, nil): write(" CROSS JOIN ")
        }
        if let array = source.array { return writeElements(of: array, source.alias) }
        writeTable(source)
        write(" AS ")
        writeAlias(source.alias)
        guard source.kind != .start, let tie = source.tie else { return }
        write(" ON ")
        writeTie(tie, source.alias)
    }

    /// `"phone"`, or `(SELECT row_number() OVER () AS "rowid", "phone".* FROM "phone")` if the number is named.
    private mutating func writeTable(_ source: TableScope.Table) {
        guard let numbered = source.table.numbered, numberedRows.contains(source.alias) else {
            return writeName(source.table)
        }
        writeBytes(numbered.rows)
    }

    /// Notes the rows of a scope whose numbers occur in a condition or in the scope's own joins. If subqueries repeat outer
    /// rows, notes all.
    mutating func noteNumbers(of scope: TableScope, _ condition: ConditionForm?) {
        let numbers = scope.sources.filter { $0.table.numbered != nil }
        if numbers.isEmpty { return }
        let isRepeated = !dialect.features.contains(.skipLevelCorrelation)
        let named = condition.map { NamedRows.columns(of: $0) } ?? [:]
        let ties = scope.sources.compactMap(\.tie).flatMap { [$0.column, $0.value.column] }
        for source in numbers where isRepeated || ((named[source.alias] ?? []) + ties).contains(where: \.isNumber) {
            numberedRows.insert(source.alias)
        }
    }

    /// Notes the rows of a scope whose numbers occur in values.
    mutating func noteNumbers(of scope: TableScope, in values: [ValueForm]) {
        noteNumbers(of: scope, .and(values.map { .isNull($0) }))
    }

    /// `unnest(t0."tags") AS t1(value)`
    private mutating func writeElements(of array: ArrayForm, _ alias: Int) {
        _ = writeTemplate(array.rows) { writer, operand in
            if operand == 1 {
                writer.writeAlias(alias)
            } else if case .call = array.whole {
                return writer.writeValue(array.whole)
            } else if case .cast(_, .type(let cast)) = array.whole {
                return writer.writeTemplate(writer.templates.cast[cast], or: "this array") { writer, _ in
                    writer.writeTiedColumn(array.column)
                    return .atom
                }
            } else {
                writer.writeTiedColumn(array.column)
            }
            return .atom
        }
    }

    /// `t1."id" = t0."dept_id"`
    private mutating func writeTie(_ tie: (column: ColumnReference, value: ColumnForm), _ alias: Int) {
        writeColumn(tie.column, of: alias)
        write(" = ")
        writeTiedColumn(tie.value)
    }
}

extension SQLWriter {
    /// `t0."title", COUNT(*) AS "count"`; with names of their own `t0."title" AS "c0", COUNT(*) AS "c1"`.
    mutating func writeResults(_ results: some Sequence<ResultForm>, areNamed: Bool) {
        writeList(Array(results.enumerated())) { writer, item in
            switch item.element.content {
            case .value(let value): writer.writeValue(value)
            case .aggregate(let aggregate): writer.writeAggregate(aggregate)
            }
            if areNamed { return writer.writeName(ofResult: ResultTable.column(item.offset)) }
            if item.element.columnName != item.element.name { writer.writeName(ofResult: item.element.name) }
        }
    }

    /// ` AS "count"`; nothing for a name that the database cannot hold, and for one of the compiler's own: `.1`
    mutating func writeName(ofResult name: String) {
        guard name.first != ".", let quoted = dialect.base.quoted(name) else { return }
        write(" AS ")
        writeText(quoted)
    }

    /// Writes elements separated by commas.
    mutating func writeList<Element>(
        _ elements: some Sequence<Element>, _ write: (inout SQLWriter, Element) -> Void
    ) {
        var isFirst = true
        for element in elements {
            if !isFirst { self.write(", ") }
            isFirst = false
            write(&self, element)
        }
    }

    /// ` WHERE …`; nothing for a condition that always holds.
    mutating func writeCondition(where condition: ConditionForm?) {
        guard let condition, !condition.isAlways else { return }
        write(" WHERE ")
        writeCondition(condition)
    }

    /// ` LIMIT 10 OFFSET 20`
    mutating func writePage(_ page: ResultPage, _ resolver: Resolver) {
        let forms = [page.limit, page.offset].map { count in
            count.map { resolver.form(.integer(Int64($0)), .rowCount) }
        }
        writePage(forms[0], forms[1])
    }
}

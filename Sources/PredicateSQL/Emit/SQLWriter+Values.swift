extension SQLWriter {
    @discardableResult
    mutating func write(_ value: ValueForm) -> SQLText.Precedence {
        guard hasRoom() else { return .atom }
        switch value {
        case .parameter(let parameter): write(parameter)
        case .word(let word): write(word)
        case .null: write("NULL")
        case .column(let column): write(column.column, of: column.alias)
        case .arithmetic(let operation, let left, let right):
            return write(templates.arithmetic(operation), or: "this operation") { writer, operand in
                writer.write(operand == 0 ? left : right)
            }
        case .checked(let sum): return write(templates.checkedInteger) { writer, _ in writer.write(sum) }
        case .cast(let value, let cast): return write(value, cast)
        case .call(let function, let arguments):
            note(function)
            return write(templates.call(function), or: function.name) { writer, operand in
                arguments.indices.contains(operand) ? writer.write(arguments[operand]) : .atom
            }
        case .conditional(let test, let first, let second): write(test, first, second)
        case .aggregate(let aggregate, let scope, let condition):
            write("(SELECT ")
            write(aggregate)
            writeTables(of: scope, condition)
            write(")")
        }
        return .atom
    }

    /// A template that a dialect may lack, which is then noted by name.
    private mutating func write(
        _ template: SQLTemplate?, or lack: String, _ operand: (inout SQLWriter, Int) -> SQLText.Precedence
    ) -> SQLText.Precedence {
        guard let template else {
            note(lack: lack)
            return write(.null)
        }
        return write(template, operand)
    }

    private mutating func write(_ value: ValueForm, _ cast: CastForm) -> SQLText.Precedence {
        let template: SQLTemplate?
        switch cast {
        case .type(let cast):
            if cast == .decimalToDouble { note(.decimalDouble) }
            template = templates.cast(cast)
        case .dateToSeconds(let storage):
            if storage == .iso8601 || storage == .timestamp { note(.date) }
            template = templates.seconds(from: storage)
        }
        return write(template, or: "this change of kinds") { writer, _ in writer.write(value) }
    }

    private mutating func write(_ test: ConditionForm, _ first: ValueForm, _ second: ValueForm) {
        write("CASE WHEN ")
        writeOperand(.or) { $0.write(test) }
        write(" THEN ")
        writeOperand(.or) { $0.write(first) }
        if case .null = second {
        } else {
            write(" ELSE ")
            writeOperand(.or) { $0.write(second) }
        }
        write(" END")
    }

    private mutating func write(_ aggregate: AggregateForm) {
        switch aggregate {
        case .countRows: write("COUNT(*)")
        case .countDistinct(let value, let isText): write("COUNT(DISTINCT ", value, isText: isText, ordered: false)
        case .sum(let value, let isDistinct):
            _ = write(templates.sum(distinct: isDistinct)) { writer, _ in writer.write(value) }
        case .average(let value, let isDistinct):
            _ = write(templates.average(distinct: isDistinct), or: "an average") { writer, _ in writer.write(value) }
        case .minimum(let value, let isText): write("MIN(", value, isText: isText, ordered: true)
        case .maximum(let value, let isText): write("MAX(", value, isText: isText, ordered: true)
        }
    }

    private mutating func write(_ opening: StaticString, _ value: ValueForm, isText: Bool, ordered: Bool) {
        write(opening)
        writeOperand(.or) { isText ? $0.writeComparable(value, ordered: ordered) : $0.write(value) }
        write(")")
    }
}

// MARK: - Tables

extension SQLWriter {
    /// `"person" AS t0 LEFT JOIN …`
    mutating func writeSources(of scope: Scope) {
        mostTables = max(mostTables, scope.sources.count)
        for source in scope.sources { write(source) }
    }

    /// ` FROM … WHERE …`; the tie of the first table is a condition.
    mutating func writeTables(of scope: Scope, _ condition: ConditionForm?) {
        write(" FROM ")
        writeSources(of: scope)
        var word: StaticString = " WHERE "
        if let start = scope.sources.first, let tie = start.tie {
            write(word)
            write(tie, start.alias)
            word = " AND "
        }
        guard let condition, !condition.isAlways else { return }
        write(word)
        writeOperand(.and) { $0.write(condition) }
    }

    private mutating func write(_ source: Scope.Source) {
        switch (source.kind, source.tie) {
        case (.start, _): break
        case (.needed, .some): write(" JOIN ")
        case (.lookedUp, .some): write(" LEFT JOIN ")
        case (.needed, nil), (.lookedUp, nil): write(" CROSS JOIN ")
        }
        write(source.table)
        write(" AS ")
        writeAlias(source.alias)
        guard source.kind != .start, let tie = source.tie else { return }
        write(" ON ")
        write(tie, source.alias)
    }

    /// `t1."id" = t0."dept_id"`
    private mutating func write(_ tie: (column: ColumnReference, value: ColumnForm), _ alias: Int) {
        write(tie.column, of: alias)
        write(" = ")
        write(tie.value.column, of: tie.value.alias)
    }
}

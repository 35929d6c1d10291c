extension Emitter {
    mutating func text(_ value: ValueForm) -> SQLText {
        switch value {
        case .parameter(let parameter): return SQLText(parameter)
        case .word(let word): return SQLText(stringLiteral: word)
        case .null: return "NULL"
        case .column(let column): return self.column(column.name, of: column.alias)
        case .arithmetic(let operation, let left, let right):
            return dialect.arithmetic(operation, text(left), text(right)) ?? "NULL"
        case .checked(let sum): return dialect.checkedInteger(text(sum))
        case .cast(let value, .type(let cast)): return self.cast(value, cast)
        case .cast(let value, .dateToSeconds(let storage)):
            if storage == .iso8601 || storage == .timestamp { note(.date) }
            return dialect.seconds(text(value), from: storage) ?? "NULL"
        case .call(let function, let arguments):
            note(function)
            return dialect.call(function, arguments.map { text($0) }) ?? "NULL"
        case .conditional(let test, let first, let second): return conditional(test, first, second)
        case .aggregate(let aggregate, let scope, let condition):
            return "(SELECT \(self.aggregate(aggregate))\(from(scope, condition)))"
        }
    }

    private mutating func cast(_ value: ValueForm, _ cast: SQLCast) -> SQLText {
        if cast == .decimalToDouble { note(.decimalDouble) }
        return dialect.cast(text(value), cast) ?? "NULL"
    }

    private mutating func conditional(
        _ test: ConditionForm, _ first: ValueForm, _ second: ValueForm
    ) -> SQLText {
        let (test, first) = (text(test), text(first))
        if case .null = second { return "CASE WHEN \(test) THEN \(first) END" }
        return "CASE WHEN \(test) THEN \(first) ELSE \(text(second)) END"
    }

    private mutating func aggregate(_ aggregate: AggregateForm) -> SQLText {
        switch aggregate {
        case .countRows: return "COUNT(*)"
        case .countDistinct(let value, let isText):
            return "COUNT(DISTINCT \(isText ? comparable(value, ordered: false) : text(value)))"
        case .sum(let value, let distinct):
            return "COALESCE(\(dialect.integerSum(text(value), distinct: distinct)), 0)"
        case .average(let value, let distinct):
            let operand = text(value)
            let sum: SQLText = "COALESCE(\(dialect.integerSum(operand, distinct: distinct)), 0)"
            let count: SQLText = distinct ? "COUNT(DISTINCT \(operand))" : "COUNT(*)"
            return SQLText.product(dialect.cast(sum, .integerToDouble) ?? sum, "/", "NULLIF(\(count), 0)")
        case .minimum(let value, let isText):
            return "MIN(\(isText ? comparable(value, ordered: true) : text(value)))"
        case .maximum(let value, let isText):
            return "MAX(\(isText ? comparable(value, ordered: true) : text(value)))"
        }
    }

    // MARK: Tables

    /// ` FROM … WHERE …`; the tie of the first table is a condition.
    mutating func from(_ scope: Scope, _ condition: ConditionForm?) -> SQLText {
        var tables: [SQLText] = []
        var conditions: [SQLText] = []
        for source in scope.sources {
            let table: SQLText = "\(name(source.table)) AS \(alias(source.alias))"
            switch (source.kind, source.tie) {
            case (.start, let tie):
                tables.append(" FROM \(table)")
                if let tie { conditions.append(self.tie(tie, source.alias)) }
            case (.needed, let tie?): tables.append(" JOIN \(table) ON \(self.tie(tie, source.alias))")
            case (.lookedUp, let tie?): tables.append(" LEFT JOIN \(table) ON \(self.tie(tie, source.alias))")
            case (.needed, nil), (.lookedUp, nil): tables.append(" CROSS JOIN \(table)")
            }
        }
        if let condition, !condition.isAlways { conditions.append(text(condition).operand(.and)) }
        let list = SQLText.joined(tables, by: "")
        return conditions.isEmpty ? list : "\(list) WHERE \(SQLText.joined(conditions, by: " AND "))"
    }

    private mutating func tie(_ tie: (column: String, value: ValueForm), _ alias: Int) -> SQLText {
        "\(column(tie.column, of: alias)) = \(text(tie.value))"
    }
}

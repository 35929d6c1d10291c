extension SQLWriter {
    /// `t0."title", COUNT(*)`; with names `t0."title" AS "c0", COUNT(*) AS "c1"`.
    mutating func writeResults(_ results: some Sequence<ResultForm>, areNamed: Bool) {
        writeList(Array(results.enumerated())) { writer, item in
            switch item.element.content {
            case .value(let value): writer.writeValue(value)
            case .aggregate(let aggregate): writer.writeAggregate(aggregate)
            }
            guard areNamed else { return }
            writer.write(" AS ")
            writer.writeQuoted(ResultTable.column(item.offset))
        }
    }

    /// Elements with commas between them.
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

/// Counts of columns that may hold values of several kinds.
extension SQLQuery {
    /// The columns of the entity that the condition bounds from above to keep values of other kinds away, each once.
    package var boundedColumns: [String] {
        var names: [String] = []
        for bound in body.bounds where !bound.column.hasSign {
            let name = bound.column.name.text
            if !names.contains(where: { $0.hasSameCodePoints(as: name) }) { names.append(name) }
        }
        return names
    }

    /// The statement of ``count`` for columns whose greatest value an index gives: it asks for that once, and counts without
    /// the bounds where it shows that they keep nothing away.
    ///
    /// `age > 21`:
    ///
    ///     SELECT CASE WHEN (SELECT MAX(t0."age") FROM "person" AS t0) <= 9e999
    ///     THEN (SELECT COUNT(*) FROM "person" AS t0 WHERE t0."age" > ?1 AND 1)
    ///     ELSE (SELECT COUNT(*) FROM "person" AS t0 WHERE t0."age" > ?1 AND t0."age" <= 9e999) END
    ///
    /// It is one statement, so that the greatest value is that of the rows that it counts. [NSP-336]
    package func count(withGreatestOf columns: [String]) -> SQLFragment {
        let bounds = body.bounds.filter { bound in
            columns.contains { $0.hasSameCodePoints(as: bound.column.name.text) }
        }
        guard !bounds.isEmpty, let root = body.scope.sources.first else { return count }
        var writer = SQLWriter(compiler.writing)
        writer.write("SELECT CASE WHEN ")
        writer.writeTests(of: bounds, root.table)
        writer.write(" THEN (")
        writer.writeText(count.text, without: bounds, conditionLength: body.condition.utf8.count)
        writer.write(") ELSE (")
        writer.writeText(count.text, without: [], conditionLength: body.condition.utf8.count)
        writer.write(") END")
        let limit = compiler.writing.limits.parserStack
        guard writer.missingPiece == nil, writer.unusableName == nil, writer.readStack <= limit else { return count }
        return SQLFragment(writer.text(0..<writer.count), bindings: bindings, types: body.types)
    }
}

extension SQLWriter {
    /// `(SELECT MAX(t0."age") FROM "person" AS t0) <= 9e999` for each column, once.
    fileprivate mutating func writeTests(of bounds: [StatementBody.Bound], _ table: QuotedName) {
        var seen: [StatementBody.Bound] = []
        for bound in bounds where !seen.contains(where: { $0.hasSameTest(as: bound) }) {
            if !seen.isEmpty { write(" AND ") }
            seen.append(bound)
            writeOperand(.not) { writer in
                writer.writeTemplate(writer.templates.isStored(bound.storage), or: "values of several kinds") {
                    writer, _ in
                    writer.write("(SELECT MAX(")
                    writer.writeColumn(bound.column, of: 0)
                    writer.write(") FROM ")
                    writer.writeName(table)
                    writer.write(" AS t0)")
                    return .atom
                }
            }
        }
    }

    /// A statement that ends with a condition, with a truth in the place of each bound.
    fileprivate mutating func writeText(_ text: String, without bounds: [StatementBody.Bound], conditionLength: Int) {
        var text = text
        text.withUTF8 { bytes in
            let start = bytes.count - conditionLength
            var position = 0
            for bound in bounds {
                writeBytes(UnsafeBufferPointer(rebasing: bytes[position..<start + bound.range.lowerBound]))
                writeCondition(.always)
                position = start + bound.range.upperBound
            }
            writeBytes(UnsafeBufferPointer(rebasing: bytes[position...]))
        }
    }
}

extension StatementBody.Bound {
    fileprivate func hasSameTest(as other: StatementBody.Bound) -> Bool {
        storage == other.storage && column.name.text.hasSameCodePoints(as: other.column.name.text)
    }
}

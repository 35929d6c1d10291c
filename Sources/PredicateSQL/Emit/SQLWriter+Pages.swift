extension SQLWriter {
    /// ` ORDER BY t1."name", t1."id"`: an order that leaves nothing open.
    mutating func writeOrder(_ terms: [OrderTerm], then key: ColumnReference, of alias: Int) {
        writeOrder(terms)
        write(terms.isEmpty ? " ORDER BY " : ", ")
        writeColumn(key, of: alias)
    }

    /// ` ORDER BY t1."name"`; nothing without terms.
    mutating func writeOrder(_ terms: [OrderTerm]) {
        if !terms.isEmpty { write(" ORDER BY ") }
        writeList(terms) { (writer: inout SQLWriter, term: OrderTerm) in writer.writeTerm(term) }
    }

    private mutating func writeTerm(_ term: OrderTerm) {
        let piece = SQLPiece.orderTerm(
            SQLText(operand: 0), ascending: term.ascending, nullsFirst: term.nullsFirst)
        let template = dialect.base.text(of: piece).map(SQLTemplate.init)
        _ = writeTemplate(template, or: "an order") { writer, _ in
            term.isText ? writer.writeComparable(term.form, ordered: true) : writer.writeValue(term.form)
        }
    }

    /// ` LIMIT 10 OFFSET 20`
    mutating func writePage(_ limit: ValueForm?, _ offset: ValueForm?) {
        if limit == nil, offset == nil { return }
        let piece = SQLPiece.limit(
            limit.map { _ in SQLText(operand: 0) }, offset: offset.map { _ in SQLText(operand: 1) })
        let template = dialect.base.text(of: piece).map(SQLTemplate.init)
        write(" ")
        _ = writeTemplate(template, or: "a page") { writer, operand in
            (operand == 0 ? limit : offset).map { writer.writeValue($0) } ?? .atom
        }
    }

    /// `t1."id" IN (SELECT t2."id" FROM … ORDER BY … LIMIT 3)`
    mutating func writeMembership(of value: ValueForm, on page: PageForm) -> SQLText.Precedence {
        writeOperand(.bit) { $0.writeValue(value) }
        write(" IN ")
        writeSubquery(over: page.scope) { parts in
            parts.addParts(of: page)
        } _: { writer in
            _ = writer.writeTemplate(writer.templates.selection, or: "a page of rows") { writer, _ in
                writer.writeRows(of: page)
                return .or
            }
        }
        return .comparison
    }

    private mutating func writeRows(of page: PageForm) {
        write("SELECT ")
        writeColumn(page.key.column, of: page.key.alias)
        writeTables(of: page.scope, page.condition)
        writeOrder(page.order, then: page.key.column, of: page.key.alias)
        writePage(page.limit, page.offset)
    }
}

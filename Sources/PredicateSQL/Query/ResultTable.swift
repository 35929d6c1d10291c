import PredicateSyntax

/// The results of groups as a table of their own, whose columns HAVING and sort keys name.
///
/// `tasks > 3` with the second result `tasks`: `t0."c1" > ?1`
struct ResultTable {
    let resolver: Resolver
    let columns: [ColumnReference]
    private let compiler: SQLCompiler
    private let form: ResultsForm

    /// The table of a query's results; parameters are numbered after those of its groups.
    init(_ form: ResultsForm, of query: SQLQuery, _ variables: [String: PredicateValue], after parameters: Int) {
        var compiler = query.compiler
        compiler.mode = .exact
        self.compiler = compiler
        self.form = form
        let entity = EntityReference(Self.entity(form), compiler.dialect, Arena())
        columns = form.columns.indices.map { entity.column(Self.column($0), compiler.dialect) }
        resolver = Resolver(
            compiler, entity, variables, parameters: parameters, resultNames: form.columns.map(\.name))
    }

    /// The name of a column, which no name of a result can clash with.
    static func column(_ index: Int) -> String { "c\(index)" }

    private static func entity(_ form: ResultsForm) -> SQLEntity {
        var entity = SQLEntity("the results", primaryKey: "", attributes: [:])
        for (index, result) in form.columns.enumerated() {
            if let destination = result.destination {
                entity.relationships[result.name] = .toOne(destination.entity.name, column: column(index))
            } else {
                entity.attributes[result.name] = SQLAttribute(
                    result.type, column: column(index), isNullable: result.mayBeNil, affinity: result.affinity)
            }
        }
        return entity
    }

    /// The condition of HAVING.
    func condition(_ predicate: FormatPredicate) throws(SQLCompilationError) -> ConditionForm {
        try compiler.review(predicate)
        do throws(Fault) {
            return try resolver.condition(predicate.node, .root)
        } catch {
            let node = error.path.nodeNumber(in: .predicate(predicate.node))
            throw SQLCompilationError(error.code, node: node, in: predicate)
        }
    }

    /// The order of rows: the sort keys, then what tells one row from every other.
    func order(_ sortKeys: [SortKey]) throws(SQLCompilationError) -> [OrderTerm] {
        var terms: [OrderTerm] = []
        for key in sortKeys { terms.append(try term(key)) }
        return terms
            + form.keys.map { index in
                OrderTerm(
                    form: .column(ColumnForm(alias: 0, column: columns[index], isNullable: true)),
                    isText: form.columns[index].isText, ascending: true, nullsFirst: true)
            }
    }

    private func term(_ key: SortKey) throws(SQLCompilationError) -> OrderTerm {
        do throws(Fault) {
            let keys = KeyPathExpression.keys(of: key.keyPath)
            let path = resolver.joiningResultName(keys)
            guard case .value(let value) = try resolver.follow(path[...], from: .object(resolver.root), .root) else {
                throw Fault(.notAColumn(key: key.keyPath), at: .root)
            }
            return try resolver.orderTerm(value, key)
        } catch {
            throw SQLCompilationError(error.code, text: key.keyPath, range: 0..<key.keyPath.utf8.count)
        }
    }
}

extension Resolver {
    /// The keys of a path, in which the longest name of a result at its beginning is one key: `owner.name` is a name.
    func joiningResultName(_ keys: [String]) -> [String] {
        guard root.alias == 0, keys.count > 1 else { return keys }
        for count in stride(from: keys.count, to: 1, by: -1) {
            let name = keys[..<count].joined(separator: ".")
            if resultNames.contains(where: { $0.hasSameCodePoints(as: name) }) { return [name] + keys[count...] }
        }
        return keys
    }
}

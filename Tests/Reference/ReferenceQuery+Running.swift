import PredicateEvaluation
import PredicateSyntax

/// A query that is answered step by step, each over all rows. [NSP-513]
extension ReferenceQuery {
    package func answer(
        over rows: [[String: PredicateValue]], registry: EvaluationRegistry = .standard
    ) -> Answer {
        var run = Run(registry: registry, takesNaNForNil: takesNaNForNil)
        let matches = rows.filter { run.matches($0, self) }
        var written = grouping.map { run.groups(of: matches, $0) } ?? matches.map { run.written($0, items) }
        if let firsts { written = run.first(firsts.count, of: firsts.keys, run.sorted(written, order)) }
        if isDistinct { written = Self.distinct(written) }
        written = page(of: firsts == nil ? run.sorted(written, order) : written)
        return Answer(
            columns: columns, rows: written.map(\.cells), matches: matches.count, errors: run.errors)
    }

    private var columns: [String] {
        guard let grouping else { return items.map(\.name) }
        return grouping.keys.map(\.name) + grouping.aggregates.map(\.name)
    }

    /// A row to be written, with the row whose keys the order asks: that of the input, or of the group.
    fileprivate struct Written {
        var source: [String: PredicateValue]
        var cells: [ReferenceCell]
    }

    private static func distinct(_ rows: [Written]) -> [Written] {
        rows.reduce(into: []) { kept, row in
            if !kept.contains(where: { ReferenceEquality.areSame($0.cells, row.cells) }) { kept.append(row) }
        }
    }

    private func page(of rows: [Written]) -> [Written] {
        if let last { return rows.suffix(last) }
        let rest = rows.dropFirst(offset)
        return Array(limit.map { rest.prefix($0) } ?? rest)
    }
}

/// One run of a query, which counts errors.
private struct Run {
    typealias Row = [String: PredicateValue]
    typealias Written = ReferenceQuery.Written

    let registry: EvaluationRegistry
    let takesNaNForNil: Bool
    private(set) var errors = 0

    init(registry: EvaluationRegistry, takesNaNForNil: Bool) {
        (self.registry, self.takesNaNForNil) = (registry, takesNaNForNil)
    }

    // MARK: Predicates and values

    mutating func matches(_ row: Row, _ query: ReferenceQuery) -> Bool {
        guard let predicate = query.predicate else { return !query.isInverted }
        if query.takesErrorsForFalse {
            let result = ReferenceEvaluator.holds(predicate, for: .value(.dictionary(row)), registry: registry)
            return (try? result.get()) ?? false != query.isInverted
        }
        return holds(predicate, row).map { $0 != query.isInverted } ?? false
    }

    /// Nil for an error.
    private mutating func holds(_ predicate: PredicateNode, _ row: Row) -> Bool? {
        switch ReferenceEvaluator.holds(predicate, for: .value(.dictionary(row)), registry: registry) {
        case .success(let holds): return holds
        case .failure:
            errors += 1
            return nil
        }
    }

    /// The value of an operand. One that is an error is nil, and counts unless it is an error about nil. [NSP-484]
    private mutating func value(_ operand: ReferenceQuery.Operand, _ row: Row) -> ReferenceCell {
        switch operand {
        case .key(let key): return ReferenceCell(row[key] ?? .null)
        case .expression(let node):
            switch ReferenceEvaluator.value(node, for: .value(.dictionary(row)), registry: registry) {
            case .success(let value):
                let cell = ReferenceCell(value)
                return takesNaNForNil && cell.nearestDouble?.isNaN == true ? .null : cell
            case .failure(let error):
                if !(error.mayBeAboutNil && node.readsNil(in: row)) { errors += 1 }
                return .null
            }
        }
    }

    private mutating func values(_ operands: [ReferenceQuery.Operand], _ row: Row) -> [ReferenceCell] {
        var values: [ReferenceCell] = []
        for operand in operands { values.append(value(operand, row)) }
        return values
    }

    mutating func written(_ row: Row, _ items: [ReferenceQuery.Item]) -> Written {
        Written(source: row, cells: values(items.map(\.operand), row))
    }

    // MARK: Groups

    /// A group: the values of its first row, and its rows.
    private struct Group {
        let keys: [ReferenceCell]
        var rows: [Row]
    }

    /// The rows of the groups that HAVING keeps.
    mutating func groups(of rows: [Row], _ grouping: ReferenceQuery.Grouping) -> [Written] {
        var groups: [Group] = grouping.keys.isEmpty ? [Group(keys: [], rows: [])] : []
        for row in rows {
            let keys = values(grouping.keys.map(\.operand), row)
            if let place = groups.firstIndex(where: { ReferenceEquality.areSame($0.keys, keys) }) {
                groups[place].rows.append(row)
            } else {
                groups.append(Group(keys: keys, rows: [row]))
            }
        }
        let sorted = Self.stable(groups) { Self.order($0, $1, grouping.isLargestFirst) }
        var written: [Written] = []
        for group in sorted { written.append(self.written(group, grouping)) }
        return written.filter { row in grouping.having.map { holds($0, row.source) ?? false } ?? true }
    }

    private mutating func written(_ group: Group, _ grouping: ReferenceQuery.Grouping) -> Written {
        var cells = group.keys
        for aggregate in grouping.aggregates { cells.append(result(aggregate, group.rows)) }
        let names = grouping.keys.map(\.name) + grouping.aggregates.map(\.name)
        return Written(source: Dictionary(zip(names, cells.map(\.predicateValue))) { $1 }, cells: cells)
    }

    private mutating func result(_ aggregate: ReferenceQuery.Aggregate, _ rows: [Row]) -> ReferenceCell {
        guard let operand = aggregate.operand else { return .integer(Int64(rows.count)) }
        var found: [ReferenceCell] = []
        for row in rows {
            let elements = ReferenceTotals.elements(value(operand, row))
            let taken = elements.filter { !aggregate.function.takesNumbers || $0.nearestDouble != nil }
            if taken.count < elements.count { errors += 1 }
            found += taken
        }
        return ReferenceTotals.result(aggregate.function, found)
    }

    /// By size, if asked, and by the keys; a Boolean is before the number that it equals. [NSP-511]
    private static func order(_ left: Group, _ right: Group, _ isLargestFirst: Bool) -> Int {
        if isLargestFirst, left.rows.count != right.rows.count { return left.rows.count > right.rows.count ? -1 : 1 }
        for (left, right) in zip(left.keys, right.keys) {
            let result = ReferenceOrder().order(left, right)
            if result != 0 { return result }
            if left.isBool != right.isBool { return left.isBool ? -1 : 1 }
        }
        return 0
    }

    // MARK: Order

    mutating func sorted(_ rows: [Written], _ order: [ReferenceQuery.OrderItem]) -> [Written] {
        var keyed: [(row: Written, keys: [ReferenceCell])] = []
        for row in rows { keyed.append((row, values(order.map(\.operand), row.source))) }
        return Self.stable(keyed) { Self.order($0.keys, $1.keys, order) }.map(\.row)
    }

    /// The first rows of each value.
    mutating func first(_ count: Int, of keys: [ReferenceQuery.Operand], _ rows: [Written]) -> [Written] {
        var seen: [[ReferenceCell]] = []
        return rows.filter { row in
            let values = values(keys, row.source)
            guard seen.count(where: { ReferenceEquality.areSame($0, values) }) < count else { return false }
            seen.append(values)
            return true
        }
    }

    private static func order(
        _ left: [ReferenceCell], _ right: [ReferenceCell], _ items: [ReferenceQuery.OrderItem]
    ) -> Int {
        for (index, item) in items.enumerated() {
            let result = item.order(left[index], right[index])
            if result != 0 { return result }
        }
        return 0
    }

    /// Insertion: each element goes behind those that are not after it.
    private static func stable<Element>(_ elements: [Element], _ order: (Element, Element) -> Int) -> [Element] {
        elements.reduce(into: []) { sorted, element in
            let place = sorted.lastIndex { order($0, element) <= 0 }.map { $0 + 1 } ?? 0
            sorted.insert(element, at: place)
        }
    }
}

extension ReferenceQuery.OrderItem {
    /// nil is the least value, unless a place for it is given.
    fileprivate func order(_ left: ReferenceCell, _ right: ReferenceCell) -> Int {
        if let nils, left.isNull != right.isNull { return left.isNull == (nils == .first) ? -1 : 1 }
        let order = ReferenceOrder(fold: options.referenceMode, isNumeric: isNumeric).order(left, right)
        return isDescending ? -order : order
    }
}

// MARK: - Errors about nil

extension ReferenceError {
    /// True for an error that an operand may cause by being nil.
    fileprivate var mayBeAboutNil: Bool {
        let names: [EvaluationErrorName] = [
            .notANumber, .notAnInteger, .notAString, .argumentKind, .notACollection, .emptyCollection,
        ]
        return names.contains(name)
    }
}

extension ExpressionNode {
    /// True if some key in the expression is nil in a row.
    fileprivate func readsNil(in row: [String: PredicateValue]) -> Bool {
        TreeNode.expression(self).readsNil(in: row)
    }
}

extension TreeNode {
    fileprivate func readsNil(in row: [String: PredicateValue]) -> Bool {
        if case .expression(.keyPath(let path)) = self, path.base == nil, case .key(let key)? = path.components.first {
            return ReferenceCell(row[key] ?? .null).isNull
        }
        return children.contains { $0.readsNil(in: row) }
    }
}

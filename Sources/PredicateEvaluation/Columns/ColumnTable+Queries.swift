import PredicateSyntax

extension ColumnTable {
    /// The rows for which the predicate holds: `try table.indices(matching: FormatPredicate("age > 21"))`.
    ///
    /// Throws the error of the first row that has one.
    public func indices(
        matching predicate: some EvaluablePredicate, bindings: Bindings = [:]
    ) throws(EvaluationError) -> [Int] {
        var indices: [Int] = []
        try query(predicate.evaluator().batch(bindings)) { sweep, rows in
            sweep.forEachAccepted(of: rows) { indices.append($0) }
        } each: { row in
            indices.append(row)
        }
        return indices
    }

    /// For how many rows the predicate holds: `try table.count(matching: FormatPredicate("age > 21"))`.
    ///
    /// Throws the error of the first row that has one.
    public func count(
        matching predicate: some EvaluablePredicate, bindings: Bindings = [:]
    ) throws(EvaluationError) -> Int {
        var count = 0
        try query(predicate.evaluator().batch(bindings)) { sweep, _ in
            count += sweep.acceptedCount
        } each: { _ in
            count += 1
        }
        return count
    }

    /// Asks all rows, many at once; `some` is told when that went well, `each` the rows found one by one.
    private func query(
        _ batch: Batch, some: (ColumnSweep, Range<Int>) -> Void, each: (Int) -> Void
    ) throws(EvaluationError) {
        guard batch.programs != nil, let program = program(batch) else {
            for row in 0..<count where try batch.holds(self[row].keyedValue) { each(row) }
            return
        }
        guard let sweep = ColumnSweep(program, batch.slots) else {
            for row in 0..<count where try holds(row, program, batch) { each(row) }
            return
        }
        for start in stride(from: 0, to: count, by: ColumnSweep.width) {
            let rows = start..<min(start + ColumnSweep.width, count)
            if sweep.run(rows) {
                some(sweep, rows)
            } else {
                for row in rows where try holds(row, program, batch) { each(row) }
            }
        }
    }

    private func program(_ batch: Batch) -> Program? {
        var maker = ProgramMaker(.columns(self), batch.hasVariables ? batch.slots : [])
        return maker.program(of: batch.plan) { place in self[place.load(as: Int.self)].keyedValue }
    }

    private func holds(_ row: Int, _ program: Program, _ batch: Batch) throws(EvaluationError) -> Bool {
        try withUnsafePointer(to: row) { (place) throws(EvaluationError) in
            try program.holds(UnsafeRawPointer(place), batch.slots)
        }
    }
}

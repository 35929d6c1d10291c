import PredicateSyntax

extension ColumnTable {
    /// Returns the indices of the rows for which the predicate holds.
    ///
    /// `try table.indices(matching: FormatPredicate("age > 21"))`
    /// - Throws: The ``EvaluationError`` of the first row that has one.
    public func indices(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> [Int] {
        var indices: [Int] = []
        try query(predicate.evaluator(), variables) { sweep, rows in
            sweep.forEachAccepted(of: rows) { indices.append($0) }
        } each: { row in
            indices.append(row)
        }
        return indices
    }

    /// Counts the rows for which the predicate holds: `try table.count(matching: FormatPredicate("age > 21"))`.
    /// - Throws: The ``EvaluationError`` of the first row that has one.
    public func count(
        matching predicate: some EvaluablePredicate, variables: PredicateVariables = [:]
    ) throws(EvaluationError) -> Int {
        var count = 0
        try query(predicate.evaluator(), variables) { sweep, _ in
            count += sweep.acceptedCount
        } each: { _ in
            count += 1
        }
        return count
    }

    private func query(
        _ evaluator: PredicateEvaluator, _ variables: PredicateVariables,
        some: (ColumnSweep, Range<Int>) -> Void, each: (Int) -> Void
    ) throws(EvaluationError) {
        let batch = evaluator.batch(variables)
        var failure: EvaluationError?
        ColumnQuery(self, batch).evaluate(0..<count, batch, some: some) { row, result in
            switch result {
            case .success(let holds): if holds { each(row) }
            case .failure(let error): failure = error
            }
            return failure == nil
        }
        if let failure { throw failure.located(in: evaluator.predicate) }
    }
}

/// A predicate compiled for a table.
struct ColumnQuery: Sendable {
    private let table: ColumnTable
    /// Nil where plans are as fast.
    private let program: Program?

    init(_ table: ColumnTable, _ batch: Batch) {
        self.table = table
        guard batch.programs != nil else {
            program = nil
            return
        }
        var maker = ProgramMaker(.columns(table), batch.hasVariables ? batch.slots : [])
        program = maker.program(of: batch.plan) { place in table[place.load(as: Int.self)].keyedValue }
    }

    /// Evaluates a range of rows that begins at a multiple of ``ColumnSweep/width``. `some` is called for each chunk without
    /// an error; else `each` is called row by row, for as long as it is true.
    func evaluate(
        _ rows: Range<Int>, _ batch: Batch, some: (ColumnSweep, Range<Int>) -> Void,
        each: (Int, Result<Bool, EvaluationError>) -> Bool
    ) {
        let sweep = program.flatMap { ColumnSweep($0, batch.slots) }
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: ColumnSweep.width) {
            let chunk = start..<min(start + ColumnSweep.width, rows.upperBound)
            if let sweep, sweep.run(chunk) {
                some(sweep, chunk)
            } else {
                for row in chunk where !each(row, result(row, batch)) { return }
            }
        }
    }

    private func result(_ row: Int, _ batch: Batch) -> Result<Bool, EvaluationError> {
        Result { () throws(EvaluationError) in
            guard let program else { return try batch.holds(table[row].keyedValue) }
            return try withUnsafePointer(to: row) { (place) throws(EvaluationError) in
                try program.holds(UnsafeRawPointer(place), batch.slots)
            }
        }
    }
}

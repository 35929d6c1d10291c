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
        ColumnQuery(self, batch).ask(0..<count, batch, some: some) { row, answer in
            switch answer {
            case .success(let holds): if holds { each(row) }
            case .failure(let error): failure = error
            }
            return failure == nil
        }
        if let failure { throw failure.located(in: evaluator.predicate) }
    }
}

/// One predicate made ready for a table.
struct ColumnQuery: Sendable {
    private let table: ColumnTable
    /// Nil where plans do as well.
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

    /// Asks the rows of a range, which begins at a multiple of ``ColumnSweep/width``, many at once; `some` is told when
    /// that went well, else `each` of the rows one by one, for as long as it is true.
    func ask(
        _ rows: Range<Int>, _ batch: Batch, some: (ColumnSweep, Range<Int>) -> Void,
        each: (Int, Result<Bool, EvaluationError>) -> Bool
    ) {
        let sweep = program.flatMap { ColumnSweep($0, batch.slots) }
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: ColumnSweep.width) {
            let chunk = start..<min(start + ColumnSweep.width, rows.upperBound)
            if let sweep, sweep.run(chunk) {
                some(sweep, chunk)
            } else {
                for row in chunk where !each(row, answer(row, batch)) { return }
            }
        }
    }

    private func answer(_ row: Int, _ batch: Batch) -> Result<Bool, EvaluationError> {
        Result { () throws(EvaluationError) in
            guard let program else { return try batch.holds(table[row].keyedValue) }
            return try withUnsafePointer(to: row) { (place) throws(EvaluationError) in
                try program.holds(UnsafeRawPointer(place), batch.slots)
            }
        }
    }
}

package import PredicateSyntax

/// A predicate for records of which only the values that it needs are known: each in a slot of its own.
///
/// `age > 21 AND dept.name == "Sales"` asks for the paths `age` and `dept.name`.
///
/// It answers what an instruction can; errors above all are left to the evaluator and the record itself.
package final class FlatEvaluator: Sendable {
    /// The path of keys that each slot stands for.
    package let paths: [[String]]
    private let program: Program

    /// Nil where plans do as well.
    package init?(_ evaluator: PredicateEvaluator) {
        let batch = evaluator.batch([:])
        guard batch.programs != nil else { return nil }
        let layout = FlatLayout()
        var maker = ProgramMaker(.flat(layout), batch.hasVariables ? batch.slots : [])
        guard let program = maker.program(of: batch.plan, { _ in .null }) else { return nil }
        self.program = program
        paths = layout.paths
    }

    /// Whether the predicate holds for the record with these values, one for each path; nil where the record itself
    /// must be asked.
    package func holds(_ slots: UnsafePointer<FlatValue>) -> Bool? {
        switch program.code.baseAddress?.run(UnsafeRawPointer(slots)) {
        case .yes: true
        case .no: false
        case .unknown, nil: nil
        }
    }
}

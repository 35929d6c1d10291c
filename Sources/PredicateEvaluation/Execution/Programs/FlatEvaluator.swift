package import PredicateSyntax

/// A predicate for records of which only the needed values are read, each into a slot of its own.
///
/// `age > 21 AND dept.name == "Sales"` needs the paths `age` and `dept.name`.
///
/// It decides what instructions can; errors above all are left to the evaluator and the record itself.
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

    /// The result for the record with these values, one for each path; nil where the record itself must be evaluated.
    package func holds(_ slots: UnsafePointer<FlatValue>) -> Bool? {
        program.code.baseAddress?.run(UnsafeRawPointer(slots)).decided
    }
}

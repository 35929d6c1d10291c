/// What an operator or a function found wrong, before the plan that called it says where that stands.
///
/// `name < 3`: the operator knows the two values; only the plan knows the number of the comparison.
struct Fault: Error {
    var code: EvaluationError.Code
    /// The operand at fault, counted from the left; nil when they all are.
    var operand: Int?

    init(_ code: EvaluationError.Code, operand: Int? = nil) {
        self.code = code
        self.operand = operand
    }
}

extension EvaluationError {
    /// The fault with its place: the number of the operand at fault, or that of the whole.
    init(_ fault: Fault, operands: [Int], whole: Int) {
        let operand = fault.operand.flatMap { operands.indices.contains($0) ? operands[$0] : nil }
        self.init(fault.code, node: operand ?? whole)
    }

    /// The error with an offending node, if it has none yet.
    func placed(at node: Int) -> EvaluationError {
        EvaluationError(code, node: self.node ?? node)
    }

    /// What a host's closure threw, with its place.
    init(host error: any Error, at node: Int) {
        self.init(Fault(host: error).code, node: node)
    }
}

extension Fault {
    /// What a host's closure threw: an ``EvaluationError`` stays what it is, all else becomes its description.
    init(host error: any Error) {
        switch error {
        case let error as EvaluationError: self.init(error.code)
        case let fault as Fault: self = fault
        default: self.init(.host(String(describing: error)))
        }
    }
}

/// Runs a piece of work whose errors have no place in the tree yet.
@inline(__always)
func faulting<Result>(operand: Int? = nil, _ work: () throws(EvaluationError) -> Result) throws(Fault) -> Result {
    do { return try work() } catch { throw Fault(error.code, operand: operand) }
}

/// An error of an operator or a function, which the plan that called it turns into an ``EvaluationError`` with a node.
///
/// `name < 3`: the operator knows the two values; only the plan knows the node number of the comparison.
struct Fault: Error {
    var code: EvaluationError.Code
    /// The offending operand, counted from the left; nil if all of them are at fault.
    var operand: Int?

    init(_ code: EvaluationError.Code, operand: Int? = nil) {
        self.code = code
        self.operand = operand
    }
}

extension EvaluationError {
    /// Makes an error of a fault: its node is the offending operand, or the whole.
    @inline(never)
    init(_ fault: Fault, operands: [Int], whole: Int) {
        let operand = fault.operand.flatMap { operands.indices.contains($0) ? operands[$0] : nil }
        self.init(fault.code, node: operand ?? whole)
    }

    /// The error with an offending node, if it has none yet.
    @inline(never)
    func placed(at node: Int) -> EvaluationError {
        EvaluationError(code, node: self.node ?? node)
    }

    /// Makes an error of what a closure of the host threw.
    @inline(never)
    init(host error: any Error, of name: String, at node: Int) {
        self.init(Fault(host: error, of: name).code, node: node)
    }
}

extension Fault {
    /// Makes a fault of what a closure of the host threw: an ``EvaluationError`` keeps its code, any other error is kept with
    /// the name of the closure.
    @inline(never)
    init(host error: any Error, of name: String) {
        switch error {
        case let error as EvaluationError: self.init(error.code)
        case let fault as Fault: self = fault
        default: self.init(.host(EvaluationError.HostError(name: name, throwing: error)))
        }
    }
}

/// Runs work whose errors have no node yet.
@inline(__always)
func faulting<Result>(operand: Int? = nil, _ work: () throws(EvaluationError) -> Result) throws(Fault) -> Result {
    do { return try work() } catch { throw Fault(error.code, operand: operand) }
}

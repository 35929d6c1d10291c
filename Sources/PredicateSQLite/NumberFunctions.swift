internal import Foundation
internal import PredicateEvaluation

/// Numeric functions for which SQLite differs from the evaluator.
///
/// A NaN result is NULL, and so is an integer overflow, except in a power, which is then a double.
enum NumberFunctions {
    static func real(_ operation: @escaping (Double) -> Double) -> FunctionBody {
        { $0.return(operation($0.double(0))) }
    }

    static func naturalLogarithm(_ call: FunctionCall) { call.return(Foundation.log(call.double(0))) }

    static func decimalLogarithm(_ call: FunctionCall) { call.return(Foundation.log10(call.double(0))) }

    static func exponential(_ call: FunctionCall) { call.return(Foundation.exp(call.double(0))) }

    static func divide(_ call: FunctionCall) { call.return(call.double(0) / call.double(1)) }

    static func remainder(_ call: FunctionCall) {
        call.return(call.double(0).truncatingRemainder(dividingBy: call.double(1)))
    }

    static func power(_ call: FunctionCall) {
        call.return(number(call, 0).power(number(call, 1)))
    }

    static func absolute(_ call: FunctionCall) {
        call.return(try? number(call, 0).magnitude())
    }

    private static func number(_ call: FunctionCall, _ position: Int) -> Number {
        call.storage(position) == .integer ? .integer(call.integer(position)) : .double(call.double(position))
    }
}

extension FunctionCall {
    fileprivate func `return`(_ number: Number?) {
        switch number {
        case .integer(let value): self.return(value)
        case .double(let value): self.return(value)
        case .decimal, nil: returnNull()
        }
    }
}

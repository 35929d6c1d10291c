internal import Foundation
internal import PredicateEvaluation

/// Dates and decimal numbers stored as strings, read as the evaluator reads them.
///
/// Any other string is NULL.
enum ValueFunctions {
    /// `predicates_date("2016-03-02T00:00:00Z")`: seconds since 2001
    static func date(_ call: FunctionCall) {
        switch call.storage(0) {
        case .text:
            guard let date = StoredText.date(call.utf8(0)) else { return call.returnNull() }
            call.return(date.timeIntervalSinceReferenceDate)
        case .integer, .double: call.return(call.double(0))
        case .null, .blob: call.returnNull()
        }
    }

    /// `predicates_decimal_compare("1.10", "1.1")`: -1, 0 or 1
    static func decimalCompare(_ call: FunctionCall) {
        guard let left = decimal(call, 0), let right = decimal(call, 1) else { return call.returnNull() }
        switch left.compare(right) {
        case .less: call.return(Int64(-1))
        case .equal: call.return(Int64(0))
        case .greater: call.return(Int64(1))
        }
    }

    /// `predicates_decimal_double("1.10")`: the nearest double
    static func decimalDouble(_ call: FunctionCall) {
        guard let number = decimal(call, 0) else { return call.returnNull() }
        call.return(number.doubleValue)
    }

    /// `predicates_mixed_kinds(value, 'age')`: the error for a column whose rows hold values of several types
    static func mixedKinds(_ call: FunctionCall, _ fault: FunctionFault) {
        let found =
            switch call.storage(0) {
            case .null: "nil"
            case .integer: "an integer"
            case .double: "a floating-point number"
            case .text: "a string"
            case .blob: "data"
            }
        let error = FunctionError.mixedKinds(column: call.text(1), found: found)
        fault.report(error)
        call.fail(error.message)
    }

    /// The number that a string spells, or the stored number; nil for any other string.
    static func decimal(_ call: FunctionCall, _ position: Int) -> Number? {
        switch call.storage(position) {
        case .text: StoredText.decimal(call.text(position)).map(Number.decimal)
        case .integer: .integer(call.integer(position))
        case .double: StoredText.decimal(call.double(position)).map(Number.decimal) ?? .double(call.double(position))
        case .null, .blob: nil
        }
    }
}

/// Numeric functions for which SQLite differs from the evaluator.
///
/// A NaN result is NULL, and so is an integer overflow. A power that overflows is a double.
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
        if call.storage(0) == .text { return DecimalFunctions.magnitude(call) }
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

internal import CPredicateSQLite
internal import Foundation
internal import PredicateEvaluation

/// Arithmetic on decimal numbers, computed as in memory. A result is a string; an overflow is NULL. A result that is not a
/// number, such as 0 times an infinity in a column of decimal numbers, is an error, because SQLite has no NaN.
///
/// `predicates_decimal_multiply("1.10", 3)`
enum DecimalFunctions {
    typealias Operation = (Number, Number) throws(EvaluationError) -> Number

    static func binary(_ operation: @escaping Operation) -> FunctionBody {
        { call in
            guard let left = call.decimal(0), let right = call.decimal(1) else { return call.returnNull() }
            call.return(decimal: try? operation(left, right))
        }
    }

    /// `predicates_abs("-1.10")`
    static func magnitude(_ call: FunctionCall) {
        call.return(decimal: call.decimal(0).flatMap { try? $0.magnitude() })
    }
}

extension DecimalFunctions {
    /// `predicates_decimal_order("-1.10")`: a string that sorts by its bytes as the number does. Strings that are not numbers
    /// sort after all numbers.
    static func order(_ call: FunctionCall) {
        guard let number = ValueFunctions.decimal(call, 0) else { return call.return("9\(call.text(0))") }
        switch number {
        case .decimal(let value): call.return(sortable(value.description))
        case .integer(let value): call.return(sortable(value.description))
        case .double(let value): call.return(sortable(value.description))
        }
    }

    /// Returns the sign, the place of the first digit that is not 0, and the digits from there on: `6500211` for 1.1. In a
    /// negative number, each digit d is written as 9 - d, and a mark greater than every digit follows the last one.
    private static func sortable(_ number: String) -> String {
        let parts = number.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        let whole = parts[0].drop { $0 == "-" }
        if whole.hasPrefix("inf") { return number.hasPrefix("-") ? "40" : "69" }
        let point = whole.firstIndex(of: ".").map { whole.distance(from: whole.startIndex, to: $0) } ?? whole.count
        let digits = whole.filter { $0 != "." }
        guard let first = digits.firstIndex(where: { $0 != "0" }) else { return "5" }
        let zeros = digits.distance(from: digits.startIndex, to: first)
        let place = 5000 + point - zeros + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        var text = "\(place)" + digits[first...]
        while text.count > 5, text.hasSuffix("0") { text.removeLast() }
        guard number.hasPrefix("-") else { return "6\(text)" }
        return "4" + text.map { "\(9 - ($0.wholeNumberValue ?? 0))" }.joined() + "~"
    }
}

extension FunctionCall {
    /// The number of an argument. A stored integer counts as a decimal number, because the column or the other operand is one.
    fileprivate func decimal(_ position: Int) -> Number? {
        guard let number = ValueFunctions.decimal(self, position) else { return nil }
        if case .integer(let value) = number { return .decimal(Decimal(value)) }
        return number
    }

    fileprivate func `return`(decimal number: Number?) {
        switch number {
        case .decimal(let value): self.return(value.description)
        case .integer(let value): self.return(value)
        case .double(let value) where value.isNaN: fail("the result of decimal arithmetic is not a number")
        case .double(let value): self.return(value)
        case nil: returnNull()
        }
    }
}

/// An aggregate of decimal numbers. NULL is nil, and any string that is not a number makes the statement fail.
///
/// `predicates_decimal_sum(t1."total")`
final class DecimalAggregate: GroupAggregate {
    enum Operation { case sum, average, least, greatest }

    private let operation: Operation
    private var total = NumberTotal()
    private var count = 0
    private var best: Number?
    private var overflows = false

    init(_ operation: Operation) {
        self.operation = operation
    }

    func add(_ call: FunctionCall) {
        count += 1
        if call.isNull(0) { return }
        guard let number = call.decimal(0) else {
            return call.fail("found a string that is not a decimal number")
        }
        switch operation {
        case .sum, .average:
            do throws(EvaluationError) { try total.add(number) } catch { overflows = true }
        case .least: if best.map({ number.compare($0) == .less }) ?? true { best = number }
        case .greatest: if best.map({ number.compare($0) == .greater }) ?? true { best = number }
        }
    }

    func finish(_ call: FunctionCall) { call.return(decimal: result) }

    /// The result; nil after an overflow. An average without rows is nil, and so are extremes without numbers.
    private var result: Number? {
        switch operation {
        case .sum: overflows ? nil : try? total.sum()
        case .average: overflows || count == 0 ? nil : try? total.average(of: count)
        case .least, .greatest: best
        }
    }
}

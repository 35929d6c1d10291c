internal import Foundation
import PredicateSyntax

/// An aggregate of the numbers in a group, computed exactly and rounded once. NULL is ignored; without numbers, the result is
/// NULL. Strings are read as decimal numbers. [NSP-512]
///
/// `predicates_sum(t0."price" * t0."quantity")`
final class NumberAggregate: GroupAggregate {
    enum Operation { case sum, average, median, deviation, percentile }

    private let operation: Operation
    private var total = ExactTotal()
    private var list = NumberList()
    private var percent = 0.0

    init(_ operation: Operation) {
        self.operation = operation
    }

    func add(_ call: FunctionCall) {
        switch operation {
        case .sum, .average: addToTotal(call)
        case .median, .deviation: addToList(call)
        case .percentile:
            percent = call.double(1)
            addToList(call)
        }
    }

    private func addToTotal(_ call: FunctionCall) {
        switch call.storage(0) {
        case .integer: total.add(call.integer(0))
        case .double: total.add(call.double(0))
        case .text: if let number = decimal(call) { _ = total.add(number) }
        case .null, .blob: break
        }
    }

    private func addToList(_ call: FunctionCall) {
        switch call.storage(0) {
        case .integer: list.add(call.integer(0))
        case .double: list.add(call.double(0))
        case .text: if let number = decimal(call) { _ = list.add(number) }
        case .null, .blob: break
        }
    }

    private func decimal(_ call: FunctionCall) -> PredicateValue? {
        if let number = StoredText.decimal(call.text(0)) { return .decimal(number) }
        call.fail("found a string that is not a decimal number")
        return nil
    }

    func finish(_ call: FunctionCall) {
        switch result {
        case .integer(let value): call.return(value)
        case .double(let value): call.return(value)
        // SQLite has no NaN.
        case .decimal(let value) where !value.isNaN: call.return(value.description)
        default: call.returnNull()
        }
    }

    private var result: PredicateValue {
        switch operation {
        case .sum: total.sum
        case .average: total.average.map(PredicateValue.double) ?? .null
        case .median: list.median
        case .deviation: list.deviation
        case .percentile: list.percentile(percent)
        }
    }
}

/// The values of a group as one string, sorted by primary key, because SQLite passes the rows of a group in any order.
///
/// `predicates_joined(t0."name", ', ', t0."id")`
final class JoinedTexts: GroupAggregate {
    private var separator = ""
    private var parts: [(key: Key, text: String)] = []

    func add(_ call: FunctionCall) {
        if call.isNull(0) { return }
        if parts.isEmpty { separator = call.text(1) }
        parts.append((Key(call, 2), call.storage(0) == .double ? Self.text(of: call.double(0)) : call.text(0)))
    }

    func finish(_ call: FunctionCall) {
        if parts.isEmpty { return call.returnNull() }
        call.return(parts.sorted { $0.key < $1.key }.map(\.text).joined(separator: separator))
    }

    /// The number as JSON writes it, as part of the joined string.
    private static func text(of number: Double) -> String {
        number.isFinite ? number.description : number > 0 ? "1e999" : "-1e999"
    }

    /// A primary key in SQLite's order: numbers, strings by bytes, data.
    private enum Key: Comparable {
        case integer(Int64)
        case double(Double)
        case text([UInt8])
        case data([UInt8])

        init(_ call: FunctionCall, _ position: Int) {
            switch call.storage(position) {
            case .integer: self = .integer(call.integer(position))
            case .double: self = .double(call.double(position))
            case .text: self = .text(Array(call.utf8(position)))
            case .blob: self = .data(Array(call.utf8(position)))
            case .null: self = .data([])
            }
        }

        private var rank: Int {
            switch self {
            case .integer, .double: 0
            case .text: 1
            case .data: 2
            }
        }

        static func < (left: Key, right: Key) -> Bool {
            switch (left, right) {
            case (.integer(let left), .integer(let right)): left < right
            case (.double(let left), .double(let right)): left < right
            case (.integer(let left), .double(let right)): Double(left) < right
            case (.double(let left), .integer(let right)): left < Double(right)
            case (.text(let left), .text(let right)), (.data(let left), .data(let right)):
                left.lexicographicallyPrecedes(right)
            default: left.rank < right.rank
            }
        }
    }
}

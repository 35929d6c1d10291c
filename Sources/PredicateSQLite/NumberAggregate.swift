import PredicateSyntax

/// An aggregate of numbers, as `predicate filter` computes it of records: NULL is ignored, and without numbers the result
/// is NULL.
///
/// `predicates_sum(t0."price" * t0."quantity")`
final class NumberAggregate: GroupAggregate {
    enum Operation { case sum, average, median }

    private let operation: Operation
    private var total = ExactTotal()
    private var middle = NumberList()

    init(_ operation: Operation) {
        self.operation = operation
    }

    func add(_ call: FunctionCall) {
        switch (call.storage(0), operation) {
        case (.integer, .median): middle.add(call.integer(0))
        case (.integer, _): total.add(call.integer(0))
        case (.double, .median): middle.add(call.double(0))
        case (.double, _): total.add(call.double(0))
        case (.null, _), (.text, _), (.blob, _): return
        }
    }

    func finish(_ call: FunctionCall) {
        let result: PredicateValue =
            switch operation {
            case .sum: total.sum
            case .average: total.average.map(PredicateValue.double) ?? .null
            case .median: middle.median
            }
        switch result {
        case .integer(let value): call.return(value)
        case .double(let value): call.return(value)
        default: call.returnNull()
        }
    }
}

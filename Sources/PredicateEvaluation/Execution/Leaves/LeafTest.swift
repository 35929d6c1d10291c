import Foundation
import PredicateSyntax
import PredicateText

/// The compiled comparison of a value with a constant, by the kind of the value: `age > 21` of a number, `name == "jo"` of
/// a string.
///
/// Trivial, so that loops copy it without counting references. A kind without a test is unknown, and left to the plan.
struct LeafTest: BitwiseCopyable {
    var integers = IntegerTest()
    var doubles = DoubleTest()
    var dates = DoubleTest()
    var texts = TextTest()
    var lists = ListTest()
    var decidesNumbers = false
    var decidesDates = false
    /// The result for nil.
    var null = LeafResult.unknown

    @inline(__always)
    func result(integer value: Int64) -> LeafResult {
        decidesNumbers ? LeafResult(integers.holds(value)) : .unknown
    }

    @inline(__always)
    func result(bool value: Bool) -> LeafResult {
        result(integer: value ? 1 : 0)
    }

    @inline(__always)
    func result(double value: Double) -> LeafResult {
        decidesNumbers ? LeafResult(doubles.holds(value)) : .unknown
    }

    @inline(__always)
    func result(date value: Date) -> LeafResult {
        decidesDates ? LeafResult(dates.holds(value.timeIntervalSinceReferenceDate)) : .unknown
    }

    @inline(__always)
    func result(text value: String) -> LeafResult {
        withUnsafePointer(to: value) { texts.result(at: $0) }
    }

    /// The result for a value of any kind.
    func result(of value: PredicateValue) -> LeafResult {
        switch value {
        case .null, .nullObject: null
        case .bool(let value): result(bool: value)
        case .integer(let value): result(integer: value)
        case .double(let value): result(double: value)
        case .string(let value): result(text: value)
        case .date(let value): result(date: value)
        case .array(let elements): lists.result(ofValues: elements)
        case .decimal, .data, .uuid, .url, .type, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            .unknown
        }
    }

    func result(ofKeyed value: KeyedValue?) -> LeafResult {
        switch value {
        case .value(let value): result(of: value)
        case .object, .collection, nil: .unknown
        }
    }
}

extension LeafTest {
    /// The test that decides nothing; it never changes and is never freed.
    nonisolated(unsafe) static let undecided: UnsafePointer<LeafTest> = {
        let test = UnsafeMutablePointer<LeafTest>.allocate(capacity: 1)
        test.initialize(to: LeafTest())
        return UnsafePointer(test)
    }()
}

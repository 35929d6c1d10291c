import Foundation
import PredicateSyntax
import PredicateText

/// What a leaf asks of a value, by the kind of the value: `age > 21` of a number, `name == "jo"` of a string.
///
/// What a kind has no answer for is unknown, and left to the plan.
struct LeafTest: BitwiseCopyable {
    var integers = IntegerTest()
    var doubles = DoubleTest()
    var dates = DoubleTest()
    var texts = TextTest()
    var lists = ListTest()
    var knowsNumbers = false
    var knowsDates = false
    /// Of nil.
    var null = Answer.unknown

    /// The answer for an integer.
    @inline(__always)
    func answer(_ value: Int64) -> Answer {
        knowsNumbers ? Answer(integers.holds(value)) : .unknown
    }

    @inline(__always)
    func answer(_ value: Bool) -> Answer {
        answer(Int64(value ? 1 : 0))
    }

    @inline(__always)
    func answer(_ value: Double) -> Answer {
        knowsNumbers ? Answer(doubles.holds(value)) : .unknown
    }

    @inline(__always)
    func answer(_ value: Date) -> Answer {
        knowsDates ? Answer(dates.holds(value.timeIntervalSinceReferenceDate)) : .unknown
    }

    @inline(__always)
    func answer(_ value: String) -> Answer {
        withUnsafePointer(to: value) { texts.answer(at: $0) }
    }

    /// The answer for plain data.
    func answer(_ value: PredicateValue) -> Answer {
        switch value {
        case .null, .nullObject: null
        case .bool(let value): answer(value)
        case .integer(let value): answer(value)
        case .double(let value): answer(value)
        case .string(let value): answer(value)
        case .date(let value): answer(value)
        case .array(let elements): lists.answer(elements)
        case .decimal, .data, .uuid, .url, .type, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            .unknown
        }
    }

    func answer(_ value: KeyedValue?) -> Answer {
        switch value {
        case .value(let value): answer(value)
        case .object, .collection, nil: .unknown
        }
    }
}

/// What a leaf asks of a list: `ANY tags == "swift"`, `tags.@count > 2`.
struct ListTest: BitwiseCopyable {
    enum Mode: UInt8 {
        case unknown
        /// `ANY tags == "swift"`, `"swift" IN tags`
        case any
        /// `ALL tags == "swift"`
        case all
        /// `tags.@count > 2`: how many there are
        case count
        /// `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`: for how many the inner program holds
        case filteredCount
    }

    var mode = Mode.unknown
    var element: UnsafePointer<LeafTest>?
    /// Where the inner program begins.
    var program: UnsafePointer<Instruction>?
    /// The same for elements that may be anything: lists of plain data.
    var valueProgram: UnsafePointer<Instruction>?
    var counts = IntegerTest()

    /// The text of `ANY tags == "swift"`; nil for every other question.
    @inline(__always)
    var soughtText: FlatNeedle? {
        guard mode == .any, let texts = element?.pointee.texts, texts.operation == .equal, !texts.isNegated else {
            return nil
        }
        return texts.needles.first
    }

    /// The text of `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`; nil for every other question.
    @inline(__always)
    var countedPrefix: FlatNeedle? {
        guard mode == .filteredCount, let program, program.pointee.opcode == .prefix, !program.pointee.isNegated,
            program.pointee.whenTrue == Instruction.accept, program.pointee.whenFalse == Instruction.reject
        else { return nil }
        return program.pointee.needle
    }

    /// The answer for elements in place, each of which the element's test is asked by `ask`.
    @inline(__always)
    func answer<Element>(
        _ elements: UnsafeBufferPointer<Element>, _ ask: (UnsafePointer<LeafTest>, UnsafePointer<Element>) -> Answer
    ) -> Answer {
        switch mode {
        case .unknown: return .unknown
        case .count: return Answer(counts.holds(Int64(elements.count)))
        case .any: return quantified(elements, decisive: .yes, ask)
        case .all: return quantified(elements, decisive: .no, ask)
        case .filteredCount:
            let program = Element.self == PredicateValue.self ? valueProgram : program
            return filteredCount(program, UnsafeRawBufferPointer(elements), MemoryLayout<Element>.stride)
        }
    }

    @inline(__always)
    private func quantified<Element>(
        _ elements: UnsafeBufferPointer<Element>, decisive: Answer,
        _ ask: (UnsafePointer<LeafTest>, UnsafePointer<Element>) -> Answer
    ) -> Answer {
        guard let element, var position = elements.baseAddress else {
            return elements.isEmpty ? (decisive == .yes ? .no : .yes) : .unknown
        }
        let end = position + elements.count
        while position < end {
            let answer = ask(element, position)
            if answer == decisive || answer == .unknown { return answer }
            position += 1
        }
        return decisive == .yes ? .no : .yes
    }

    /// The inner program knows the type of the elements, since it was made for the list's.
    private func filteredCount(
        _ program: UnsafePointer<Instruction>?, _ elements: UnsafeRawBufferPointer, _ stride: Int
    ) -> Answer {
        // So many elements are left to the plan, which counts its steps.
        guard let program, elements.count / stride <= 100_000 else { return .unknown }
        var count: Int64 = 0
        guard var position = elements.baseAddress else { return Answer(counts.holds(0)) }
        let end = position + elements.count
        while position < end {
            switch program.run(position) {
            case .yes: count &+= 1
            case .no: break
            case .unknown: return .unknown
            }
            position += stride
        }
        return Answer(counts.holds(count))
    }

    /// The answer for a list of plain data.
    @inline(never)
    func answer(_ elements: [PredicateValue]) -> Answer {
        elements.withUnsafeBufferPointer { elements in
            answer(elements) { test, element in element.withValue { test.pointee.answer($0) } }
        }
    }

    @inline(never)
    func answer(_ elements: [Int]) -> Answer {
        return elements.withUnsafeBufferPointer { elements in
            answer(elements) { $0.pointee.answer(Int64($1.pointee)) }
        }
    }

    @inline(never)
    func answer(_ elements: [Double]) -> Answer {
        return elements.withUnsafeBufferPointer { elements in answer(elements) { $0.pointee.answer($1.pointee) } }
    }
}

extension UnsafePointer<LeafTest> {
    /// The questions to lists that most predicates ask, without a hold on the list.
    @inline(never)
    func answer(_ list: UnsafePointer<[String]>) -> Answer {
        switch pointee.lists.mode {
        case .count: return Answer(pointee.lists.counts.holds(Int64(list.pointee.count)))
        case .any:
            guard let needle = pointee.lists.soughtText else { break }
            return Answer(list.contains(needle))
        case .filteredCount:
            guard let needle = pointee.lists.countedPrefix else { break }
            return Answer(pointee.lists.counts.holds(Int64(list.count(beginningWith: needle))))
        case .unknown, .all: break
        }
        return list.withElements { strings in
            pointee.lists.answer(strings) { $0.pointee.texts.answer(at: $1) }
        }
    }
}

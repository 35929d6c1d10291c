import PredicateSyntax
import PredicateText

/// The compiled test of a list: `ANY tags == "swift"`, `tags.@count > 2`.
///
/// It covers quantifiers and counts over the elements. A list of plain data, strings or numbers is read in place.
struct ListTest: BitwiseCopyable {
    enum Mode: UInt8 {
        case unknown
        /// `ANY tags == "swift"`, `"swift" IN tags`
        case any
        /// `ALL tags == "swift"`
        case all
        /// `tags.@count > 2`
        case count
        /// `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`
        case filteredCount
    }

    var mode = Mode.unknown
    var element: UnsafePointer<LeafTest>?
    /// The start of the bytecode for an element of known type.
    var program: UnsafePointer<Instruction>?
    /// The start of the bytecode for an element of any kind: lists of plain data.
    var valueProgram: UnsafePointer<Instruction>?
    var counts = IntegerTest()

    /// The needle of `ANY tags == "swift"`; nil for any other test.
    @inline(__always)
    var equalNeedle: FlatNeedle? {
        guard mode == .any, let element, element.pointee.texts.operation == .matches,
            element.pointee.texts.match == .equal, !element.pointee.texts.isNegated
        else { return nil }
        return element.pointee.texts.needles.first
    }

    /// The search of `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`; nil for any other test.
    @inline(__always)
    var countedMatch: (match: TextMatch, needle: FlatNeedle)? {
        guard mode == .filteredCount, let program, program.pointee.opcode == .text,
            !program.pointee.isNegated, program.pointee.decidesAll, let needle = program.pointee.needle
        else { return nil }
        return (program.pointee.match, needle)
    }

    /// Returns the result for contiguous elements, each tested by `body`.
    @inline(__always)
    func result<Element>(
        _ elements: UnsafeBufferPointer<Element>,
        _ body: (UnsafePointer<LeafTest>, UnsafePointer<Element>) -> LeafResult
    ) -> LeafResult {
        switch mode {
        case .unknown: return .unknown
        case .count: return LeafResult(counts.holds(Int64(elements.count)))
        case .any: return quantified(elements, deciding: .yes, body)
        case .all: return quantified(elements, deciding: .no, body)
        case .filteredCount:
            let program = Element.self == PredicateValue.self ? valueProgram : program
            return filteredCount(program, UnsafeRawBufferPointer(elements), MemoryLayout<Element>.stride)
        }
    }

    /// Stops at the element that decides.
    @inline(__always)
    private func quantified<Element>(
        _ elements: UnsafeBufferPointer<Element>, deciding: LeafResult,
        _ body: (UnsafePointer<LeafTest>, UnsafePointer<Element>) -> LeafResult
    ) -> LeafResult {
        guard let element, var position = elements.baseAddress else {
            return elements.isEmpty ? (deciding == .yes ? .no : .yes) : .unknown
        }
        let end = position + elements.count
        while position < end {
            let result = body(element, position)
            if result == deciding || result == .unknown { return result }
            position += 1
        }
        return deciding == .yes ? .no : .yes
    }

    /// Longer lists are left to the plan, which counts its steps.
    private func filteredCount(
        _ program: UnsafePointer<Instruction>?, _ elements: UnsafeRawBufferPointer, _ stride: Int
    ) -> LeafResult {
        guard let program else { return .unknown }
        guard let start = elements.baseAddress else { return LeafResult(counts.holds(0)) }
        let length = elements.count / stride
        guard length <= 100_000 else { return .unknown }
        var count: Int64 = 0
        for element in 0..<length {
            switch program.run(start + element &* stride) {
            case .yes: count &+= 1
            case .no: break
            case .unknown: return .unknown
            }
        }
        return LeafResult(counts.holds(count))
    }

    @inline(never)
    func result(ofValues elements: [PredicateValue]) -> LeafResult {
        elements.withUnsafeBufferPointer { elements in
            result(elements) { test, element in element.withValue { test.pointee.result(of: $0) } }
        }
    }

    @inline(never)
    func result(ofIntegers elements: [Int]) -> LeafResult {
        elements.withUnsafeBufferPointer { elements in
            result(elements) { $0.pointee.result(integer: Int64($1.pointee)) }
        }
    }

    @inline(never)
    func result(ofDoubles elements: [Double]) -> LeafResult {
        elements.withUnsafeBufferPointer { elements in
            result(elements) { $0.pointee.result(double: $1.pointee) }
        }
    }
}

extension UnsafePointer<LeafTest> {
    /// Returns the result for a list of strings, without retaining it for the most frequent tests.
    @inline(never)
    func result(ofStrings list: UnsafePointer<[String]>) -> LeafResult {
        switch pointee.lists.mode {
        case .count: return LeafResult(pointee.lists.counts.holds(Int64(list.pointee.count)))
        case .any:
            guard let needle = pointee.lists.equalNeedle else { break }
            return LeafResult(list.contains(needle))
        case .filteredCount:
            guard let (match, needle) = pointee.lists.countedMatch else { break }
            return LeafResult(pointee.lists.counts.holds(Int64(list.count(match, needle))))
        case .unknown, .all: break
        }
        return list.withElements { strings in
            pointee.lists.result(strings) { $0.pointee.texts.result(at: $1) }
        }
    }
}

extension UnsafePointer<[String]> {
    /// Calls `body` with the strings in place.
    @inline(__always)
    func withElements<Result>(_ body: (UnsafeBufferPointer<String>) -> Result) -> Result {
        withValue { $0.withUnsafeBufferPointer(body) }
    }

    /// Returns the number of strings that match a needle.
    @inline(__always)
    func count(_ match: TextMatch, _ needle: FlatNeedle) -> Int {
        match.withTest { count(needle, $0) }
    }

    @inline(__always)
    func count(_ needle: FlatNeedle, _ holds: TextMatch.Test) -> Int {
        withElements { strings in
            guard var string = strings.baseAddress else { return 0 }
            let end = string + strings.count
            var count = 0
            while string < end {
                if string.withBytes({ holds(needle, $0) }) { count &+= 1 }
                string += 1
            }
            return count
        }
    }

    /// Returns true if one of the strings equals the needle.
    @inline(__always)
    func contains(_ needle: FlatNeedle) -> Bool {
        withElements { strings in
            guard var string = strings.baseAddress else { return false }
            let end = string + strings.count
            while string < end {
                if needle.mayEqual(count: string.pointee.utf8.count), string.withBytes({ needle.isEqual(to: $0) }) {
                    return true
                }
                string += 1
            }
            return false
        }
    }
}

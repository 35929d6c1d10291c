import Foundation
import PredicateSyntax

/// The slots of flat records: which path each of them stands for, in the order in which they were asked for.
final class FlatLayout {
    private(set) var paths: [[String]] = []

    func slot(of path: [String]) -> Int {
        if let slot = paths.firstIndex(of: path) { return slot }
        paths.append(path)
        return paths.count - 1
    }
}

/// A slot of a flat record: the object is the first slot.
final class FlatSource: Source {
    private let slot: Int

    init(slot: Int) {
        self.slot = slot
    }

    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        test.answer(object.assumingMemoryBound(to: FlatValue.self)[slot])
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        NumericValue(object.assumingMemoryBound(to: FlatValue.self)[slot])
    }
}

/// The value itself: `$t BEGINSWITH "s"` of an element of a flat list.
final class OwnFlatSource: Source {
    override func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        test.answer(object.assumingMemoryBound(to: FlatValue.self).pointee)
    }

    override func number(_ object: UnsafeRawPointer) -> NumericValue? {
        NumericValue(object.assumingMemoryBound(to: FlatValue.self).pointee)
    }
}

extension UnsafePointer<LeafTest> {
    /// The answer for a value that lies in the input.
    @inline(__always)
    fileprivate func answer(_ value: FlatValue) -> Answer {
        switch value {
        case .opaque: .unknown
        case .null: pointee.null
        case .bool(let value): pointee.answer(value)
        case .integer(let value): pointee.answer(value)
        case .double(let value): pointee.answer(value)
        case .date(let seconds): pointee.answer(Date(timeIntervalSinceReferenceDate: seconds))
        case .text(let bytes): textAnswer(bytes)
        case .list(let elements): listAnswer(elements)
        }
    }

    @inline(__always)
    private func textAnswer(_ bytes: UnsafeBufferPointer<UInt8>) -> Answer {
        let answer = pointee.texts.answer(bytes)
        return answer == .unknown && pointee.texts.operation == .expression ? stringAnswer(bytes) : answer
    }

    /// An expression that only the system's engine knows needs a string.
    @inline(never)
    private func stringAnswer(_ bytes: UnsafeBufferPointer<UInt8>) -> Answer {
        pointee.answer(String(decoding: bytes, as: UTF8.self))
    }

    @inline(never)
    private func listAnswer(_ elements: UnsafeBufferPointer<FlatValue>) -> Answer {
        pointee.lists.answer(elements) { $0.answer($1.pointee) }
    }
}

extension NumericValue {
    /// The number that a flat value is; nil for everything else.
    fileprivate init?(_ value: FlatValue) {
        switch value {
        case .bool(let value): self.init(value)
        case .integer(let value): self.init(value)
        case .double(let value): self.init(value)
        case .null, .date, .text, .list, .opaque: return nil
        }
    }
}

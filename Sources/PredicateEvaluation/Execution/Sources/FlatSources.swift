import Foundation
import PredicateSyntax

/// The slots of flat records: the path of each, in the order of first use.
final class FlatLayout {
    private(set) var paths: [[String]] = []
    private var slots: [[String]: Int] = [:]

    func slot(of path: [String]) -> Int {
        if let slot = slots[path] { return slot }
        slots[path] = paths.count
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

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        test.result(ofFlat: object.assumingMemoryBound(to: FlatValue.self)[slot])
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        NumericValue(object.assumingMemoryBound(to: FlatValue.self)[slot])
    }
}

/// The value itself: `$t BEGINSWITH "s"` of an element of a flat list.
final class OwnFlatSource: Source {
    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        test.result(ofFlat: object.assumingMemoryBound(to: FlatValue.self).pointee)
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        NumericValue(object.assumingMemoryBound(to: FlatValue.self).pointee)
    }
}

extension UnsafePointer<LeafTest> {
    /// The result for a value that lies in the input.
    @inline(__always)
    fileprivate func result(ofFlat value: FlatValue) -> LeafResult {
        switch value {
        case .opaque: .unknown
        case .null: pointee.null
        case .bool(let value): pointee.result(bool: value)
        case .integer(let value): pointee.result(integer: value)
        case .double(let value): pointee.result(double: value)
        case .date(let seconds): pointee.result(date: Date(timeIntervalSinceReferenceDate: seconds))
        case .text(let bytes): textResult(bytes)
        case .list(let elements): listResult(elements)
        }
    }

    @inline(__always)
    private func textResult(_ bytes: UnsafeBufferPointer<UInt8>) -> LeafResult {
        let result = pointee.texts.result(of: bytes)
        return result == .unknown && pointee.texts.operation == .pattern ? stringResult(bytes) : result
    }

    /// A regular expression that the state machine does not decide needs a string.
    @inline(never)
    private func stringResult(_ bytes: UnsafeBufferPointer<UInt8>) -> LeafResult {
        pointee.result(text: String(decoding: bytes, as: UTF8.self))
    }

    @inline(never)
    private func listResult(_ elements: UnsafeBufferPointer<FlatValue>) -> LeafResult {
        pointee.lists.result(elements) { $0.result(ofFlat: $1.pointee) }
    }
}

extension NumericValue {
    /// The number of a flat value; nil for every other value.
    fileprivate init?(_ value: FlatValue) {
        switch value {
        case .bool(let value): self.init(value)
        case .integer(let value): self.init(value)
        case .double(let value): self.init(value)
        case .null, .date, .text, .list, .opaque: return nil
        }
    }
}

import Foundation
package import PredicateSyntax

/// The slots of flat records: the path of each slot, in the order of first use.
package final class FlatLayout {
    package private(set) var paths: [[String]] = []
    private var slots: [[String]: Int] = [:]

    package init(_ paths: [[String]] = []) {
        for path in paths { _ = slot(of: path) }
    }

    package func slot(of path: [String]) -> Int {
        if let slot = slots[path] { return slot }
        slots[path] = paths.count
        paths.append(path)
        return paths.count - 1
    }
}

/// A predicate for flat records: only the values that it needs are read from a record, each into a slot.
///
/// `age > 21 AND dept.name == "Sales"` needs the paths `age` and `dept.name`.
///
/// Instructions decide what they can. If one cannot, the predicate is evaluated for an object with the values of the slots. Every
/// error is left to the evaluator and the record itself.
package final class FlatEvaluator: Sendable {
    /// The key path of each slot.
    package let paths: [[String]]
    private let program: Program?
    private let evaluator: PredicateEvaluator
    private let objects: FlatObjects?

    /// `keys` are all keys of records that the predicate may read; nil if it may read any. Returns nil if plans are as fast.
    package init?(_ evaluator: PredicateEvaluator, keys: Set<String>? = nil) {
        let batch = evaluator.batch([:])
        guard batch.programs != nil else { return nil }
        let layout = FlatLayout()
        var maker = ProgramMaker(.flat(layout), batch.hasVariables ? batch.slots : [])
        program = maker.program(of: batch.plan) { _ in .null }
        objects = keys.map { FlatObjects($0, layout) }
        if program == nil, objects == nil { return nil }
        (self.evaluator, paths) = (evaluator, layout.paths)
    }

    /// Returns the result for a record with these values, one for each path; nil if the record itself must be
    /// evaluated.
    package func holds(_ slots: UnsafePointer<FlatValue>) -> Bool? {
        if let holds = program?.code.baseAddress?.run(UnsafeRawPointer(slots)).decided { return holds }
        return objects?.object(slots).flatMap { try? evaluator.evaluate(with: $0) }
    }
}

/// An expression for flat records: arithmetic on the slots, or the expression's value for an object with the values of the slots.
///
/// `price * quantity`, `month(joined)`
///
/// `@unchecked`: it is immutable after initialization.
package struct FlatExpression: @unchecked Sendable {
    private let evaluator: ExpressionEvaluator
    private let number: ArithmeticComparison?
    private let objects: FlatObjects
    /// The memory of `number`.
    private let arena: Arena

    /// `keys` are all keys of records that the expression may read; their slots are added to the layout.
    package init(_ evaluator: ExpressionEvaluator, keys: Set<String>, _ layout: FlatLayout) {
        self.evaluator = evaluator
        let maker = ProgramMaker(.flat(layout), [])
        (number, arena) = (maker.number(of: evaluator.plan), maker.arena)
        objects = FlatObjects(keys, layout)
    }

    /// Returns the value, which is nil if an operand is nil; nil for an error, or if the record must be read in full.
    package func value(_ slots: UnsafePointer<FlatValue>) -> PredicateValue? {
        if let number = number?.number(of: UnsafeRawPointer(slots)) {
            return number.isDouble ? .double(number.double) : .integer(number.integer)
        }
        return objects.object(slots).flatMap { try? evaluator.valueOrNil(.object($0)) }
    }
}

/// Objects with the values of some slots.
private struct FlatObjects: Sendable {
    private let layout: KeyedRecord.Layout
    private let slots: [Int]

    init(_ keys: Set<String>, _ layout: FlatLayout) {
        let names = keys.sorted()
        self.layout = KeyedRecord.Layout(names, toleratesMissingKeys: true)
        slots = names.map { layout.slot(of: [$0]) }
    }

    /// Returns the object; nil if a slot does not contain the whole value.
    func object(_ values: UnsafePointer<FlatValue>) -> KeyedRecord? {
        var members: [PredicateValue] = []
        members.reserveCapacity(slots.count)
        for slot in slots {
            guard let value = PredicateValue(whole: values[slot]) else { return nil }
            members.append(value)
        }
        return KeyedRecord(layout, members)
    }
}

extension PredicateValue {
    /// Creates the value of a slot; nil for a list or an opaque value.
    package init(flat value: FlatValue) {
        switch value {
        case .null, .list, .opaque: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .date(let value): self = .date(Date(timeIntervalSinceReferenceDate: value))
        case .text(let text): self = .string(String(decoding: text, as: UTF8.self))
        }
    }

    /// Creates the value of a slot; nil if the slot does not contain the whole value.
    package init?(whole value: FlatValue) {
        switch value {
        case .null, .bool, .integer, .double, .date, .text: self.init(flat: value)
        case .list(let elements):
            var values: [PredicateValue] = []
            for element in elements {
                guard let value = PredicateValue(whole: element) else { return nil }
                values.append(value)
            }
            self = .array(values)
        case .opaque: return nil
        }
    }
}

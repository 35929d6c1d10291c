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
///
/// `@unchecked`: it is immutable after initialization.
package final class FlatEvaluator: @unchecked Sendable {
    /// The key path of each slot.
    package let paths: [[String]]
    /// The instructions of the program or, if there is none, one that does not decide.
    private let code: UnsafePointer<Instruction>
    private let program: Program?
    private let arena = Arena()
    private let evaluator: PredicateEvaluator
    private let objects: FlatObjects?

    /// `known` lists all key paths that the predicate may read; nil if it may read any. Their slots are added to the layout.
    /// Returns nil if plans are as fast.
    package init?(_ evaluator: PredicateEvaluator, known: [[String]]? = nil, _ layout: FlatLayout = FlatLayout()) {
        let batch = evaluator.batch([:])
        guard batch.programs != nil else { return nil }
        var maker = ProgramMaker(.flat(layout), batch.hasVariables ? batch.slots : [])
        program = maker.program(of: batch.plan) { _ in .null }
        code = program?.code.baseAddress ?? arena.store(Instruction(.plan))
        objects = known.map { FlatObjects($0, layout) }
        if program == nil, objects == nil { return nil }
        (self.evaluator, paths) = (evaluator, layout.paths)
    }

    /// Returns the result for a record with these values, one for each path; nil if the record itself must be
    /// evaluated.
    package func holds(_ slots: UnsafePointer<FlatValue>) -> Bool? {
        let result = code.run(UnsafeRawPointer(slots))
        return result == .unknown ? evaluate(slots) : result == .yes
    }

    @inline(never)
    private func evaluate(_ slots: UnsafePointer<FlatValue>) -> Bool? {
        objects?.object(slots).flatMap { try? evaluator.evaluate($0) }
    }
}

/// An expression for flat records. An operand computes the value; where it cannot, the expression itself is evaluated for an
/// object with the values of the slots.
///
/// `price * quantity`, `month(joined)`
///
/// `@unchecked`: it is immutable after initialization.
package final class FlatExpression: @unchecked Sendable {
    private let evaluator: ExpressionEvaluator
    private let operand: Unmanaged<FlatOperand>?
    private let objects: FlatObjects
    /// The memory of `operand`.
    private let arena: Arena

    /// `known` lists all key paths that the expression may read; their slots are added to the layout.
    package init(_ evaluator: ExpressionEvaluator, known: [[String]], _ layout: FlatLayout) {
        self.evaluator = evaluator
        let maker = ProgramMaker(.flat(layout), [])
        (operand, arena) = (maker.operand(of: evaluator.plan), maker.arena)
        objects = FlatObjects(known, layout)
    }

    /// Returns the value, which is nil if an operand is nil; opaque if it has no flat form, for an error, or if the record must
    /// be read in full. The bytes of a text are in the slots, in the expression or in `room`.
    package func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue {
        let value = operand?._withUnsafeGuaranteedRef { $0.value(slots, &room) } ?? .opaque
        guard case .opaque = value else { return value }
        return planValue(slots).map { room.store($0) } ?? .opaque
    }

    @inline(never)
    private func planValue(_ slots: UnsafePointer<FlatValue>) -> PredicateValue? {
        objects.object(slots).flatMap { try? evaluator.valueOrNil($0) }
    }
}

/// Objects with the values of some slots.
private final class FlatObjects: Sendable {
    let layout: KeyedRecord.Layout
    /// The members, in the order of the layout.
    private let members: [FlatMember]

    init(_ paths: [[String]], _ layout: FlatLayout) {
        members = FlatMember.all(paths.map { $0[...] }, in: [], layout)
        self.layout = KeyedRecord.Layout(members.map(\.name))
    }

    /// Returns the object, which must not outlive the slots; nil if they do not contain all its values.
    func object(_ slots: UnsafePointer<FlatValue>) -> KeyedValue? {
        members.allSatisfy { $0.isWhole(slots) } ? .object(FlatObject(objects: self, slots: slots)) : nil
    }

    func value(_ key: String, _ slots: UnsafePointer<FlatValue>) -> KeyedValue? {
        layout.slot(of: key).flatMap { members[$0].value(slots)?.keyedValue }
    }
}

/// An object that reads the values of its keys from slots. It is not reference-counted, since one is made for each record.
private struct FlatObject: KeyValueCoding {
    unowned(unsafe) let objects: FlatObjects
    let slots: UnsafePointer<FlatValue>

    func value(forKey key: String) -> KeyedValue? { objects.value(key, slots) }
    var allKeys: [String] { objects.layout.names }
    var toleratesMissingKeys: Bool { true }
}

/// A value in a slot, or a dictionary of the values in its members' slots.
private struct FlatMember: Sendable {
    let name: String
    let slot: Int
    /// The members that are read; none if the value is also read as a whole.
    private let members: [FlatMember]

    /// Returns the members of a value, given the remaining keys of the paths that lead to them.
    static func all(_ rests: [ArraySlice<String>], in path: [String], _ layout: FlatLayout) -> [FlatMember] {
        let groups = Dictionary(grouping: rests) { $0.first ?? "" }
        return groups.keys.sorted().map { name in
            FlatMember(path + [name], (groups[name] ?? []).map { $0.dropFirst() }, layout)
        }
    }

    private init(_ path: [String], _ rests: [ArraySlice<String>], _ layout: FlatLayout) {
        (name, slot) = (path.last ?? "", layout.slot(of: path))
        // Without all members, keys such as `count` could have other values.
        let isWhole = rests.contains { $0.first.map { CollectionKey(rawValue: $0) != nil } ?? true }
        members = isWhole ? [] : Self.all(rests, in: path, layout)
    }

    /// Returns true if the slots contain the whole value, or all members of it that are read.
    func isWhole(_ slots: UnsafePointer<FlatValue>) -> Bool {
        slots[slot].isWhole || isDictionary(slots) && members.allSatisfy { $0.isWhole(slots) }
    }

    /// Returns the value; nil if the slots do not contain it.
    func value(_ slots: UnsafePointer<FlatValue>) -> PredicateValue? {
        guard isDictionary(slots) else { return PredicateValue(whole: slots[slot]) }
        var values = Dictionary<String, PredicateValue>(minimumCapacity: members.count)
        for member in members {
            guard let value = member.value(slots) else { return nil }
            values[member.name] = value
        }
        return .dictionary(values)
    }

    private func isDictionary(_ slots: UnsafePointer<FlatValue>) -> Bool {
        if case .opaque = slots[slot] { !members.isEmpty } else { false }
    }
}

extension FlatValue {
    /// A Boolean value that indicates whether the slot contains the whole value.
    package var isWhole: Bool {
        switch self {
        case .null, .bool, .integer, .double, .date, .text: true
        case .list(let elements): elements.allSatisfy(\.isWhole)
        case .opaque: false
        }
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

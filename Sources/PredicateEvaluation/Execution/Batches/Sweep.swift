import PredicateText

/// The vectorized execution of bytecode over a batch of objects: instruction by instruction, each in a loop over its
/// selection vector, where that is quicker than all instructions for each object.
final class Sweep {
    /// The size of a batch: few enough objects for their fields to stay in the cache.
    static let width = 512

    private let selections: SelectionVectors
    private let program: Program
    private let slots: [EvaluationContext.Slot]
    /// Memory for values that are copied out of objects, where any are.
    private let copies: UnsafeMutableRawPointer?

    /// Nil for a program that is better run object by object.
    init?(_ program: Program, _ slots: [EvaluationContext.Slot]) {
        guard !Self.isScattered(program), let selections = SelectionVectors(program) else { return nil }
        self.selections = selections
        self.program = program
        self.slots = slots
        let sizes = program.code.compactMap { $0.routed?.takeUnretainedValue().route.size }
        copies = sizes.max().map { .allocate(byteCount: $0, alignment: 16) }
    }

    deinit {
        copies?.deallocate()
    }

    /// True if several leaves fetch values object by object, of a dictionary, say: what one leaf brought into the cache is
    /// gone when the next one comes to the same object.
    private static func isScattered(_ program: Program) -> Bool {
        program.code.count > 1
            && program.code.contains { instruction in
                if instruction.routed != nil { return false }
                switch instruction.opcode.family {
                case .fetched: return true
                case .numeric: return instruction.numeric?._withUnsafeGuaranteedRef(\.isFetching) ?? false
                case .stored, .arithmetic, .plan: return false
                }
            }
    }

    /// The number of objects for which the predicate holds, once ``run(_:_:stride:)`` has been true.
    var acceptedCount: Int { selections.acceptedCount }

    /// The objects for which the predicate holds, in their order, once ``run(_:_:stride:)`` has been true.
    var accepted: UnsafeBufferPointer<UInt16> { selections.accepted }

    /// Evaluates objects at a constant stride, at most ``width``. False where one of them ends in an error: the first one
    /// is then found object by object.
    func run(_ objects: UnsafeRawPointer, _ count: Int, stride: Int) -> Bool {
        let objects = ObjectAddresses(start: objects, stride: stride)
        return selections.run(count) { step, split in execute(step, objects, &split) }
    }

    private func execute(
        _ step: UnsafePointer<Instruction>, _ objects: ObjectAddresses, _ split: inout SelectionSplit
    ) -> Bool {
        guard let routed = step.pointee.routed else { return executeInPlace(step, objects, &split) }
        return routed._withUnsafeGuaranteedRef { execute($0, objects, &split) }
    }

    /// Tests values that are read by code of their own: copies of them, but lists where they lie.
    private func execute(_ routed: RoutedInstruction, _ objects: ObjectAddresses, _ split: inout SelectionSplit) -> Bool
    {
        let (route, step) = (routed.route, routed.instruction)
        guard let copies, let found = route.copies(of: objects, split.selection, split.count, in: copies) else {
            guard let access = route.visited else { return false }
            testLists(step.pointee, VisitedObjects(objects, access), &split)
            return true
        }
        var dense = split.dense
        defer {
            route.release(copies, split.count)
            split.take(dense)
        }
        guard let access = route.visited else { return executeInPlace(step, found, &dense) }
        testLists(step.pointee, VisitedObjects(found, access), &dense)
        return true
    }

    /// A function of its own: among other code its loops would find too few registers.
    @inline(never)
    private func executeInPlace(
        _ step: UnsafePointer<Instruction>, _ objects: ObjectAddresses, _ split: inout SelectionSplit
    ) -> Bool {
        let instruction = step.pointee
        let offset = instruction.offset
        switch instruction.opcode {
        case .integer:
            let range = IntegerRange(instruction)
            objects.partition(&split, at: offset) { range.holds(at: $0) }
        case .bool:
            let results = BoolResults(instruction)
            objects.partition(&split, at: offset) { results.holds(at: $0) }
        case .double:
            let range = DoubleRange(instruction)
            objects.partition(&split, at: offset) { range.holds(at: $0) }
        case .arithmetic:
            objects.partition(&split, at: offset) { instruction.holds(arithmeticOn: $0.load(as: Double.self)) }
        case .text(let match): testTexts(instruction, match, objects, &split)
        case .member, .otherText: return testOtherTexts(step, objects, &split)
        case .count, .anyEqual, .matchCount: testLists(instruction, objects, &split)
        case .pattern, .stored, .otherList, .fetched, .numeric, .plan: return executeEach(step, objects, &split)
        }
        return true
    }

    /// A loop for each text operation.
    private func testTexts(
        _ instruction: Instruction, _ match: TextMatch, _ objects: ObjectAddresses, _ split: inout SelectionSplit
    ) {
        guard let needle = instruction.needle else { return }
        let texts = Texts(objects, instruction)
        switch match {
        case .equal: texts.partition(&split, needle) { $0.isEqual(to: $1) }
        case .beginsWith: texts.partition(&split, needle) { $0.isPrefix(of: $1) }
        case .endsWith: texts.partition(&split, needle) { $0.isSuffix(of: $1) }
        case .contains: texts.partition(&split, needle) { $0.isContained(in: $1) }
        case .like: texts.partition(&split, needle) { $0.fits($1) }
        }
    }

    private func testOtherTexts(
        _ step: UnsafePointer<Instruction>, _ objects: ObjectAddresses, _ split: inout SelectionSplit
    ) -> Bool {
        let test = step.pointee.test.pointee.texts
        guard let needle = step.pointee.needle else { return executeEach(step, objects, &split) }
        let texts = Texts(objects, step.pointee)
        switch test.operation {
        case .member: texts.partition(&split, needle) { test.hasMember($1) }
        case .compared: texts.partition(&split, needle) { test.admits($0.order(of: $1)) }
        case .unknown, .constant, .matches, .pattern: return executeEach(step, objects, &split)
        }
        return true
    }

    private func testLists(_ instruction: Instruction, _ lists: some BatchValues, _ split: inout SelectionSplit) {
        let offset = instruction.offset
        switch (instruction.opcode, instruction.needle) {
        case (.anyEqual, let needle?):
            lists.partition(&split, at: offset) { $0.assumingMemoryBound(to: [String].self).contains(needle) }
        case (.matchCount(let match), let needle?):
            lists.partition(&split, at: offset) {
                let count = $0.assumingMemoryBound(to: [String].self).count(match, needle)
                return instruction.holds(integer: Int64(count))
            }
        case (_, _):
            lists.partition(&split, at: offset) {
                instruction.holds(integer: Int64($0.assumingMemoryBound(to: [String].self).pointee.count))
            }
        }
    }

    /// Executes an instruction without a loop of its own, object by object. False for an error.
    @inline(never)
    private func executeEach(
        _ step: UnsafePointer<Instruction>, _ objects: ObjectAddresses, _ split: inout SelectionSplit
    ) -> Bool {
        var isRight = true
        objects.partition(&split, at: 0) { object in
            switch step.result(for: object) {
            case .no: return false
            case .yes: return true
            case .unknown:
                guard isRight, step.pointee.plan != Instruction.noPlan,
                    let result = try? program.evaluatePlan(of: step, object, slots)
                else {
                    isRight = false
                    return false
                }
                return result
            }
        }
        return isRight
    }
}

/// The strings that one instruction tests.
private struct Texts {
    private let objects: ObjectAddresses
    private let offset: Int
    private let isNegated: Bool

    init(_ objects: ObjectAddresses, _ instruction: Instruction) {
        self.objects = objects
        offset = instruction.offset
        isNegated = instruction.isNegated
    }

    /// One loop for each test, in a function of its own: in a larger one the compiler would not unroll it.
    @inline(never)
    func partition(
        _ split: inout SelectionSplit, _ needle: FlatNeedle,
        _ holds: (FlatNeedle, UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        objects.partition(&split, at: offset) { address in
            address.assumingMemoryBound(to: String.self).withBytes { holds(needle, $0) } != isNegated
        }
    }
}

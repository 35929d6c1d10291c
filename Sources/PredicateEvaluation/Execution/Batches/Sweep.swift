import PredicateText

/// The vectorized execution of bytecode over a batch of objects: instruction by instruction, each in a loop over its
/// selection vector, where that is quicker than all instructions for each object.
final class Sweep {
    /// The size of a batch: few enough objects for their fields to stay in the cache.
    static let width = 512

    private let selections: SelectionVectors
    private let pair: FusedPair?
    private let program: Program
    private let slots: [EvaluationContext.Slot]
    /// Memory for values that are copied out of objects, where any are.
    private let copies: UnsafeMutableRawPointer?

    /// Nil for a program that is better run object by object.
    init?(_ program: Program, _ slots: [EvaluationContext.Slot]) {
        guard !Self.isScattered(program), let selections = SelectionVectors(program) else { return nil }
        self.selections = selections
        pair = FusedPair(program.code)
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
        return selections.run(count, fused: pair == nil ? 0 : 1) { number, step, split in
            guard number == 0, let pair else { return execute(step, objects, &split) }
            execute(pair, step, objects, &split)
            return true
        }
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

    private func executeInPlace(
        _ step: UnsafePointer<Instruction>, _ objects: ObjectAddresses, _ split: inout SelectionSplit
    ) -> Bool {
        let offset = step.pointee.offset
        switch step.pointee.opcode {
        case .integer: testNumbers(IntegerRange(step.pointee), objects, at: offset, &split)
        case .bool: testNumbers(BoolResults(step.pointee), objects, at: offset, &split)
        case .double: testNumbers(DoubleRange(step.pointee), objects, at: offset, &split)
        case .doubleAroundZero: testNumbers(DoubleRangeAroundZero(step.pointee), objects, at: offset, &split)
        case .arithmetic: testNumbers(ArithmeticRange(step.pointee), objects, at: offset, &split)
        case .text: testTexts(step.pointee, after: NoLeadingTest(), objects, &split)
        case .member, .otherText: return testOtherTexts(step, objects, &split)
        case .count, .anyEqual, .matchCount: testLists(step.pointee, objects, &split)
        case .pattern, .stored, .otherList, .fetched, .numeric, .plan: return executeEach(step, objects, &split)
        }
        return true
    }

    /// A function of its own: among other code its loop would find too few registers.
    @inline(never)
    private func testNumbers(
        _ comparison: some NumberComparison, _ objects: ObjectAddresses, at offset: Int, _ split: inout SelectionSplit
    ) {
        objects.partition(&split, at: offset) { comparison.holds(at: $0) }
    }

    /// Executes two fused instructions.
    private func execute(
        _ pair: FusedPair, _ step: UnsafePointer<Instruction>, _ objects: ObjectAddresses,
        _ split: inout SelectionSplit
    ) {
        func test(_ comparison: some NumberComparison) {
            let leading = LeadingNumber(comparison: comparison, offset: step.pointee.offset, deciding: pair.deciding)
            testTexts(step[1], after: leading, objects, &split)
        }
        switch pair.number {
        case .integer: test(IntegerRange(step.pointee))
        case .bool: test(BoolResults(step.pointee))
        case .double: test(DoubleRange(step.pointee))
        case .doubleAroundZero: test(DoubleRangeAroundZero(step.pointee))
        }
    }

    private func testTexts(
        _ instruction: Instruction, after leading: some LeadingTest, _ objects: ObjectAddresses,
        _ split: inout SelectionSplit
    ) {
        guard let needle = instruction.needle else { return }
        let texts = Texts(objects, instruction)
        instruction.match.withTest { holds in texts.partition(&split, needle, after: leading, holds) }
    }

    private func testOtherTexts(
        _ step: UnsafePointer<Instruction>, _ objects: ObjectAddresses, _ split: inout SelectionSplit
    ) -> Bool {
        let test = step.pointee.test.pointee.texts
        guard let needle = step.pointee.needle else { return executeEach(step, objects, &split) }
        let texts = Texts(objects, step.pointee)
        switch test.operation {
        case .member: texts.partition(&split, needle, after: NoLeadingTest()) { test.hasMember($1) }
        case .compared: texts.partition(&split, needle, after: NoLeadingTest()) { test.admits($0.order(of: $1)) }
        case .unknown, .constant, .matches, .pattern: return executeEach(step, objects, &split)
        }
        return true
    }

    private func testLists(_ instruction: Instruction, _ lists: some BatchValues, _ split: inout SelectionSplit) {
        let (offset, range) = (instruction.offset, IntegerRange(instruction))
        guard let needle = instruction.needle else {
            lists.partition(&split, at: offset) {
                range.contains(Int64($0.assumingMemoryBound(to: [String].self).pointee.count))
            }
            return
        }
        if instruction.opcode == .anyEqual {
            lists.partition(&split, at: offset) { $0.assumingMemoryBound(to: [String].self).contains(needle) }
        } else {
            instruction.match.withTest { holds in
                lists.partition(&split, at: offset) {
                    range.contains(Int64($0.assumingMemoryBound(to: [String].self).count(needle, holds)))
                }
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
        _ split: inout SelectionSplit, _ needle: FlatNeedle, after leading: some LeadingTest, _ holds: TextMatch.Test
    ) {
        objects.partition(&split, at: 0) { object in
            if let result = leading.result(for: object) { return result }
            let text = (object + offset).assumingMemoryBound(to: String.self)
            return text.withBytes { holds(needle, $0) } != isNegated
        }
    }
}

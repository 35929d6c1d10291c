import PredicateText

/// The vectorized execution of bytecode over a batch of objects. Each instruction runs as a loop over its selection
/// vector, where that is faster than running all instructions for each object.
final class Sweep {
    /// The size of a batch: small enough for the objects' fields to stay in the cache.
    static let width = 512

    private let selections: SelectionVectors
    private let pair: FusedPair?
    private let program: Program
    private let slots: [EvaluationContext.Slot]
    /// Memory for values that are copied out of objects, if there are any.
    private let copies: UnsafeMutableRawPointer?

    /// Nil for a program that runs faster object by object.
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

    /// Returns true if several leaves fetch values object by object, for example from a dictionary. What one leaf
    /// loads into the cache is evicted before the next leaf reaches the same object.
    private static func isScattered(_ program: Program) -> Bool {
        program.code.count > 1
            && program.code.contains { instruction in
                if instruction.routed != nil { return false }
                return instruction.source != nil
                    || instruction.numeric?._withUnsafeGuaranteedRef(\.isFetching) ?? false
            }
    }

    /// The number of matching objects; valid once ``run(_:_:stride:)`` has returned true.
    var acceptedCount: Int { selections.acceptedCount }

    /// The matching objects in order; valid once ``run(_:_:stride:)`` has returned true.
    var accepted: UnsafeBufferPointer<UInt16> { selections.accepted }

    /// Evaluates at most ``width`` objects at a constant stride. Returns false if the evaluation of one of them fails;
    /// evaluating object by object then finds the first failure.
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

    /// Tests values that are read through accessors: copies of them, or lists in place.
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
        case .arithmetic: testNumbers(ArithmeticRange(step.pointee), objects, at: offset, &split)
        case .text: testTexts(step.pointee, after: NoLeadingTest(), objects, &split)
        case .member, .otherText: return testOtherTexts(step, objects, &split)
        case .count, .anyEqual, .matchCount: testLists(step.pointee, objects, &split)
        case .pattern, .stored, .otherList, .fetched, .numeric, .plan: return executeEach(step, objects, &split)
        }
        return true
    }

    /// A separate function: in a larger one the loop would run out of registers.
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

    /// Executes an instruction without a loop of its own, object by object. Returns false for an error.
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

/// The strings that an instruction tests.
private struct Texts {
    private let objects: ObjectAddresses
    private let offset: Int
    private let isNegated: Bool

    init(_ objects: ObjectAddresses, _ instruction: Instruction) {
        self.objects = objects
        offset = instruction.offset
        isNegated = instruction.isNegated
    }

    /// One loop for each test, in a separate function: in a larger one the compiler would not unroll it.
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

// MARK: - Selection vectors

/// The selection vectors of a vectorized batch: for each instruction, the indices of the objects that reach it.
///
/// `age > 21 AND name BEGINSWITH "jo"`: first the ages of all objects, then the names of the objects that are old enough.
///
/// All jumps are forward, so one pass over the instructions empties all vectors.
final class SelectionVectors {
    private let program: Program
    /// For each instruction the list of its objects, followed by the lists of accepted and rejected objects and room
    /// for one result.
    private let lists: UnsafeMutablePointer<UInt16>
    private let counts: UnsafeMutablePointer<Int>
    private let listCount: Int
    /// True if a list is filled by several instructions and is therefore unordered.
    private let isMixed: Bool

    /// The maximum number of instructions: longer programs are not worth the memory for their vectors.
    private static let most = 64

    /// Nil for a program that runs faster object by object.
    init?(_ program: Program) {
        guard program.code.count <= Self.most else { return nil }
        self.program = program
        listCount = program.code.count + 3
        isMixed = Self.isMixed(program)
        lists = .allocate(capacity: listCount * Sweep.width)
        counts = .allocate(capacity: listCount)
        counts.initialize(repeating: 0, count: listCount)
    }

    deinit {
        lists.deallocate()
        counts.deallocate()
    }

    /// The number of matching objects; valid once ``run(_:_:)`` has returned true.
    var acceptedCount: Int { counts[acceptList] }

    /// The matching objects in order; valid once ``run(_:_:)`` has returned true.
    var accepted: UnsafeBufferPointer<UInt16> {
        if isMixed { putInOrder() }
        return UnsafeBufferPointer(start: list(acceptList), count: counts[acceptList])
    }

    /// Sorts the accepted indices, which are distinct.
    private func putInOrder() {
        let accepted = list(acceptList)
        let marks = list(spareList)
        marks.update(repeating: 0, count: Sweep.width)
        for index in 0..<counts[acceptList] { marks[Int(accepted[index])] = 1 }
        var end = accepted
        for number in 0..<Sweep.width where marks[number] != 0 {
            end.pointee = UInt16(truncatingIfNeeded: number)
            end += 1
        }
    }

    private static func isMixed(_ program: Program) -> Bool {
        var seen: Set<Int32> = []
        for instruction in program.code {
            for target in [instruction.whenTrue, instruction.whenFalse] where target != Instruction.reject {
                if !seen.insert(target).inserted { return true }
            }
        }
        return false
    }

    private var acceptList: Int { listCount &- 3 }
    private var rejectList: Int { listCount &- 2 }
    private var spareList: Int { listCount &- 1 }

    private func list(_ number: Int) -> UnsafeMutablePointer<UInt16> {
        lists + number &* Sweep.width
    }

    private func listNumber(_ target: Int32) -> Int {
        target >= 0 ? Int(target) : target == Instruction.accept ? acceptList : rejectList
    }

    /// Lets `execute` split the list of each instruction; returns false as soon as it reports an error. The first
    /// instruction is executed together with the `fused` instructions after it.
    @inline(__always)
    func run(
        _ count: Int, fused: Int, _ execute: (Int, UnsafePointer<Instruction>, inout SelectionSplit) -> Bool
    ) -> Bool {
        counts.update(repeating: 0, count: listCount)
        guard let code = program.code.baseAddress else { return false }
        for number in 0..<program.code.count {
            let own = number > 0 ? list(number) : nil
            let length = number > 0 ? counts[number] : count
            if length == 0 { continue }
            let step = code + number
            let last = number > 0 ? step : step + fused
            let whenTrue = listNumber(last.pointee.whenTrue)
            var whenFalse = listNumber(last.pointee.whenFalse)
            if whenTrue == whenFalse { whenFalse = spareList }
            var split = SelectionSplit(
                selection: UnsafePointer(own), count: length, whenTrue: list(whenTrue) + counts[whenTrue],
                whenFalse: list(whenFalse) + counts[whenFalse])
            guard execute(number, step, &split) else { return false }
            setCounts(split, whenTrue, whenFalse)
        }
        return true
    }

    /// Stores the new lengths of the lists; both results may go to the same list.
    private func setCounts(_ split: SelectionSplit, _ whenTrue: Int, _ whenFalse: Int) {
        counts[whenTrue] = split.whenTrue - list(whenTrue)
        guard whenFalse == spareList else {
            counts[whenFalse] = split.whenFalse - list(whenFalse)
            return
        }
        let spare = list(spareList)
        let more = split.whenFalse - spare
        split.whenTrue.update(from: spare, count: more)
        counts[whenTrue] &+= more
    }
}

/// A selection vector that a test splits into two.
struct SelectionSplit {
    /// The indices of the objects; nil for the first `count` objects.
    let selection: UnsafePointer<UInt16>?
    let count: Int
    /// The ends of the vectors for the two results.
    var whenTrue: UnsafeMutablePointer<UInt16>
    var whenFalse: UnsafeMutablePointer<UInt16>

    /// The same objects, numbered by their position in the selection.
    var dense: SelectionSplit {
        SelectionSplit(selection: nil, count: count, whenTrue: whenTrue, whenFalse: whenFalse)
    }

    /// Takes over the results of ``dense``.
    mutating func take(_ dense: SelectionSplit) {
        if let selection {
            for index in whenTrue..<dense.whenTrue { index.pointee = selection[Int(index.pointee)] }
            for index in whenFalse..<dense.whenFalse { index.pointee = selection[Int(index.pointee)] }
        }
        (whenTrue, whenFalse) = (dense.whenTrue, dense.whenFalse)
    }

    /// Appends an index to the vector of its result. It writes to both vectors and advances one, so there is no
    /// branch to mispredict.
    @inline(__always)
    mutating func add(_ index: UInt16, _ result: Bool) {
        whenTrue.pointee = index
        whenFalse.pointee = index
        whenTrue += result ? 1 : 0
        whenFalse += result ? 0 : 1
    }

    /// Tests each index.
    @inline(__always)
    mutating func forEachRow(_ holds: (Int) -> Bool) {
        var split = self
        if let selection {
            for index in 0..<count { split.add(selection[index], holds(Int(selection[index]))) }
        } else {
            for index in 0..<count { split.add(UInt16(truncatingIfNeeded: index), holds(index)) }
        }
        self = split
    }
}

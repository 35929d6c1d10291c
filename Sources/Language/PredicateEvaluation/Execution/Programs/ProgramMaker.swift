import PredicateSyntax
import PredicateText

/// Compiles the plans of a predicate to bytecode for objects of one type.
///
/// AND and OR become jumps, and NOT swaps them. A comparison that an instruction can decide becomes that instruction; any other
/// comparison becomes an instruction that evaluates its plan. In a chain, cheap comparisons move forward, but never past one
/// that may fail.
struct ProgramMaker {
    let subject: Subject
    /// The values of variables, if they are the same for all objects.
    let slots: [EvaluationContext.Slot]
    /// The slot that represents the object itself: the variable of a `SUBQUERY`.
    var elementSlot: Int?
    let arena = Arena()

    private var code: [Instruction] = []
    private var plans: [any PredicatePlan] = []
    /// The targets of jumps; labels are made before their target is known.
    private var labels: [Int32] = [Instruction.accept, Instruction.reject]
    /// The instruction made for each leaf. It is cached, since ordering a chain needs an instruction's cost before the
    /// instruction is emitted.
    private var made: [ObjectIdentifier: Instruction] = [:]

    init(_ subject: Subject, _ slots: [EvaluationContext.Slot], elementSlot: Int? = nil) {
        self.subject = subject
        self.slots = slots
        self.elementSlot = elementSlot
    }

    /// Returns the program; nil if it would only evaluate plans.
    mutating func program(
        of plan: any PredicatePlan, _ keyedValue: @escaping (UnsafeRawPointer) -> KeyedValue
    ) -> Program? {
        emit(plan, Self.accept, Self.reject)
        guard code.contains(where: { $0.opcode != .plan }), code.count <= Self.most else { return nil }
        for index in code.indices {
            code[index].whenTrue = labels[Int(code[index].whenTrue)]
            code[index].whenFalse = labels[Int(code[index].whenFalse)]
        }
        return Program(code, plans, arena, keyedValue)
    }

    /// True if every instruction has a test of its own.
    var isSelfContained: Bool { !code.isEmpty && code.allSatisfy { $0.opcode != .plan } }

    /// Longer programs are left to their plans.
    private static let most = 10_000
    private static let accept = 0
    private static let reject = 1

    private mutating func newLabel() -> Int {
        labels.append(Instruction.reject)
        return labels.count - 1
    }

    private mutating func setTarget(_ label: Int) {
        labels[label] = Int32(truncatingIfNeeded: code.count)
    }

    /// Emits the code of a plan, which jumps to one of two labels.
    private mutating func emit(_ plan: any PredicatePlan, _ whenTrue: Int, _ whenFalse: Int) {
        switch plan.shape {
        case .all(let subplans): emit(ordered(subplans), whenTrue, whenFalse, isConjunction: true)
        case .any(let subplans): emit(ordered(subplans), whenTrue, whenFalse, isConjunction: false)
        case .not(let subplan): emit(subplan, whenFalse, whenTrue)
        case .constant, .comparison, .quantified, .opaque: emit(leaf: plan, whenTrue, whenFalse)
        }
    }

    private mutating func emit(
        _ subplans: [any PredicatePlan], _ whenTrue: Int, _ whenFalse: Int, isConjunction: Bool
    ) {
        for subplan in subplans.dropLast() {
            let next = newLabel()
            if isConjunction { emit(subplan, next, whenFalse) } else { emit(subplan, whenTrue, next) }
            setTarget(next)
        }
        if let last = subplans.last { emit(last, whenTrue, whenFalse) }
    }

    private mutating func emit(leaf plan: any PredicatePlan, _ whenTrue: Int, _ whenFalse: Int) {
        var instruction = instruction(for: plan)
        instruction.whenTrue = Int32(truncatingIfNeeded: whenTrue)
        instruction.whenFalse = Int32(truncatingIfNeeded: whenFalse)
        instruction.plan = Int32(truncatingIfNeeded: plans.count)
        plans.append(plan)
        code.append(instruction)
    }

    private mutating func instruction(for plan: any PredicatePlan) -> Instruction {
        let key = ObjectIdentifier(plan)
        if let instruction = made[key] { return instruction }
        let instruction = makeInstruction(for: plan)
        made[key] = instruction
        return instruction
    }

    /// Returns the members of a chain, cheap ones first, but none moved past a member that may fail.
    private mutating func ordered(_ subplans: [any PredicatePlan]) -> [any PredicatePlan] {
        guard subplans.count <= 64 else { return subplans }
        let costs = subplans.map { cost(of: $0) }
        var ordered: [any PredicatePlan] = []
        var run: [(plan: any PredicatePlan, cost: Int)] = []
        for (subplan, cost) in zip(subplans, costs) {
            if let cost {
                run.insert((subplan, cost), at: run.firstIndex { $0.cost > cost } ?? run.endIndex)
            } else {
                ordered += run.map(\.plan) + [subplan]
                run = []
            }
        }
        return ordered + run.map(\.plan)
    }

    /// Returns the cost of a comparison that decides every value; nil for a comparison that may fail, and for chains.
    private mutating func cost(of plan: any PredicatePlan) -> Int? {
        switch plan.shape {
        case .not(let subplan): cost(of: subplan)
        case .comparison: instruction(for: plan).cost
        case .constant, .all, .any, .quantified, .opaque: nil
        }
    }
}

extension Instruction {
    /// The relative cost; nil for an instruction that may leave a value to its plan, and for lists.
    fileprivate var cost: Int? {
        switch opcode {
        case .integer, .bool, .double: 0
        case .arithmetic: 1
        case .text: match == .contains ? 4 : match == .like ? 3 : 2
        case .member: 2
        case .otherText, .stored: type.isTotal(test.pointee) ? test.pointee.cost(of: type) : nil
        case .fetched, .pattern, .count, .anyEqual, .matchCount, .otherList, .numeric, .plan: nil
        }
    }
}

extension LeafTest {
    fileprivate func cost(of type: StoredType) -> Int {
        if type != .string { return 1 }
        return texts.operation == .member ? 2 : 3
    }
}

extension ProgramMaker {
    /// Makes the instruction for a leaf of the predicate: one that decides it, or one that evaluates its plan.
    func makeInstruction(for plan: any PredicatePlan) -> Instruction {
        switch plan.shape {
        case .comparison(let plan): comparison(plan) ?? Instruction(.plan)
        case .quantified(let plan): quantified(plan) ?? Instruction(.plan)
        case .constant(let result): constant(result)
        case .all, .any, .not, .opaque: Instruction(.plan)
        }
    }

    private func constant(_ result: Bool) -> Instruction {
        var instruction = Instruction(.fetched, arena.store(LeafTest(null: LeafResult(result))))
        instruction.source = arena.keep(NilSource() as Source)
        return instruction
    }

    private func comparison(_ plan: ComparisonPlan) -> Instruction? {
        if let leaf = plan.leaf { return leaf.test.flatMap { instruction($0, of: plan.subject) } }
        if let value = boundValue(of: plan.right) {
            return ownedTest(of: Leaf(plan.relation, value)).flatMap { instruction($0, of: plan.left) }
        }
        if let value = boundValue(of: plan.left) {
            return ownedTest(of: Leaf(plan.relation, value, isMirrored: true)).flatMap {
                instruction($0, of: plan.right)
            }
        }
        return numericPair(plan)
    }

    /// Returns the test of a leaf that is made for the value of a variable; the program owns the test.
    private func ownedTest(of leaf: Leaf) -> UnsafePointer<LeafTest>? {
        arena.keep(leaf)._withUnsafeGuaranteedRef(\.test)
    }

    /// Makes the instruction that tests the value of an expression: a path, its count, or arithmetic.
    private func instruction(_ test: UnsafePointer<LeafTest>, of expression: any ExpressionPlan) -> Instruction? {
        if let steps = steps(of: expression) { return instruction(test, at: steps) }
        if let instruction = subqueryCount(test.pointee, of: expression) { return instruction }
        if case .arithmetic = expression.shape, test.pointee.decidesNumbers, let steps = numericSteps(of: expression) {
            return arithmetic(test, steps)
        }
        return operand(of: expression).map { instruction(test, .fetched($0.takeUnretainedValue())) }
    }

    private func arithmetic(_ test: UnsafePointer<LeafTest>, _ steps: UnsafeBufferPointer<NumericStep>) -> Instruction {
        var instruction = Instruction(.numeric, test)
        instruction.numeric = arena.keep(ArithmeticComparison(steps))
        guard let first = steps.first, let links = NumericLink.chain(steps), test.pointee.doubles.form == .range else {
            return instruction
        }
        var arithmetic = Instruction(.arithmetic, test)
        (arithmetic.offset, arithmetic.links) = (first.offset, arena.store(links))
        arithmetic.setRange(test.pointee.doubles)
        guard let source = first.source?.takeUnretainedValue() else { return arithmetic }
        instruction.routed = routed(source) { route in
            arithmetic.offset = route.offset
            return arithmetic
        }
        return instruction
    }

    /// Returns the vectorized form for the values at the end of a source's route; nil if objects are evaluated one by
    /// one.
    private func routed(
        _ source: Source, _ makeInstruction: (PropertyRoute) -> Instruction
    ) -> Unmanaged<RoutedInstruction>? {
        guard let route = source.route, route.size <= PropertyRoute.mostSize else { return nil }
        var instruction = makeInstruction(route)
        instruction.plan = Instruction.noPlan
        return instruction.isTotal ? arena.keep(RoutedInstruction(route, arena.store(instruction))) : nil
    }

    private func instruction(_ test: UnsafePointer<LeafTest>, at steps: [KeyPathStep]) -> Instruction? {
        guard let path = Self.countedPath(steps) else {
            return subject.location(of: steps).map { instruction(test, $0) }
        }
        guard test.pointee.decidesNumbers, let location = subject.location(of: path) else { return nil }
        if let type = location.type, !type.isList { return nil }
        var counting = LeafTest(null: test.pointee.null)
        counting.lists.mode = .count
        counting.lists.counts = test.pointee.integers
        return instruction(arena.store(counting), location)
    }

    /// Returns `tags` for `tags.@count` and `tags.count`; nil for any other path.
    private static func countedPath(_ steps: [KeyPathStep]) -> [KeyPathStep]? {
        guard let last = steps.last, steps.count > 1 else { return nil }
        switch last {
        case .collectionOperator(.count): return steps.dropLast()
        case .key, .receiver, .collectionOperator, .unknownOperator: return nil
        }
    }

    /// `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`, if the predicate depends on the element alone.
    private func subqueryCount(_ test: LeafTest, of expression: any ExpressionPlan) -> Instruction? {
        guard case .path(let base?, let steps) = expression.shape, steps.count == 1,
            case .collectionOperator(.count) = steps[0], case .subquery(let list, let slot, let predicate) = base.shape,
            test.decidesNumbers, elementSlot == nil, let path = self.steps(of: list),
            let location = subject.location(of: path)
        else { return nil }
        // Fetched lists that are not plain data are lists of strings.
        guard let type = location.type.map(\.elementType) ?? .string else { return nil }
        var element = Subject.stored(type)
        if case .flat = subject { element = .flatElement }
        var counting = LeafTest(null: test.null)
        counting.lists.mode = .filteredCount
        counting.lists.counts = test.integers
        counting.lists.program = elementProgram(predicate, slot, element)
        counting.lists.valueProgram = elementProgram(predicate, slot, .plainValue)
        if counting.lists.program == nil, counting.lists.valueProgram == nil { return nil }
        return instruction(arena.store(counting), location)
    }

    /// Returns the start of a program for elements; nil if a plan would have to be evaluated.
    private func elementProgram(
        _ predicate: any PredicatePlan, _ slot: Int, _ element: Subject
    ) -> UnsafePointer<Instruction>? {
        var maker = ProgramMaker(element, slots, elementSlot: slot)
        guard let program = maker.program(of: predicate, { _ in .null }), maker.isSelfContained else { return nil }
        return arena.keep(program)._withUnsafeGuaranteedRef { $0.code.baseAddress }
    }

    private func quantified(_ plan: QuantifiedPlan) -> Instruction? {
        let element = plan.leaf.map(\.test) ?? boundValue(of: plan.right).map { ownedTest(of: Leaf(plan.relation, $0)) }
        guard let element = element ?? nil, let path = steps(of: plan.left), let location = subject.location(of: path)
        else {
            return nil
        }
        if let type = location.type, !type.isList { return nil }
        var test = LeafTest(null: LeafResult(plan.needsAll))
        test.lists.mode = plan.needsAll ? .all : .any
        test.lists.element = element
        return instruction(arena.store(test), location)
    }

    private func instruction(_ test: UnsafePointer<LeafTest>, _ location: ValueLocation) -> Instruction {
        switch location {
        case .fetched(let source):
            var instruction = Instruction(.fetched, test)
            instruction.source = arena.keep(source)
            instruction.routed = routed(source) { Instruction(test, $0.offset, $0.type) }
            return instruction
        case .stored(let offset, let type):
            return Instruction(test, offset, type)
        }
    }

    private func computed(_ expression: any ExpressionPlan) -> ValueLocation? {
        if case .arithmetic = expression.shape { return nil }
        return operand(of: expression).map { .fetched($0.takeUnretainedValue()) }
    }

    /// Returns the value of a variable that is bound for all objects.
    func boundValue(of expression: any ExpressionPlan) -> PredicateValue? {
        guard case .variable(let slot) = expression.shape, slot != elementSlot, slot < slots.count,
            case .value(.value(let value)) = slots[slot]
        else { return nil }
        return value
    }

    /// Returns the path that an expression follows from the object; nil for any other expression.
    func steps(of expression: any ExpressionPlan) -> [KeyPathStep]? {
        switch expression.shape {
        case .object: elementSlot == nil ? [] : nil
        case .variable(let slot): slot == elementSlot ? [] : nil
        case .path(nil, let steps): elementSlot == nil ? steps : nil
        case .path(let base?, let steps): self.steps(of: base).map { $0 + steps }
        case .constant, .arithmetic, .subquery, .conditional, .call, .opaque: nil
        }
    }

    /// Returns the number that arithmetic computes from numbers of an object; nil for another expression.
    func number(of expression: any ExpressionPlan) -> ArithmeticComparison? {
        guard case .arithmetic = expression.shape else { return nil }
        return numericSteps(of: expression).map { ArithmeticComparison($0) }
    }

    /// Returns the steps that compute a number; nil if an operand may be anything but an integer or a double.
    private func numericSteps(of expression: any ExpressionPlan) -> UnsafeBufferPointer<NumericStep>? {
        var steps: [NumericStep] = []
        guard append(expression, to: &steps), NumericStep.height(of: steps) <= ArithmeticComparison.depth else {
            return nil
        }
        return arena.store(steps)
    }

    private func append(_ expression: any ExpressionPlan, to steps: inout [NumericStep]) -> Bool {
        if let value = expression.constant ?? boundValue(of: expression) {
            guard let number = NumericValue(value) else { return false }
            steps.append(NumericStep(kind: .constant, constant: number))
            return true
        }
        if case .arithmetic(let operation, let left, let right) = expression.shape {
            guard append(left, to: &steps), append(right, to: &steps) else { return false }
            steps.append(NumericStep(kind: .operation, operation: operation))
            return true
        }
        guard let location = self.steps(of: expression).flatMap({ subject.location(of: $0) }) ?? computed(expression)
        else { return false }
        switch location {
        case .stored(let offset, let type): steps.append(NumericStep(kind: .stored, type: type, offset: offset))
        case .fetched(let source):
            steps.append(NumericStep(kind: .fetched, type: source.type, source: arena.keep(source)))
        }
        return true
    }

    /// `spent > budget`, `a + 1 == b`: two numbers of the object.
    private func numericPair(_ plan: ComparisonPlan) -> Instruction? {
        guard let outcomes = plan.relation.outcomes, let left = numericSteps(of: plan.left),
            let right = numericSteps(of: plan.right)
        else { return nil }
        var instruction = Instruction(.numeric)
        instruction.numeric = arena.keep(ArithmeticComparison(left, outcomes, right))
        return instruction
    }
}

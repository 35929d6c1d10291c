import PredicateSyntax
import PredicateText

/// Compiles the plans of a predicate to bytecode for objects of one type.
///
/// AND and OR become jumps, NOT exchanges them; each comparison that an instruction decides becomes one, each other one
/// an instruction that evaluates its plan. In a chain cheap comparisons come first, as far as none ends in an error.
struct ProgramMaker {
    let subject: Subject
    /// The values of variables, where they are the same for all objects.
    let slots: [EvaluationContext.Slot]
    /// The slot that stands for the object itself: the variable of a `SUBQUERY`.
    var elementSlot: Int?
    let arena = Arena()

    private var code: [Instruction] = []
    private var plans: [any PredicatePlan] = []
    /// The targets of jumps, which are made before their target is set.
    private var labels: [Int32] = [Instruction.accept, Instruction.reject]
    /// The instruction of each leaf, made once: the order of a chain goes by its cost.
    private var made: [ObjectIdentifier: Instruction] = [:]

    init(_ subject: Subject, _ slots: [EvaluationContext.Slot], elementSlot: Int? = nil) {
        self.subject = subject
        self.slots = slots
        self.elementSlot = elementSlot
    }

    /// The program; nil where it would only evaluate plans.
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

    /// True if no instruction is without a test of its own.
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

    /// The members of a chain, cheap ones first, as far as none of them can end in an error.
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

    /// The cost of a comparison that is decided for every value; nil for those that may end in an error, and for chains.
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
        case .integer, .bool, .double, .doubleAroundZero: 0
        case .arithmetic: 1
        case .text: match == .contains ? 4 : match == .like ? 3 : 2
        case .member: 2
        case .otherText, .stored: type.isTotal(test.pointee) ? test.pointee.cost(of: type) : nil
        case .fetched: source?._withUnsafeGuaranteedRef { $0.cost(of: test.pointee) }
        case .pattern, .count, .anyEqual, .matchCount, .otherList, .numeric, .plan: nil
        }
    }
}

extension LeafTest {
    fileprivate func cost(of type: StoredType) -> Int {
        if type != .string { return 1 }
        return texts.operation == .member ? 2 : 3
    }
}

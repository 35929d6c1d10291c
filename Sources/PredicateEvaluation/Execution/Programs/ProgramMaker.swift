import PredicateSyntax

/// Turns the plans of a predicate into a program for objects of one type.
///
/// AND and OR become jumps, NOT exchanges them; each comparison that the instructions know becomes one of them, each
/// other one an instruction that asks its plan.
struct ProgramMaker {
    let subject: Subject
    /// What variables are bound to, where that is known and stays so.
    let slots: [EvaluationContext.Slot]
    /// The slot that stands for the object itself: the variable of a `SUBQUERY`.
    var elementSlot: Int?
    let arena = Arena()

    private var code: [Instruction] = []
    private var plans: [any PredicatePlan] = []
    /// Where the jumps lead that were made before their target was known.
    private var labels: [Int32] = [Instruction.accept, Instruction.reject]
    /// How many instructions do more than to ask a plan.
    private var knownCount = 0

    init(_ subject: Subject, _ slots: [EvaluationContext.Slot], elementSlot: Int? = nil) {
        self.subject = subject
        self.slots = slots
        self.elementSlot = elementSlot
    }

    /// The program; nil where it would do nothing but to ask plans.
    mutating func program(
        of plan: any PredicatePlan, _ keyedValue: @escaping (UnsafeRawPointer) -> KeyedValue
    ) -> Program? {
        emit(plan, Self.accept, Self.reject)
        guard knownCount > 0, code.count <= Self.most else { return nil }
        for index in code.indices {
            code[index].whenTrue = labels[Int(code[index].whenTrue)]
            code[index].whenFalse = labels[Int(code[index].whenFalse)]
        }
        return Program(code, plans, arena, keyedValue)
    }

    /// Whether every instruction can answer without its plan being asked.
    var isSelfContained: Bool { !code.isEmpty && code.allSatisfy { $0.opcode != .plan } }

    /// Longer programs are left to their plans.
    private static let most = 10_000
    private static let accept = 0
    private static let reject = 1

    private mutating func newLabel() -> Int {
        labels.append(Instruction.reject)
        return labels.count - 1
    }

    private mutating func place(_ label: Int) {
        labels[label] = Int32(truncatingIfNeeded: code.count)
    }

    /// Emits what decides a plan and goes on at one of two labels.
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
            place(next)
        }
        if let last = subplans.last { emit(last, whenTrue, whenFalse) }
    }

    private mutating func emit(leaf plan: any PredicatePlan, _ whenTrue: Int, _ whenFalse: Int) {
        var instruction = instruction(for: plan)
        if instruction.opcode != .plan { knownCount += 1 }
        instruction.whenTrue = Int32(truncatingIfNeeded: whenTrue)
        instruction.whenFalse = Int32(truncatingIfNeeded: whenFalse)
        instruction.plan = Int32(truncatingIfNeeded: plans.count)
        plans.append(plan)
        code.append(instruction)
    }

    /// The members of a chain, cheap ones first, as far as none of them can end in an error.
    private mutating func ordered(_ subplans: [any PredicatePlan]) -> [any PredicatePlan] {
        guard subplans.count <= 64 else { return subplans }
        let costs = subplans.map { cost(of: $0) }
        var ordered: [any PredicatePlan] = []
        var run: [(plan: any PredicatePlan, cost: Int)] = []
        for (subplan, cost) in zip(subplans, costs) {
            if let cost {
                run.append((subplan, cost))
            } else {
                ordered += run.sorted { $0.cost < $1.cost }.map(\.plan) + [subplan]
                run = []
            }
        }
        return ordered + run.sorted { $0.cost < $1.cost }.map(\.plan)
    }

    /// How dear a comparison is that always has an answer; nil for those that may end in an error, and for chains.
    private mutating func cost(of plan: any PredicatePlan) -> Int? {
        switch plan.shape {
        case .not(let subplan): return cost(of: subplan)
        case .comparison: break
        case .constant, .all, .any, .quantified, .opaque: return nil
        }
        let instruction = instruction(for: plan)
        switch instruction.opcode {
        case .integer, .bool, .double: return 0
        case .prefix, .suffix, .equal, .member: return 2
        case .tokens: return 3
        case .contains: return 4
        case .text:
            guard instruction.type.isCertain(instruction.test.pointee) else { return nil }
            return instruction.test.pointee.texts.operation == .member ? 2 : 3
        case .arithmetic: return 1
        case .stored: return instruction.type.isCertain(instruction.test.pointee) ? 1 : nil
        case .fetched: return instruction.source?._withUnsafeGuaranteedRef { $0.cost(of: instruction.test.pointee) }
        case .expression, .count, .anyEqual, .prefixCount, .strings, .numeric, .plan: return nil
        }
    }
}

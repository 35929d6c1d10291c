import PredicateSyntax
import PredicateText

/// A bytecode program: a predicate compiled for objects of one type, which it reads by pointer.
///
/// `age > 21 AND name BEGINSWITH "jo"` on a struct becomes two instructions, each with the offset of its property, the
/// constant, and a jump for either result: a short circuit. A leaf that no instruction decides, an error above all, goes
/// back to its plan, so that a program and its plans never differ.
///
/// `@unchecked`: nothing changes once it is made.
final class Program: @unchecked Sendable {
    let code: UnsafeBufferPointer<Instruction>
    /// The plans of the leaves. They own the tests that instructions point to, and decide what those cannot.
    private let plans: [any PredicatePlan]
    /// The object at an address as the plans see it.
    private let keyedValue: (UnsafeRawPointer) -> KeyedValue
    private let arena: Arena

    init(
        _ code: [Instruction], _ plans: [any PredicatePlan], _ arena: Arena,
        _ keyedValue: @escaping (UnsafeRawPointer) -> KeyedValue
    ) {
        self.code = arena.store(code)
        self.plans = plans
        self.arena = arena
        self.keyedValue = keyedValue
    }

    /// True if the predicate holds for the object at an address.
    func holds(_ object: UnsafeRawPointer, _ slots: [EvaluationContext.Slot]) throws(EvaluationError) -> Bool {
        guard var step = code.baseAddress else { return false }
        let start = step
        while true {
            let holds: Bool
            switch step.result(for: object) {
            case .no: holds = false
            case .yes: holds = true
            case .unknown: holds = try evaluatePlan(of: step, object, slots)
            }
            let next = holds ? step.pointee.whenTrue : step.pointee.whenFalse
            if next < 0 { return next == Instruction.accept }
            step = start + Int(next)
        }
    }

    /// Evaluates the plan of an instruction.
    @inline(never)
    func evaluatePlan(
        of step: UnsafePointer<Instruction>, _ object: UnsafeRawPointer, _ slots: [EvaluationContext.Slot]
    ) throws(EvaluationError) -> Bool {
        var context = EvaluationContext(object: keyedValue(object), slots: slots)
        return try plans[Int(step.pointee.plan)].holds(&context)
    }
}

extension UnsafePointer<Instruction> {
    /// Runs the program that begins here, as far as instructions decide.
    @inline(__always)
    func run(_ object: UnsafeRawPointer) -> LeafResult {
        var step = self
        while true {
            let result = step.result(for: object)
            if result == .unknown { return .unknown }
            let next = result == .yes ? step.pointee.whenTrue : step.pointee.whenFalse
            if next < 0 { return LeafResult(next == Instruction.accept) }
            step = self + Int(next)
        }
    }

    /// Executes one instruction: the one switch of the interpreter's loop.
    @inline(__always)
    func result(for object: UnsafeRawPointer) -> LeafResult {
        let address = object + pointee.offset
        switch pointee.opcode {
        case .integer: return LeafResult(pointee.holds(integer: address.load(as: Int64.self)))
        case .bool: return LeafResult(pointee.holds(bool: address.load(as: Bool.self)))
        case .double: return LeafResult(pointee.holds(double: address.load(as: Double.self)))
        case .doubleAroundZero: return LeafResult(pointee.holds(doubleAroundZero: address.load(as: Double.self)))
        case .arithmetic: return LeafResult(pointee.holds(arithmeticOn: address.load(as: Double.self)))
        case .text:
            guard let needle = pointee.needle else { return .unknown }
            let text = address.assumingMemoryBound(to: String.self)
            return LeafResult(text.withBytes { pointee.match.holds($0, needle) } != pointee.isNegated)
        case .member:
            let needles = pointee.test.pointee.texts.needles
            let text = address.assumingMemoryBound(to: String.self)
            return LeafResult(text.withBytes { FlatNeedle.contain(needles, $0) } != pointee.isNegated)
        case .pattern: return pointee.test.pointee.texts.matchPattern(address.assumingMemoryBound(to: String.self))
        case .count: return LeafResult(pointee.holds(integer: Int64(address.load(as: [String].self).count)))
        case .anyEqual:
            guard let needle = pointee.needle else { return .unknown }
            return LeafResult(address.assumingMemoryBound(to: [String].self).contains(needle))
        case .matchCount:
            guard let needle = pointee.needle else { return .unknown }
            let count = address.assumingMemoryBound(to: [String].self).count(pointee.match, needle)
            return LeafResult(pointee.holds(integer: Int64(count)))
        case .otherList: return pointee.test.result(ofStrings: address.assumingMemoryBound(to: [String].self))
        case .otherText, .stored, .fetched, .numeric, .plan: return genericResult(for: object)
        }
    }

    /// Executes one instruction by the family of its opcode.
    @inline(never)
    func genericResult(for object: UnsafeRawPointer) -> LeafResult {
        switch pointee.opcode.family {
        case .stored: pointee.type.result(at: object + pointee.offset, pointee.test)
        case .arithmetic: LeafResult(pointee.holds(arithmeticOn: (object + pointee.offset).load(as: Double.self)))
        case .fetched: pointee.source?._withUnsafeGuaranteedRef { $0.result(for: object, pointee.test) } ?? .unknown
        case .numeric: pointee.numeric?._withUnsafeGuaranteedRef { $0.result(for: object, pointee.test) } ?? .unknown
        case .plan: .unknown
        }
    }
}

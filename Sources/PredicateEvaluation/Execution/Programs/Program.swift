import PredicateSyntax
import PredicateText

/// A predicate made for objects of one type: flat instructions that read the object by pointer.
///
/// `age > 21 AND name BEGINSWITH "jo"` on a struct becomes two instructions, each with the place of its property, what
/// to compare it with, and where to go on. A leaf that no instruction can answer, an error above all, goes back to its
/// plan, so that a program and its plans never differ.
///
/// `@unchecked`: nothing changes once it is made.
final class Program: @unchecked Sendable {
    let code: UnsafeBufferPointer<Instruction>
    /// The plans of the leaves, for what the instructions cannot answer.
    private let plans: [any PredicatePlan]
    /// The object at a place as the plans see it.
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

    /// Whether the predicate holds for the object at a place.
    func holds(_ object: UnsafeRawPointer, _ slots: [EvaluationContext.Slot]) throws(EvaluationError) -> Bool {
        guard var step = code.baseAddress else { return false }
        let start = step
        while true {
            let holds: Bool
            switch step.answer(object) {
            case .no: holds = false
            case .yes: holds = true
            case .unknown: holds = try ask(step, object, slots)
            }
            let next = holds ? step.pointee.whenTrue : step.pointee.whenFalse
            if next < 0 { return next == Instruction.accept }
            step = start + Int(next)
        }
    }

    /// What the plan of an instruction says.
    @inline(never)
    func ask(
        _ step: UnsafePointer<Instruction>, _ object: UnsafeRawPointer, _ slots: [EvaluationContext.Slot]
    ) throws(EvaluationError) -> Bool {
        var context = EvaluationContext(object: keyedValue(object), slots: slots)
        return try plans[Int(step.pointee.plan)].holds(&context)
    }
}

extension UnsafePointer<Instruction> {
    /// Whether the predicate that begins here holds for an object, where the instructions know.
    @inline(__always)
    func run(_ object: UnsafeRawPointer) -> Answer {
        var step = self
        while true {
            let answer = step.answer(object)
            if answer == .unknown { return .unknown }
            let next = answer == .yes ? step.pointee.whenTrue : step.pointee.whenFalse
            if next < 0 { return Answer(next == Instruction.accept) }
            step = self + Int(next)
        }
    }

    /// What one instruction says of an object: the one switch of the loop.
    @inline(__always)
    func answer(_ object: UnsafeRawPointer) -> Answer {
        let place = object + pointee.offset
        switch pointee.opcode {
        case .integer: return Answer(pointee.holdsInteger(place.load(as: Int64.self)))
        case .bool: return Answer(pointee.holdsBool(place.load(as: Bool.self)))
        case .double: return Answer(pointee.holdsDouble(place.load(as: Double.self)))
        case .prefix: return text(place) { $0.isPrefix(of: $1) }
        case .suffix: return text(place) { $0.isSuffix(of: $1) }
        case .contains: return text(place) { $0.isContained(in: $1) }
        case .equal: return text(place) { $0.isEqual(to: $1) }
        case .tokens: return text(place) { $0.fits($1) }
        case .member: return member(place)
        case .expression: return pointee.test.pointee.texts.match(place.assumingMemoryBound(to: String.self))
        case .arithmetic: return Answer(pointee.holdsResult(place.load(as: Double.self)))
        case .count: return Answer(pointee.holdsInteger(Int64(place.load(as: [String].self).count)))
        case .anyEqual: return list(place) { Answer($0.contains($1)) }
        case .prefixCount: return list(place) { Answer(pointee.holdsInteger(Int64($0.count(beginningWith: $1)))) }
        case .strings: return pointee.test.answer(place.assumingMemoryBound(to: [String].self))
        case .text, .stored, .fetched, .numeric, .plan: return slowAnswer(object)
        }
    }

    @inline(__always)
    private func text(
        _ place: UnsafeRawPointer, _ holds: (FlatNeedle, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Answer {
        guard let needle = pointee.needle else { return .unknown }
        return Answer(place.assumingMemoryBound(to: String.self).withBytes { holds(needle, $0) } != pointee.isNegated)
    }

    @inline(__always)
    private func member(_ place: UnsafeRawPointer) -> Answer {
        let needles = pointee.test.pointee.texts.needles
        let text = place.assumingMemoryBound(to: String.self)
        return Answer(text.withBytes { FlatNeedle.contain(needles, $0) } != pointee.isNegated)
    }

    @inline(__always)
    private func list(_ place: UnsafeRawPointer, _ ask: (UnsafePointer<[String]>, FlatNeedle) -> Answer) -> Answer {
        guard let needle = pointee.needle else { return .unknown }
        return ask(place.assumingMemoryBound(to: [String].self), needle)
    }

    @inline(never)
    func slowAnswer(_ object: UnsafeRawPointer) -> Answer {
        switch pointee.opcode {
        case .integer, .bool, .double, .prefix, .suffix, .contains, .equal, .tokens, .member, .expression, .text,
            .stored, .count, .anyEqual, .prefixCount, .strings:
            pointee.type.answer(at: object + pointee.offset, pointee.test)
        case .arithmetic: Answer(pointee.holdsResult((object + pointee.offset).load(as: Double.self)))
        case .fetched: pointee.source?._withUnsafeGuaranteedRef { $0.answer(object, pointee.test) } ?? .unknown
        case .numeric: pointee.numeric?._withUnsafeGuaranteedRef { $0.answer(object, pointee.test) } ?? .unknown
        case .plan: .unknown
        }
    }
}

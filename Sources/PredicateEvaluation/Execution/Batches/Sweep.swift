import PredicateText

/// The evaluation of many objects at once: leaf by leaf, where a loop over one question is quicker than all questions
/// for each object.
final class Sweep {
    /// How many objects are dealt with at once: few enough for their fields to stay near.
    static let width = 512

    private let lists: SweepLists
    private let pair: LeafPair?
    private let program: Program
    private let slots: [EvaluationContext.Slot]
    /// Memory for values that are copied out of objects, where any are.
    private let copies: UnsafeMutableRawPointer?

    /// Nil for a program that is better run object by object.
    init?(_ program: Program, _ slots: [EvaluationContext.Slot]) {
        guard !Self.looksElsewhere(program), let lists = SweepLists(program) else { return nil }
        self.lists = lists
        pair = LeafPair(program.code)
        self.program = program
        self.slots = slots
        let sizes = program.code.compactMap { $0.routed?.takeUnretainedValue().route.size }
        copies = sizes.max().map { .allocate(byteCount: $0, alignment: 16) }
    }

    deinit {
        copies?.deallocate()
    }

    /// Whether several leaves fetch what they ask about object by object: of a dictionary, say. What one leaf brought near
    /// is gone when the next one comes round to the same object.
    private static func looksElsewhere(_ program: Program) -> Bool {
        program.code.count > 1
            && program.code.contains { instruction in
                if instruction.routed != nil { return false }
                return switch instruction.opcode {
                case .fetched: true
                case .numeric: instruction.numeric?._withUnsafeGuaranteedRef(\.isFetching) ?? false
                case .integer, .bool, .double, .prefix, .suffix, .contains, .equal, .tokens, .member, .expression,
                    .text, .arithmetic, .stored, .count, .anyEqual, .prefixCount, .strings, .plan:
                    false
                }
            }
    }

    var acceptedCount: Int { lists.acceptedCount }
    var accepted: UnsafeBufferPointer<UInt16> { lists.accepted }

    /// Evaluates objects that lie one behind the other, at most ``width``. False where one of them ends in an error:
    /// which one comes first is then to be found out object by object.
    func run(_ objects: UnsafeRawPointer, _ count: Int, stride: Int) -> Bool {
        let objects = Objects(start: objects, stride: stride)
        return lists.run(count, joined: pair == nil ? 0 : 1) { number, step, split in
            guard number == 0, let pair else { return ask(step, objects, &split) }
            ask(pair, step, objects, &split)
            return true
        }
    }

    /// Asks one instruction about all objects of its list.
    private func ask(_ step: UnsafePointer<Instruction>, _ objects: Objects, _ split: inout Split) -> Bool {
        guard let routed = step.pointee.routed else { return ask(inPlace: step, objects, &split) }
        return routed._withUnsafeGuaranteedRef { ask($0, objects, &split) }
    }

    /// Asks about values that are read by code of their own: of copies, but of lists where they are looked at.
    private func ask(_ routed: RoutedQuestion, _ objects: Objects, _ split: inout Split) -> Bool {
        let (route, question) = (routed.route, routed.instruction)
        guard let copies, let found = route.copies(of: objects, split.list, split.count, in: copies) else {
            guard let access = route.visited else { return false }
            askList(question.pointee, VisitedObjects(objects, access), &split)
            return true
        }
        var renumbered = split.renumbered
        defer {
            route.release(copies, split.count)
            split.take(renumbered)
        }
        guard let access = route.visited else { return ask(inPlace: question, found, &renumbered) }
        askList(question.pointee, VisitedObjects(found, access), &renumbered)
        return true
    }

    /// A function of its own: among other code its loops would find too few registers.
    @inline(never)
    private func ask(inPlace step: UnsafePointer<Instruction>, _ objects: Objects, _ split: inout Split) -> Bool {
        let instruction = step.pointee
        let offset = instruction.offset
        switch instruction.opcode {
        case .integer:
            let range = IntegerRange(instruction)
            objects.ask(&split, at: offset) { range.holds($0) }
        case .bool:
            let answers = BoolAnswers(instruction)
            objects.ask(&split, at: offset) { answers.holds($0) }
        case .double:
            let range = DoubleRange(instruction)
            objects.ask(&split, at: offset) { range.holds($0) }
        case .arithmetic: objects.ask(&split, at: offset) { instruction.holdsResult($0.load(as: Double.self)) }
        case .prefix, .suffix, .contains, .equal, .tokens:
            askNeedle(instruction, behind: NothingLeading(), objects, &split)
        case .member, .text: return askText(step, objects, &split)
        case .count, .anyEqual, .prefixCount: askList(instruction, objects, &split)
        case .expression, .stored, .strings, .fetched, .numeric, .plan: return askSlowly(step, objects, &split)
        }
        return true
    }

    /// Asks the two leaves that begin here about all objects.
    private func ask(
        _ pair: LeafPair, _ step: UnsafePointer<Instruction>, _ objects: Objects, _ split: inout Split
    ) {
        let (number, text) = (step[0], step[1])
        func ask(_ question: some NumberQuestion) {
            let leading = LeadingNumber(question: question, offset: number.offset, decisive: pair.decisive)
            askNeedle(text, behind: leading, objects, &split)
        }
        switch number.opcode {
        case .integer: ask(IntegerRange(number))
        case .bool: ask(BoolAnswers(number))
        case .double: ask(DoubleRange(number))
        case .prefix, .suffix, .contains, .equal, .tokens, .member, .expression, .text, .arithmetic, .stored, .count,
            .anyEqual, .prefixCount, .strings, .fetched, .numeric, .plan:
            break
        }
    }

    private func askNeedle(
        _ instruction: Instruction, behind leading: some LeadingQuestion, _ objects: Objects, _ split: inout Split
    ) {
        guard let needle = instruction.needle else { return }
        let texts = Texts(objects, instruction)
        switch instruction.opcode {
        case .prefix: texts.run(&split, needle, behind: leading) { $0.isPrefix(of: $1) }
        case .suffix: texts.run(&split, needle, behind: leading) { $0.isSuffix(of: $1) }
        case .contains: texts.run(&split, needle, behind: leading) { $0.isContained(in: $1) }
        case .equal: texts.run(&split, needle, behind: leading) { $0.isEqual(to: $1) }
        case .tokens: texts.run(&split, needle, behind: leading) { $0.fits($1) }
        case .integer, .bool, .double, .member, .expression, .text, .arithmetic, .stored, .count, .anyEqual,
            .prefixCount, .strings, .fetched, .numeric, .plan:
            break
        }
    }

    private func askText(_ step: UnsafePointer<Instruction>, _ objects: Objects, _ split: inout Split) -> Bool {
        let test = step.pointee.test.pointee.texts
        guard let needle = step.pointee.needle else { return askSlowly(step, objects, &split) }
        let texts = Texts(objects, step.pointee)
        switch test.operation {
        case .member: texts.run(&split, needle, behind: NothingLeading()) { test.hasMember($1) }
        case .ordered: texts.run(&split, needle, behind: NothingLeading()) { test.admits($0.order(of: $1)) }
        case .unknown, .never, .equal, .prefix, .suffix, .contains, .tokens, .expression:
            return askSlowly(step, objects, &split)
        }
        return true
    }

    /// What one instruction asks of lists.
    private func askList(_ instruction: Instruction, _ objects: some Subjects, _ split: inout Split) {
        guard let needle = instruction.needle else {
            objects.ask(&split, at: instruction.offset) {
                instruction.holdsInteger(Int64($0.assumingMemoryBound(to: [String].self).pointee.count))
            }
            return
        }
        if instruction.opcode == .anyEqual {
            objects.ask(&split, at: instruction.offset) { $0.assumingMemoryBound(to: [String].self).contains(needle) }
        } else {
            objects.ask(&split, at: instruction.offset) {
                let count = $0.assumingMemoryBound(to: [String].self).count(beginningWith: needle)
                return instruction.holdsInteger(Int64(count))
            }
        }
    }

    /// The kinds without a loop of their own, object by object. False for an error.
    @inline(never)
    private func askSlowly(_ step: UnsafePointer<Instruction>, _ objects: Objects, _ split: inout Split) -> Bool {
        var isRight = true
        objects.ask(&split, at: 0) { object in
            switch step.answer(object) {
            case .no: return false
            case .yes: return true
            case .unknown:
                guard isRight, step.pointee.plan != Instruction.noPlan,
                    let answer = try? program.ask(step, object, slots)
                else {
                    isRight = false
                    return false
                }
                return answer
            }
        }
        return isRight
    }
}

/// The strings that one instruction asks about.
private struct Texts {
    private let objects: Objects
    private let offset: Int
    private let isNegated: Bool

    init(_ objects: Objects, _ instruction: Instruction) {
        self.objects = objects
        offset = instruction.offset
        isNegated = instruction.isNegated
    }

    /// One loop for each question, in a function of its own: in a larger one the compiler would not open them up.
    @inline(never)
    func run(
        _ split: inout Split, _ needle: FlatNeedle, behind leading: some LeadingQuestion,
        _ holds: (FlatNeedle, UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        objects.ask(&split, at: 0) { object in
            if let answer = leading.answer(object) { return answer }
            let text = (object + offset).assumingMemoryBound(to: String.self)
            return text.withBytes { holds(needle, $0) } != isNegated
        }
    }
}

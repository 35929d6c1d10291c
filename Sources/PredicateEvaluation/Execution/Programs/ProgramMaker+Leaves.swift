import PredicateSyntax
import PredicateText

extension ProgramMaker {
    /// The instruction for a leaf: one that knows how to answer, or one that asks the plan.
    func instruction(for plan: any PredicatePlan) -> Instruction {
        switch plan.shape {
        case .comparison(let left, let relation, let right): comparison(left, relation, right) ?? asking
        case .quantified(let quantifier, let left, let relation, let right):
            quantified(quantifier, left, relation, right) ?? asking
        case .constant(let answer): constant(answer)
        case .all, .any, .not, .opaque: asking
        }
    }

    private var asking: Instruction { Instruction(.plan, arena.store(LeafTest()), in: arena) }

    private func constant(_ answer: Bool) -> Instruction {
        var test = LeafTest()
        test.null = Answer(answer)
        var instruction = Instruction(.fetched, arena.store(test), in: arena)
        instruction.source = arena.keep(AccessorSource { _ in .null } as Source)
        return instruction
    }

    private func comparison(
        _ left: any ExpressionPlan, _ relation: any Relation, _ right: any ExpressionPlan
    ) -> Instruction? {
        let maker = LeafTestMaker(arena: arena)
        if let value = known(right) {
            return maker.test(relation.kind, against: value).flatMap { question($0, of: left) }
        }
        if let value = known(left) {
            return maker.test(value, relation.kind).flatMap { question($0, of: right) }
        }
        return numericPair(left, relation.kind, right)
    }

    /// A test of what an expression comes to: a path, the count of one, or arithmetic.
    private func question(_ test: LeafTest, of expression: any ExpressionPlan) -> Instruction? {
        if let steps = steps(of: expression) { return question(test, at: steps) }
        if let instruction = subqueryCount(test, of: expression) { return instruction }
        guard case .arithmetic = expression.shape, test.knowsNumbers, let numbers = numbers(of: expression) else {
            return nil
        }
        var instruction = Instruction(.numeric, arena.store(test), in: arena)
        instruction.numeric = arena.keep(NumericQuestion(numbers))
        guard let first = numbers.first, let links = NumericLink.chain(numbers), !test.doubles.isMembership else {
            return instruction
        }
        var arithmetic = Instruction(.arithmetic, arena.store(test), in: arena)
        (arithmetic.offset, arithmetic.links) = (first.offset, arena.store(links))
        arithmetic.setRange(test.doubles)
        guard let source = first.source?.takeUnretainedValue() else { return arithmetic }
        instruction.routed = routed(source) { route in
            arithmetic.offset = route.offset
            return arithmetic
        }
        return instruction
    }

    /// What a sweep asks of the values at the end of a source's route; nil where it asks object by object.
    private func routed(_ source: Source, _ question: (PropertyRoute) -> Instruction) -> Unmanaged<RoutedQuestion>? {
        guard let route = source.route, route.size <= PropertyRoute.mostSize else { return nil }
        var question = question(route)
        question.plan = Instruction.noPlan
        return question.isCertain ? arena.keep(RoutedQuestion(route, arena.store(question))) : nil
    }

    private func question(_ test: LeafTest, at steps: [KeyPathStep]) -> Instruction? {
        guard let path = Self.counted(steps) else { return subject.place(of: steps).map { instruction(test, $0) } }
        guard test.knowsNumbers, let place = subject.place(of: path.steps) else { return nil }
        if let type = place.type, !type.isList { return nil }
        var counting = LeafTest()
        counting.null = test.null
        counting.lists.mode = .count
        counting.lists.counts = test.integers
        return instruction(counting, place)
    }

    /// `tags` of `tags.@count` and `tags.count`.
    private static func counted(_ steps: [KeyPathStep]) -> (steps: [KeyPathStep], Void)? {
        guard let last = steps.last, steps.count > 1 else { return nil }
        switch last {
        case .collectionOperator(.count): return (steps.dropLast(), ())
        case .key, .receiver, .collectionOperator, .unknownOperator: return nil
        }
    }

    /// `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`, where the predicate is about the element alone.
    private func subqueryCount(_ test: LeafTest, of expression: any ExpressionPlan) -> Instruction? {
        guard case .path(let base?, let steps) = expression.shape, steps.count == 1,
            case .collectionOperator(.count) = steps[0], case .subquery(let list, let slot, let predicate) = base.shape,
            test.knowsNumbers, elementSlot == nil, let path = self.steps(of: list), let place = subject.place(of: path)
        else { return nil }
        // Of what is fetched, lists that are no plain data are lists of strings.
        guard let type = place.type.map(\.elementType) ?? .string else { return nil }
        var element = Subject.stored(type)
        if case .flat = subject { element = .flatElement }
        var counting = LeafTest()
        counting.null = test.null
        counting.lists.mode = .filteredCount
        counting.lists.counts = test.integers
        counting.lists.program = inner(predicate, slot, element)
        counting.lists.valueProgram = inner(predicate, slot, .plainValue)
        if counting.lists.program == nil, counting.lists.valueProgram == nil { return nil }
        return instruction(counting, place)
    }

    /// Where a program for the elements begins; nil where a plan would have to be asked.
    private func inner(
        _ predicate: any PredicatePlan, _ slot: Int, _ element: Subject
    ) -> UnsafePointer<Instruction>? {
        var maker = ProgramMaker(element, slots, elementSlot: slot)
        guard let program = maker.program(of: predicate, { _ in .null }), maker.isSelfContained else { return nil }
        return arena.keep(program)._withUnsafeGuaranteedRef { $0.code.baseAddress }
    }

    private func quantified(
        _ quantifier: QuantifiedPlan.Quantifier, _ left: any ExpressionPlan, _ relation: any Relation,
        _ right: any ExpressionPlan
    ) -> Instruction? {
        let maker = LeafTestMaker(arena: arena)
        guard let value = known(right), let element = maker.test(relation.kind, against: value),
            let path = steps(of: left), let place = subject.place(of: path)
        else { return nil }
        if let type = place.type, !type.isList { return nil }
        var test = LeafTest()
        test.null = Answer(quantifier == .all)
        test.lists.mode = quantifier == .any ? .any : .all
        test.lists.element = arena.store(element)
        return instruction(test, place)
    }

    private func instruction(_ test: LeafTest, _ place: Place) -> Instruction {
        switch place {
        case .fetched(let source):
            var instruction = Instruction(.fetched, arena.store(test), in: arena)
            instruction.source = arena.keep(source)
            instruction.routed = routed(source) { Instruction(test, $0.offset, $0.type, in: arena) }
            return instruction
        case .stored(let offset, let type):
            return Instruction(test, offset, type, in: arena)
        }
    }
}

extension ProgramMaker {
    /// The value that an expression has for every object: a constant, or a variable that is bound.
    private func known(_ expression: any ExpressionPlan) -> PredicateValue? {
        if let constant = expression.constant { return constant }
        guard case .variable(let slot) = expression.shape, slot != elementSlot, slot < slots.count,
            case .value(.value(let value)) = slots[slot]
        else { return nil }
        return value
    }

    /// The path that an expression follows from the object; nil for everything else.
    private func steps(of expression: any ExpressionPlan) -> [KeyPathStep]? {
        switch expression.shape {
        case .object: elementSlot == nil ? [] : nil
        case .variable(let slot): slot == elementSlot ? [] : nil
        case .path(nil, let steps): elementSlot == nil ? steps : nil
        case .path(let base?, let steps): self.steps(of: base).map { $0 + steps }
        case .constant, .arithmetic, .subquery, .opaque: nil
        }
    }

    /// The steps that work out a number; nil where something in it is no plain number.
    private func numbers(of expression: any ExpressionPlan) -> UnsafeBufferPointer<NumericStep>? {
        var steps: [NumericStep] = []
        guard append(expression, to: &steps), Self.height(of: steps) <= NumericQuestion.depth else { return nil }
        return arena.store(steps)
    }

    private func append(_ expression: any ExpressionPlan, to steps: inout [NumericStep]) -> Bool {
        if let value = known(expression) {
            guard let number = NumericValue(value) else { return false }
            steps.append(NumericStep(kind: .constant, constant: number))
            return true
        }
        if case .arithmetic(let operation, let left, let right) = expression.shape {
            guard append(left, to: &steps), append(right, to: &steps) else { return false }
            steps.append(NumericStep(kind: .operation, operation: operation))
            return true
        }
        guard let path = self.steps(of: expression), let place = subject.place(of: path) else { return false }
        switch place {
        case .stored(let offset, let type): steps.append(NumericStep(kind: .stored, type: type, offset: offset))
        case .fetched(let source):
            steps.append(NumericStep(kind: .fetched, type: source.type, source: arena.keep(source)))
        }
        return true
    }

    private static func height(of steps: [NumericStep]) -> Int {
        var (height, most) = (0, 0)
        for step in steps {
            height += step.kind == .operation ? -1 : 1
            most = max(most, height)
        }
        return most
    }

    /// `spent > budget`, `a + 1 == b`: two numbers of the object.
    private func numericPair(
        _ left: any ExpressionPlan, _ kind: RelationKind, _ right: any ExpressionPlan
    ) -> Instruction? {
        let (outcomes, isNegated): (Ordering.Outcomes, Bool)
        switch kind {
        case .ordering(let wanted, _): (outcomes, isNegated) = (wanted, false)
        case .equality(_, let negated): (outcomes, isNegated) = (.equal, negated)
        case .between, .membership, .textEnd, .like, .matches, .other: return nil
        }
        guard let leftNumbers = numbers(of: left), let rightNumbers = numbers(of: right) else { return nil }
        var instruction = Instruction(.numeric, arena.store(LeafTest()), in: arena)
        instruction.numeric = arena.keep(
            NumericQuestion(leftNumbers, outcomes, rightNumbers, isNegated: isNegated))
        return instruction
    }
}

extension Instruction {
    init(_ opcode: Opcode, _ test: UnsafePointer<LeafTest>, in arena: Arena) {
        self.init(opcode: opcode, plan: 0, test: test)
    }

    /// A test of a value in its place: the kinds of most loops get an opcode of their own.
    init(_ test: LeafTest, _ offset: Int, _ type: StoredType, in arena: Arena) {
        self.init(Self.opcode(test, type), arena.store(test), in: arena)
        self.offset = offset
        self.type = type
        switch opcode {
        case .integer:
            (low, high) = (UInt64(bitPattern: test.integers.low), UInt64(bitPattern: test.integers.high))
            isNegated = test.integers.isNegated
        case .bool: (low, high) = (test.integers.holds(0) ? 1 : 0, test.integers.holds(1) ? 1 : 0)
        case .double: setRange(type == .date ? test.dates : test.doubles)
        case .prefix, .suffix, .contains, .equal, .tokens, .member, .expression, .text:
            isNegated = test.texts.isNegated
            if let needle = test.texts.needles.first { self.needle = needle }
        case .count, .anyEqual, .prefixCount:
            (low, high) = (UInt64(bitPattern: test.lists.counts.low), UInt64(bitPattern: test.lists.counts.high))
            isNegated = test.lists.counts.isNegated
            needle = test.lists.soughtText ?? test.lists.countedPrefix
        case .arithmetic, .stored, .strings, .fetched, .numeric, .plan: break
        }
    }

    fileprivate mutating func setRange(_ range: DoubleTest) {
        (low, high) = (range.low.bitPattern, range.high.bitPattern)
        isNegated = range.isNegated
    }

    private static func opcode(_ test: LeafTest, _ type: StoredType) -> Opcode {
        switch type {
        case .integer: return test.knowsNumbers && test.integers.members.isEmpty ? .integer : .stored
        case .bool: return test.knowsNumbers ? .bool : .stored
        case .double: return test.knowsNumbers && !test.doubles.isMembership ? .double : .stored
        case .date: return test.knowsDates && !test.dates.isMembership ? .double : .stored
        case .string: return opcode(test.texts)
        case .strings: return opcode(test.lists)
        case .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .float,
            .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble, .optionalDate, .optionalString,
            .integers, .doubles:
            return .stored
        }
    }

    private static func opcode(_ test: ListTest) -> Opcode {
        guard test.counts.members.isEmpty else { return .strings }
        switch test.mode {
        case .count: return .count
        case .any: return test.soughtText == nil ? .strings : .anyEqual
        case .filteredCount: return test.countedPrefix == nil ? .strings : .prefixCount
        case .unknown, .all: return .strings
        }
    }

    private static func opcode(_ test: TextTest) -> Opcode {
        switch test.operation {
        case .prefix: .prefix
        case .suffix: .suffix
        case .contains: .contains
        case .equal: .equal
        case .tokens: .tokens
        case .member: test.index == nil ? .member : .text
        case .expression: test.simple == nil ? .text : .expression
        case .unknown, .never, .ordered: .text
        }
    }
}

extension StoredType {
    /// The type of the elements of a list.
    fileprivate var elementType: StoredType? {
        switch self {
        case .strings: .string
        case .integers: .integer
        case .doubles: .double
        case .integer, .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .bool,
            .double, .float, .date, .string, .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble,
            .optionalDate, .optionalString:
            nil
        }
    }
}

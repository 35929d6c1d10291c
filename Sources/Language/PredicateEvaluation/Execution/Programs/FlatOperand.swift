import PredicateSyntax
import PredicateText

/// A value of a flat record: that of a slot, or one that is computed from slots, such as `lowercase(name)`, `month(joined)` and
/// `TERNARY(age > 17, a, b)`.
///
/// Operands are made from plans, which define their values. An opaque value is left to the plan, and so is every error.
class FlatOperand: Source {
    /// Returns the value. The bytes of a text are in the slots, in the plan or in `room`.
    func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue { .opaque }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        FlatRoom.with { test.result(ofFlat: value(object.assumingMemoryBound(to: FlatValue.self), &$0)) }
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        FlatRoom.with { NumericValue(value(object.assumingMemoryBound(to: FlatValue.self), &$0)) }
    }
}

/// A slot of a flat record; the object is the first slot.
final class FlatSource: FlatOperand {
    private let slot: Int

    init(slot: Int) {
        self.slot = slot
    }

    override func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue { slots[slot] }

    override func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        test.result(ofFlat: object.assumingMemoryBound(to: FlatValue.self)[slot])
    }

    override func number(of object: UnsafeRawPointer) -> NumericValue? {
        NumericValue(object.assumingMemoryBound(to: FlatValue.self)[slot])
    }
}

/// `name.length`: a property of the value in a slot. In a dictionary, it is the member in another slot.
final class FlatProperty: FlatOperand {
    private let slot: Int
    private let member: Int
    private let property: ValueProperty

    init(slot: Int, member: Int, _ property: ValueProperty) {
        (self.slot, self.member, self.property) = (slot, member, property)
    }

    override func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue {
        switch slots[slot] {
        case .null: return .null
        case .opaque, .list: return slots[member]
        case .text(let text) where property.isLength: return .integer(text.lengthInUTF16)
        case .bool, .integer, .double, .date, .text:
            return property.value(of: .value(PredicateValue(flat: slots[slot]))).map { room.store($0) } ?? .opaque
        }
    }
}

/// `"none"`
private final class FlatConstant: FlatOperand {
    private let constant: FlatValue

    init(_ constant: FlatValue) {
        self.constant = constant
    }

    override func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue { constant }
}

/// `price * 2 + 1`
private final class FlatNumber: FlatOperand {
    private let number: Unmanaged<ArithmeticComparison>

    init(_ number: Unmanaged<ArithmeticComparison>) {
        self.number = number
    }

    override func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue {
        guard let number = number._withUnsafeGuaranteedRef({ $0.number(of: slots) }) else { return .opaque }
        return number.isDouble ? .double(number.double) : .integer(number.integer)
    }
}

/// `TERNARY(age > 17, "adult", "child")`
private final class FlatChoice: FlatOperand {
    private let condition: UnsafePointer<Instruction>
    private let (whenTrue, whenFalse): (Unmanaged<FlatOperand>, Unmanaged<FlatOperand>)

    init(
        _ condition: UnsafePointer<Instruction>, _ whenTrue: Unmanaged<FlatOperand>, _ whenFalse: Unmanaged<FlatOperand>
    ) {
        (self.condition, self.whenTrue, self.whenFalse) = (condition, whenTrue, whenFalse)
    }

    override func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue {
        switch condition.run(slots) {
        case .yes: whenTrue._withUnsafeGuaranteedRef { $0.value(slots, &room) }
        case .no: whenFalse._withUnsafeGuaranteedRef { $0.value(slots, &room) }
        case .unknown: .opaque
        }
    }
}

/// `uppercase(name)`, `length(name)`, `month(joined)`: a function of one argument that needs no values of the library.
private final class FlatFunction: FlatOperand {
    private let function: PlainFunction
    private let argument: Unmanaged<FlatOperand>

    init(_ function: PlainFunction, _ argument: Unmanaged<FlatOperand>) {
        (self.function, self.argument) = (function, argument)
    }

    override func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue {
        let value = argument._withUnsafeGuaranteedRef { $0.value(slots, &room) }
        switch (function, value) {
        case (_, .null): return .null
        case (.length, .text(let text)): return .integer(text.lengthInUTF16)
        case (.mapped(let mapping), .text(let text)): return room.store(text, mapped: mapping)
        case (.part(let part, let calendar), .date(let seconds)): return Self.value(of: part, calendar, seconds)
        case (.part(let part, let calendar), .text(let text)):
            guard let date = ISO8601.date(from: text, in: calendar.localZone) else { return .opaque }
            return Self.value(of: part, calendar, date.timeIntervalSinceReferenceDate)
        case (.length, _), (.mapped, _), (.part, _): return .opaque
        }
    }

    private static func value(of part: CalendarPart, _ calendar: ZonedCalendar, _ seconds: Double) -> FlatValue {
        guard seconds.magnitude <= GregorianCalendar.mostSeconds else { return .opaque }
        return .integer(Int64(calendar.value(of: part, at: seconds)))
    }
}

/// `abs(balance)`, `date:truncatedTo:(d, "month")`, `CAST(n, "NSString")`: any function of its arguments.
private final class FlatCall: FlatOperand {
    private let result: ([KeyedValue]) -> KeyedValue?
    private let arguments: [Unmanaged<FlatOperand>]

    init(_ arguments: [Unmanaged<FlatOperand>], _ result: @escaping ([KeyedValue]) -> KeyedValue?) {
        (self.arguments, self.result) = (arguments, result)
    }

    override func value(_ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue {
        var values: [KeyedValue] = []
        values.reserveCapacity(arguments.count)
        for argument in arguments {
            let value = argument._withUnsafeGuaranteedRef { $0.value(slots, &room) }
            guard let plain = PredicateValue(whole: value) else { return .opaque }
            values.append(plain.keyedValue)
        }
        return result(values).map { room.store($0) } ?? .opaque
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The number of UTF-16 code units of UTF-8.
    fileprivate var lengthInUTF16: Int64 {
        var length = 0
        for byte in self { length &+= (byte & 0xC0 != 0x80 ? 1 : 0) &+ (byte >= 0xF0 ? 1 : 0) }
        return Int64(length)
    }
}

// MARK: - Memory

/// Memory for the texts that operands compute.
package struct FlatRoom {
    private var next: UnsafeMutablePointer<UInt8>?
    /// The number of bytes that are left.
    package private(set) var count: Int

    /// The number of bytes for the texts of one expression. An expression that needs more is left to its plan.
    package static let size = 1_024

    package init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        (next, count) = (memory.baseAddress, memory.count)
    }

    /// Calls `body` with memory on the stack.
    @inline(__always)
    static func with<Result>(_ body: (inout FlatRoom) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { memory in
            var room = FlatRoom(memory)
            return body(&room)
        }
    }

    private mutating func take(_ size: Int) -> UnsafeMutablePointer<UInt8>? {
        guard let start = next, size <= count else { return nil }
        (next, count) = (start + size, count - size)
        return start
    }

    /// Returns the flat form of a value; opaque if it has none, or if its text does not fit.
    mutating func store(_ value: KeyedValue) -> FlatValue {
        guard case .value(let value) = value else { return .opaque }
        return store(value)
    }

    mutating func store(_ value: PredicateValue) -> FlatValue {
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .double(let value): return .double(value)
        case .date(let value): return .date(value.timeIntervalSinceReferenceDate)
        case .string(var text): return text.withUTF8 { store($0) }
        case .nullObject, .decimal, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object,
            .expression, .predicate:
            return .opaque
        }
    }

    private mutating func store(_ text: UnsafeBufferPointer<UInt8>) -> FlatValue {
        guard let start = take(text.count) else { return .opaque }
        if let source = text.baseAddress { start.update(from: source, count: text.count) }
        return .text(UnsafeBufferPointer(start: start, count: text.count))
    }

    /// Stores a text in upper or lower case.
    mutating func store(_ text: UnsafeBufferPointer<UInt8>, mapped mapping: CaseMapping) -> FlatValue {
        guard let start = take(text.count) else { return .opaque }
        let first: UInt8 = mapping == .upper ? 0x61 : 0x41
        var bits: UInt8 = 0
        for index in 0..<text.count {
            bits |= text[index]
            start[index] = text[index] ^ (text[index] &- first < 26 ? 0x20 : 0)
        }
        if bits < 0x80 { return .text(UnsafeBufferPointer(start: start, count: text.count)) }
        return store(.string(mapping.map(String(decoding: text, as: UTF8.self))))
    }
}

// MARK: - Compilation

extension ProgramMaker {
    /// Returns the operand for an expression of a flat record; nil if only the plan finds its value.
    func operand(of expression: any ExpressionPlan) -> Unmanaged<FlatOperand>? {
        guard case .flat = subject else { return nil }
        if let value = expression.constant ?? boundValue(of: expression) { return constant(value) }
        switch expression.shape {
        case .path:
            guard let steps = steps(of: expression), case .fetched(let source)? = subject.location(of: steps) else {
                return nil
            }
            return (source as? FlatOperand).map { arena.keep($0) }
        case .arithmetic: return number(of: expression).map { keep(FlatNumber(arena.keep($0))) }
        case .conditional(let condition, let whenTrue, let whenFalse): return choice(condition, whenTrue, whenFalse)
        case .call(let function?, let arguments, _) where arguments.count == 1:
            return operand(of: arguments[0]).map { keep(FlatFunction(function, $0)) }
        case .call(_, let arguments, let result):
            let operands = arguments.compactMap { operand(of: $0) }
            return operands.count == arguments.count ? keep(FlatCall(operands, result)) : nil
        case .constant, .object, .variable, .subquery, .opaque: return nil
        }
    }

    private func keep(_ operand: FlatOperand) -> Unmanaged<FlatOperand> { arena.keep(operand) }

    private func constant(_ value: PredicateValue) -> Unmanaged<FlatOperand>? {
        guard case .string(let text) = value else {
            var room = FlatRoom(UnsafeMutableBufferPointer(start: nil, count: 0))
            let flat = room.store(value)
            if case .opaque = flat { return nil }
            return keep(FlatConstant(flat))
        }
        return keep(FlatConstant(.text(arena.store(Array(text.utf8)))))
    }

    private func choice(
        _ condition: any PredicatePlan, _ whenTrue: any ExpressionPlan, _ whenFalse: any ExpressionPlan
    ) -> Unmanaged<FlatOperand>? {
        var maker = ProgramMaker(subject, slots, elementSlot: elementSlot)
        guard let program = maker.program(of: condition, { _ in .null }),
            let code = arena.keep(program)._withUnsafeGuaranteedRef({ $0.code.baseAddress }),
            let whenTrue = operand(of: whenTrue), let whenFalse = operand(of: whenFalse)
        else { return nil }
        return keep(FlatChoice(code, whenTrue, whenFalse))
    }
}

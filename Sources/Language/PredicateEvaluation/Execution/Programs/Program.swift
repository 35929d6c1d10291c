import PredicateSyntax
import PredicateText

/// A bytecode program: a predicate compiled for objects of one type, which it reads by pointer.
///
/// For a struct, `age > 21 AND name BEGINSWITH "jo"` becomes two instructions. Each has the offset of its property,
/// the constant, and a jump for each result, which implements the short circuit. If an instruction does not decide a
/// leaf, for example because of an error, the plan of the leaf is evaluated, so a program never differs from its
/// plans.
///
/// `@unchecked`: it is immutable after initialization.
final class Program: @unchecked Sendable {
    let code: UnsafeBufferPointer<Instruction>
    /// The plans of the leaves. They own the tests to which instructions point, and decide where the tests cannot.
    private let plans: [any PredicatePlan]
    /// Returns the object at an address as plans see it.
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

    /// Returns true if the predicate holds for the object at an address.
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
    /// Runs the program that begins here; unknown if an instruction does not decide.
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

    /// Executes one instruction; this is the only switch in the interpreter's loop.
    @inline(__always)
    func result(for object: UnsafeRawPointer) -> LeafResult {
        let address = object + pointee.offset
        switch pointee.opcode {
        case .integer: return LeafResult(pointee.holds(integer: address.load(as: Int64.self)))
        case .bool: return LeafResult(pointee.holds(bool: address.load(as: Bool.self)))
        case .double: return LeafResult(pointee.holds(double: address.load(as: Double.self)))
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
        case .fetched:
            return pointee.source?._withUnsafeGuaranteedRef { $0.result(for: object, pointee.test) } ?? .unknown
        case .otherText, .stored, .numeric, .plan: return otherResult(for: object)
        }
    }

    /// Executes an instruction that the loop does not.
    @inline(never)
    private func otherResult(for object: UnsafeRawPointer) -> LeafResult {
        switch pointee.opcode {
        case .otherText, .stored: pointee.type.result(at: object + pointee.offset, pointee.test)
        case .numeric: pointee.numeric?._withUnsafeGuaranteedRef { $0.result(for: object, pointee.test) } ?? .unknown
        case .integer, .bool, .double, .arithmetic, .text, .member, .pattern, .count, .anyEqual, .matchCount,
            .otherList, .fetched, .plan:
            .unknown
        }
    }
}

// MARK: - Cache

/// The cache of an evaluator's bytecode programs: one for each type of object, compiled for the first batch or for the
/// second object that is evaluated by itself, since compiling costs more than the plan does for one object.
///
/// Entries are only added, so a lookup needs neither a lock nor reference counting.
///
/// `@unchecked`: the list is published through an atomic pointer, and its entries do not change afterwards.
final class ProgramCache: @unchecked Sendable {
    /// A type, or a layout of records, with its program; nil if plans are as fast.
    private struct Entry {
        let key: ObjectIdentifier
        let program: Unmanaged<Program>?
        let code: UnsafePointer<Instruction>?
        /// Keeps alive the layout that the key identifies.
        let layout: KeyedRecord.Layout?
        /// The number of entries, including this one.
        let count: Int
        let next: UnsafePointer<Entry>?
    }

    private let plan: any PredicatePlan
    /// The variables of a predicate, none of which is bound from outside.
    let slots: [EvaluationContext.Slot]
    private let head = PublishedPointer()
    /// Points to the plan once a first object has been evaluated by itself.
    private let evaluated = PublishedPointer()
    /// The maximum number of entries. Beyond it, programs are made anew each time, since there may be an unlimited
    /// number of layouts.
    private static let most = 32

    init(_ plan: any PredicatePlan, _ slots: [EvaluationContext.Slot]) {
        self.plan = plan
        self.slots = slots
    }

    deinit {
        var entry = first
        while let current = entry {
            entry = current.pointee.next
            Self.free(UnsafeMutablePointer(mutating: current))
        }
    }

    /// Runs the program for one object without reference counting; unknown if there is no program.
    @inline(__always)
    func result(for object: UnsafeRawPointer, _ type: ObjectIdentifier) -> LeafResult {
        guard let code = entry(Self.key(object, type))?.pointee.code else { return .unknown }
        return code.run(object)
    }

    /// Returns the program for objects like the sample; nil if plans are as fast.
    @inline(__always)
    func program<Object>(for sample: UnsafePointer<Object>) -> Program? {
        let key = Self.key(UnsafeRawPointer(sample), ObjectIdentifier(Object.self))
        if let entry = entry(key) { return entry.pointee.program?.takeUnretainedValue() }
        return add(key, sample)
    }

    /// Evaluates an object with the program for its type; nil if plans are as fast, and for the first object.
    func holds<Object>(_ object: UnsafePointer<Object>) throws(EvaluationError) -> Bool? {
        isFirst ? nil : try program(for: object)?.holds(UnsafeRawPointer(object), slots)
    }

    private var isFirst: Bool {
        guard head.pointer == nil, evaluated.pointer == nil else { return false }
        return evaluated.publish(
            UnsafeRawPointer(Unmanaged.passUnretained(plan as AnyObject).toOpaque()), replacing: nil)
    }

    @inline(__always)
    private func entry(_ key: ObjectIdentifier) -> UnsafePointer<Entry>? {
        var entry = first
        while let current = entry {
            if current.pointee.key == key { return current }
            entry = current.pointee.next
        }
        return nil
    }

    @inline(__always)
    private var first: UnsafePointer<Entry>? {
        head.pointer?.assumingMemoryBound(to: Entry.self)
    }

    /// Records are distinguished by layout, all other objects by type.
    @inline(__always)
    private static func key(_ sample: UnsafeRawPointer, _ type: ObjectIdentifier) -> ObjectIdentifier {
        guard type == ObjectIdentifier(KeyedRecord.self) else { return type }
        return ObjectIdentifier(sample.assumingMemoryBound(to: KeyedRecord.self).pointee.layout)
    }

    @inline(never)
    private func add<Object>(_ key: ObjectIdentifier, _ sample: UnsafePointer<Object>) -> Program? {
        let program = Self.program(of: plan, for: sample, [])
        add(key, sample, program)
        return program
    }

    /// Adds an entry, unless another thread adds one at the same time.
    private func add<Object>(_ key: ObjectIdentifier, _ sample: UnsafePointer<Object>, _ program: Program?) {
        let (next, count) = (first, first?.pointee.count ?? 0)
        guard count < Self.most else { return }
        var layout: KeyedRecord.Layout?
        if Object.self == KeyedRecord.self {
            layout = UnsafeRawPointer(sample).assumingMemoryBound(to: KeyedRecord.self).pointee.layout
        }
        let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
        entry.initialize(
            to: Entry(
                key: key, program: program.map(Unmanaged.passRetained), code: program?.code.baseAddress, layout: layout,
                count: count + 1, next: next))
        if !head.publish(entry, replacing: next) { Self.free(entry) }
    }

    private static func free(_ entry: UnsafeMutablePointer<Entry>) {
        entry.pointee.program?.release()
        entry.deinitialize(count: 1)
        entry.deallocate()
    }

    /// Makes a program for objects like the sample, with the values of variables.
    static func program<Object>(
        of plan: any PredicatePlan, for sample: UnsafePointer<Object>, _ slots: [EvaluationContext.Slot]
    ) -> Program? {
        guard let subject = Subject(Object.self, sample: sample) else { return nil }
        var maker = ProgramMaker(subject, slots)
        return maker.program(of: plan) { address in
            let object = address.assumingMemoryBound(to: Object.self).pointee
            return (object as? any KeyedValueConvertible)?.keyedValue ?? KeyedValue(bridging: object)
        }
    }
}

// MARK: - Memory

/// The memory to which leaves and instructions point; it lives as long as its owner.
///
/// A bump allocator: values are only added, and are freed together. Instructions hold only pointers, so running them
/// needs no reference counting.
final class Arena {
    /// Each block begins with the address of the previous one.
    private var block: UnsafeMutableRawPointer?
    private var next: UnsafeMutableRawPointer?
    private var room = 0
    private var objects: [AnyObject] = []

    private static let alignment = 16
    private static let blockSize = 512

    deinit {
        while let current = block {
            block = current.load(as: UnsafeMutableRawPointer?.self)
            current.deallocate()
        }
    }

    private func allocate<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
        let size = (max(count, 1) * MemoryLayout<Value>.stride + Self.alignment - 1) & ~(Self.alignment - 1)
        if let next, size <= room { return take(size, at: next) }
        let capacity = max(size, Self.blockSize)
        let start = UnsafeMutableRawPointer.allocate(
            byteCount: capacity + Self.alignment, alignment: Self.alignment)
        start.storeBytes(of: block, as: UnsafeMutableRawPointer?.self)
        (block, room) = (start, capacity)
        return take(size, at: start + Self.alignment)
    }

    private func take<Value>(_ size: Int, at start: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
        (next, room) = (start + size, room - size)
        return start.assumingMemoryBound(to: Value.self)
    }

    /// Copies the values.
    func store<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeBufferPointer<Value> {
        let buffer = UnsafeMutableBufferPointer<Value>(start: allocate(values.count), count: values.count)
        _ = buffer.initialize(from: values)
        return UnsafeBufferPointer(buffer)
    }

    /// Copies the value.
    func store<Value: BitwiseCopyable>(_ value: Value) -> UnsafePointer<Value> {
        let start: UnsafeMutablePointer<Value> = allocate(1)
        start.initialize(to: value)
        return UnsafePointer(start)
    }

    /// Copies a folded needle.
    func needle(_ folded: [UInt8], _ mode: FoldMode) -> FlatNeedle {
        let bytes = store(folded)
        return FlatNeedle(bytes, mode, store(NeedleWords(bytes, mode)))
    }

    /// Keeps an object alive.
    func keep<Object: AnyObject>(_ object: Object) -> Unmanaged<Object> {
        objects.append(object)
        return .passUnretained(object)
    }
}

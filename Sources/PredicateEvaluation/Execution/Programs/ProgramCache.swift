import PredicateSyntax

/// The cache of an evaluator's bytecode programs: one for each type of object, compiled for the first of its objects.
///
/// Entries are only ever added, so that looking one up takes neither a lock nor a count of references.
///
/// `@unchecked`: the list is published by one atomic pointer, and what it leads to does not change any more.
final class ProgramCache: @unchecked Sendable {
    /// A type, or a layout of records, and its program; nil where plans are as fast.
    private struct Entry {
        let key: ObjectIdentifier
        let program: Unmanaged<Program>?
        let code: UnsafePointer<Instruction>?
        /// Keeps the layout that the key names.
        let layout: KeyedRecord.Layout?
        /// The number of entries with this one.
        let count: Int
        let next: UnsafePointer<Entry>?
    }

    private let plan: any PredicatePlan
    /// The variables of a predicate of which none is bound from outside.
    let slots: [EvaluationContext.Slot]
    private let head = PublishedPointer()
    /// The most entries; past them programs are made anew each time, since layouts come as a stream.
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

    /// Runs the program for one object without counting a reference; unknown where there is no program.
    @inline(__always)
    func result(for object: UnsafeRawPointer, _ type: ObjectIdentifier) -> LeafResult {
        guard let code = entry(Self.key(object, type))?.pointee.code else { return .unknown }
        return code.run(object)
    }

    /// The program for objects such as the sample; nil where plans are as fast.
    @inline(__always)
    func program<Object>(for sample: UnsafePointer<Object>) -> Program? {
        let key = Self.key(UnsafeRawPointer(sample), ObjectIdentifier(Object.self))
        if let entry = entry(key) { return entry.pointee.program?.takeUnretainedValue() }
        return add(key, sample)
    }

    /// True if the predicate holds for an object, by the program for its type; nil where plans are as fast.
    func holds<Object>(_ object: UnsafePointer<Object>) throws(EvaluationError) -> Bool? {
        try program(for: object)?.holds(UnsafeRawPointer(object), slots)
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

    /// Records differ by their layouts, everything else by type.
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

    /// Adds an entry, unless some other thread adds one at the same time.
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

    /// A program for objects such as the sample, with the values of variables.
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

import PredicateSyntax

/// The evaluation of many objects: variables are bound once, and the bytecode for the type is looked up once.
struct Batch {
    let plan: any PredicatePlan
    let slots: [EvaluationContext.Slot]
    let programs: ProgramCache?
    let hasVariables: Bool

    /// The smallest number of objects for which vectorized execution is faster than evaluating them one by one.
    private static let sweepingCount = 192

    /// Calls `body` with the index of each matching object, in order, until it returns false.
    @inline(__always)
    func forEachMatch<Object>(
        _ objects: UnsafeBufferPointer<Object>, _ keyedValue: (Object) -> KeyedValue, _ body: (Int) -> Bool
    ) throws(EvaluationError) {
        try forEachMatch(objects, keyedValue, each: body) { sweep, start in
            for number in sweep.accepted where !body(start + Int(number)) { return false }
            return true
        }
    }

    /// Returns the number of matching objects.
    func count<Object>(
        _ objects: UnsafeBufferPointer<Object>, _ keyedValue: (Object) -> KeyedValue
    ) throws(EvaluationError) -> Int {
        var count = 0
        try forEachMatch(objects, keyedValue) { _ in
            count += 1
            return true
        } some: { sweep, _ in
            count += sweep.acceptedCount
            return true
        }
        return count
    }

    /// Calls `each` with the index of each matching object, or `some` with the result of a vectorized batch and the index of its
    /// first object, in order, until one of them returns false.
    @inline(__always)
    private func forEachMatch<Object>(
        _ objects: UnsafeBufferPointer<Object>, _ keyedValue: (Object) -> KeyedValue, each body: (Int) -> Bool,
        some: (Sweep, Int) -> Bool
    ) throws(EvaluationError) {
        // The first object determines the program; if there is no object, memory must not be read.
        guard !objects.isEmpty, let start = objects.baseAddress else { return }
        guard let program = program(for: start) else {
            for number in objects.indices where try holds(at: start + number, keyedValue) {
                if !body(number) { return }
            }
            return
        }
        guard objects.count >= Self.sweepingCount, let sweep = Sweep(program, slots) else {
            _ = try forEachMatch(program, start, 0..<objects.count, body)
            return
        }
        for from in stride(from: 0, to: objects.count, by: Sweep.width) {
            let count = min(Sweep.width, objects.count - from)
            let goesOn =
                sweep.run(start + from, count, stride: MemoryLayout<Object>.stride)
                ? some(sweep, from) : try forEachMatch(program, start, from..<(from + count), body)
            if !goesOn { return }
        }
    }

    /// Runs the program object by object; returns false once `body` has returned false.
    private func forEachMatch<Object>(
        _ program: Program, _ start: UnsafePointer<Object>, _ range: Range<Int>, _ body: (Int) -> Bool
    ) throws(EvaluationError) -> Bool {
        for number in range where try program.holds(UnsafeRawPointer(start + number), slots) {
            if !body(number) { return false }
        }
        return true
    }

    /// Evaluates the plan for one value.
    func holds(_ value: KeyedValue) throws(EvaluationError) -> Bool {
        var context = EvaluationContext(object: value, slots: slots)
        return try plan.holds(&context)
    }

    /// Evaluates one of many objects that share no program.
    private func holds<Object>(
        at object: UnsafePointer<Object>, _ keyedValue: (Object) -> KeyedValue
    ) throws(EvaluationError) -> Bool {
        guard !hasVariables, let programs, let object = OpaqueExistential.value(at: object) else {
            return try holds(keyedValue(object.pointee))
        }
        return try holds(opened: object, programs)
    }

    /// Evaluates an element of type `Any` or `any P` as an object of its dynamic type; this generic call opens the existential.
    private func holds<Object>(opened object: Object, _ programs: ProgramCache) throws(EvaluationError) -> Bool {
        try withUnsafePointer(to: object) { (object) throws(EvaluationError) in
            if let result = try programs.holds(object) { return result }
            return try holds(KeyedValue(bridging: object.pointee))
        }
    }

    /// Returns the program for objects like the sample. If the program uses values of variables, it is made for this batch.
    func program<Object>(for sample: UnsafePointer<Object>) -> Program? {
        guard let programs else { return nil }
        if hasVariables { return ProgramCache.program(of: plan, for: sample, slots) }
        return programs.program(for: sample)
    }
}

/// Loops over sequences. Contiguous elements are evaluated together, other elements one by one.
extension Batch {
    func filtered<Elements: Sequence>(
        _ elements: Elements, _ keyedValue: (Elements.Element) -> KeyedValue
    ) throws(EvaluationError) -> [Elements.Element] {
        let whole = try whole(elements) { (objects) throws(EvaluationError) in
            Array(objects, at: try indices(objects, keyedValue)[...])
        }
        if let whole { return whole }
        var kept: [Elements.Element] = []
        try forEachMatch(in: elements, keyedValue) { _, element in
            kept.append(element)
            return true
        }
        return kept
    }

    func first<Elements: Sequence>(
        _ elements: Elements, _ keyedValue: (Elements.Element) -> KeyedValue
    ) throws(EvaluationError) -> Elements.Element? {
        var first: Elements.Element?
        try forEachMatch(in: elements, keyedValue) { _, element in
            first = element
            return false
        }
        return first
    }

    func count<Elements: Sequence>(
        _ elements: Elements, _ keyedValue: (Elements.Element) -> KeyedValue
    ) throws(EvaluationError) -> Int {
        let whole = try whole(elements) { (objects) throws(EvaluationError) in try self.count(objects, keyedValue) }
        if let whole { return whole }
        var count = 0
        try forEachMatch(in: elements, keyedValue) { _, _ in
            count += 1
            return true
        }
        return count
    }

    /// Returns the indices of the matching objects, counted from `first`.
    func indices<Object>(
        _ objects: UnsafeBufferPointer<Object>, from first: Int = 0, _ keyedValue: (Object) -> KeyedValue
    ) throws(EvaluationError) -> [Int] {
        var indices: [Int] = []
        try forEachMatch(objects, keyedValue) { number in
            indices.append(first + number)
            return true
        }
        return indices
    }

    /// Calls `work` with contiguous elements; nil if they are not contiguous.
    private func whole<Elements: Sequence, Outcome>(
        _ elements: Elements,
        _ work: (UnsafeBufferPointer<Elements.Element>) throws(EvaluationError) -> Outcome
    ) throws(EvaluationError) -> Outcome? {
        try elements.withContiguousStorageIfAvailable { objects in
            Result { () throws(EvaluationError) in try work(objects) }
        }?.get()
    }

    /// Calls `body` with each matching element and its index until it returns false.
    private func forEachMatch<Elements: Sequence>(
        in elements: Elements, _ keyedValue: (Elements.Element) -> KeyedValue,
        _ body: (Int, Elements.Element) -> Bool
    ) throws(EvaluationError) {
        let whole: Void? = try whole(elements) { (objects) throws(EvaluationError) in
            try forEachMatch(objects, keyedValue) { body($0, objects[$0]) }
        }
        if whole != nil { return }
        var program: Program?
        for (number, element) in elements.enumerated() {
            let holds = try withUnsafePointer(to: element) { (pointer) throws(EvaluationError) in
                if number == 0 { program = self.program(for: pointer) }
                if let program { return try program.holds(UnsafeRawPointer(pointer), slots) }
                return try self.holds(at: pointer, keyedValue)
            }
            if holds, !body(number, element) { return }
        }
    }
}

/// The values that an instruction of a vectorized batch tests.
protocol BatchValues {
    /// Splits a selection by a test of the value at an offset in each object.
    func partition(_ split: inout SelectionSplit, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool)
}

/// Objects at a constant stride in memory.
struct ObjectAddresses: BatchValues {
    let start: UnsafeRawPointer
    let stride: Int

    @inline(__always)
    func partition(_ split: inout SelectionSplit, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool) {
        let (start, stride) = (start + offset, stride)
        split.forEachRow { holds(start + $0 &* stride) }
    }
}

/// A property of objects at a constant stride, read through its accessor.
struct VisitedObjects: BatchValues {
    private let objects: ObjectAddresses
    private let access: PropertyAccess

    init(_ objects: ObjectAddresses, _ access: PropertyAccess) {
        self.objects = objects
        self.access = access
    }

    @inline(__always)
    func partition(_ split: inout SelectionSplit, at offset: Int, _ holds: (UnsafeRawPointer) -> Bool) {
        let selection = split.selection
        var (result, index) = (split, 0)
        access.visit(access.run(objects, selection, split.count)) { value in
            result.add(selection?[index] ?? UInt16(truncatingIfNeeded: index), holds(value + offset))
            index &+= 1
        }
        split = result
    }
}

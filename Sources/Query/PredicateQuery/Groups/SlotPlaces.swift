import PredicateEvaluation
import PredicateSyntax

/// Where a sieve finds the values that group or sort a record: in slots, or computed from slots.
package struct SlotPlaces {
    private enum Place {
        case slot(Int)
        case computed(Unmanaged<FlatExpression>)
    }

    private var places: [Place] = []
    /// The computed values.
    private var expressions: [FlatExpression] = []
    /// The slots for members whose name is spelled like a value. If a record has such a member, that member is the value.
    package private(set) var spellings: Set<Int> = []

    package init() {}

    /// Adds the value at a path.
    package mutating func add(_ path: [String], spelling: String?, in layout: FlatLayout) {
        add(.slot(layout.slot(of: path)), spelling, layout)
    }

    /// Adds the value of an expression that reads no other key paths than `known`.
    package mutating func add(
        _ evaluator: ExpressionEvaluator, known: [[String]], spelling: String?, in layout: FlatLayout
    ) {
        let expression = FlatExpression(evaluator, known: known, layout)
        expressions.append(expression)
        add(.computed(.passUnretained(expression)), spelling, layout)
    }

    private mutating func add(_ place: Place, _ spelling: String?, _ layout: FlatLayout) {
        places.append(place)
        if let spelling { spellings.insert(layout.slot(of: [spelling])) }
    }

    /// Returns true if the slots hold the values: no member of the record is spelled like one of them.
    @inline(__always)
    private func areValues(_ slots: UnsafePointer<FlatValue>) -> Bool {
        for slot in spellings {
            guard case .null = slots[slot] else { return false }
        }
        return true
    }

    @inline(__always)
    private func value(_ place: Place, _ slots: UnsafePointer<FlatValue>, _ room: inout FlatRoom) -> FlatValue {
        switch place {
        case .slot(let slot): slots[slot]
        case .computed(let expression): expression._withUnsafeGuaranteedRef { $0.value(slots, &room) }
        }
    }

    @inline(__always)
    private static func withRoom<Result>(_ body: (inout FlatRoom) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: FlatRoom.size) { memory in
            var room = FlatRoom(memory)
            return body(&room)
        }
    }

    /// Returns true if the first value certainly sorts after another value, given the prefix of the other.
    package func follow(
        _ slots: UnsafePointer<FlatValue>, _ last: OrderedValue.Prefix, _ order: ValueOrder
    ) -> Bool {
        guard areValues(slots), let place = places.first else { return false }
        return Self.withRoom { room in
            let value = value(place, slots, &room)
            if let prefix = order.prefix(value) { return last < prefix }
            guard let whole = PredicateValue(whole: value) else { return false }
            return last < order.prefix(order.value(whole))
        }
    }

    /// Appends all values of a record to a list. Returns false if the record must be read in full. Lists are valid until the slots
    /// change.
    @inline(__always)
    package func append(_ slots: UnsafePointer<FlatValue>, to values: inout SlotValues) -> Bool {
        guard areValues(slots) else { return false }
        if !expressions.isEmpty { values.makeRoom() }
        for place in places {
            let value = value(place, slots, &values.room)
            if case .opaque = value { return false }
            values.values.append(value)
        }
        return true
    }

    /// Returns all values; nil if the record must be read in full.
    package func values(_ slots: UnsafePointer<FlatValue>) -> [PredicateValue]? {
        guard areValues(slots) else { return nil }
        return Self.withRoom { room in
            var values: [PredicateValue] = []
            values.reserveCapacity(places.count)
            for place in places {
                guard let value = PredicateValue(whole: value(place, slots, &room)) else { return nil }
                values.append(value)
            }
            return values
        }
    }
}

/// The key of one record after another.
package final class SlotKey {
    package private(set) var key = GroupKeys(likeThoseOf: .fixed)
    private var found = SlotValues()

    package init() {}

    /// Makes the key of the values of a record. Returns false if the record must be read in full.
    package func read(_ slots: UnsafePointer<FlatValue>, at places: SlotPlaces) -> Bool {
        found.removeAll()
        key.drop()
        return places.append(slots, to: &found) && found.values.allSatisfy { key.append($0) }
    }
}

/// The flat values of a number of records, and the texts that were computed for them.
package struct SlotValues {
    /// The values of the first record, then those of the second, and so on.
    package fileprivate(set) var values: [FlatValue] = []
    fileprivate var room = FlatRoom(UnsafeMutableBufferPointer(start: nil, count: 0))
    /// Nil before the first text, so that copies of an empty list share nothing.
    private var texts: TextBlocks?

    /// The memory of texts. It is never moved.
    private final class TextBlocks {
        var blocks: [UnsafeMutableBufferPointer<UInt8>] = []

        deinit { for block in blocks { block.deallocate() } }
    }

    private static let blockSize = 64 << 10

    package init() {}

    /// Makes room for the texts of a record.
    @inline(__always)
    fileprivate mutating func makeRoom() {
        if room.count < FlatRoom.size { addBlock() }
    }

    @inline(never)
    private mutating func addBlock() {
        let (texts, block) = (
            texts ?? TextBlocks(), UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.blockSize)
        )
        self.texts = texts
        texts.blocks.append(block)
        room = FlatRoom(block)
    }

    /// Removes the values after the first `count`.
    package mutating func cut(to count: Int) { values.removeLast(values.count - count) }

    /// Removes all values, and frees all blocks of texts but one.
    package mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        guard let texts, let block = texts.blocks.first else { return }
        while texts.blocks.count > 1 { texts.blocks.removeLast().deallocate() }
        room = FlatRoom(block)
    }
}

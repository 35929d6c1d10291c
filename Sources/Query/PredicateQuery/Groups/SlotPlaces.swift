import PredicateEvaluation
import PredicateSyntax

/// Where a sieve finds the values that group or sort a record: in slots, or computed from slots.
package struct SlotPlaces {
    private enum Place {
        case slot(Int)
        case computed(FlatExpression)
    }

    private var places: [Place] = []
    /// The slots of the values; empty if one of them is computed.
    private(set) var slots: [Int] = []
    /// The slots for members that have the spelling of a value as their name. If a record has such a member, it is the value.
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
        add(.computed(FlatExpression(evaluator, known: known, layout)), spelling, layout)
    }

    private mutating func add(_ place: Place, _ spelling: String?, _ layout: FlatLayout) {
        places.append(place)
        let known = places.compactMap { if case .slot(let slot) = $0 { slot } else { nil } }
        slots = known.count == places.count ? known : []
        if let spelling { spellings.insert(layout.slot(of: [spelling])) }
    }

    /// Returns true if the slots hold the values: no member of the record is spelled like one of them.
    @inline(__always)
    func areValues(_ slots: UnsafePointer<FlatValue>) -> Bool {
        for slot in spellings {
            guard case .null = slots[slot] else { return false }
        }
        return true
    }

    /// Returns true if the first value certainly sorts after another value.
    package func follow(_ slots: UnsafePointer<FlatValue>, _ last: OrderedValue, _ order: ValueOrder) -> Bool {
        guard areValues(slots) else { return false }
        if let slot = self.slots.first {
            switch (slots[slot], last) {
            case (.list, _), (.opaque, _): return false
            case (.integer(let left), .number(.integer(let right))): return order.places(left, after: right)
            default: break
            }
        }
        guard let value = values(slots)?.first else { return false }
        return order.compare(order.value(value), last) > 0
    }

    /// Returns the values as one key; nil if the record must be read in full.
    package func key(_ slots: UnsafePointer<FlatValue>) -> GroupKeys? {
        guard areValues(slots) else { return nil }
        var key = GroupKeys(likeThoseOf: .fixed)
        for slot in self.slots where !key.append(slots[slot]) { return nil }
        if !self.slots.isEmpty { return key }
        guard let values = values(slots) else { return nil }
        for value in values { key.append(value) }
        return key
    }

    /// Returns all values; nil if the record must be read in full.
    package func values(_ slots: UnsafePointer<FlatValue>) -> [PredicateValue]? {
        guard areValues(slots) else { return nil }
        var values: [PredicateValue] = []
        values.reserveCapacity(places.count)
        for place in places {
            let value =
                switch place {
                case .slot(let slot): PredicateValue(whole: slots[slot])
                case .computed(let expression): expression.value(slots)
                }
            guard let value else { return nil }
            values.append(value)
        }
        return values
    }
}

import PredicateSyntax

/// The limit on results that are larger than their operands.
///
/// A chain of `$a := FUNCTION($a, "stringByAppendingString:", $a)` doubles a text each time; forty of them would fill
/// any memory.
enum ResultLimit {
    /// The size of an element of a collection, in bytes; the bytes of its text are added.
    private static let elementSize = 16

    /// Checks the size of a text in bytes. Throws `resultTooLarge`.
    static func check(_ size: Int, _ limits: PredicateLimits) throws(Fault) {
        if size > limits.resultSize { throw Fault(.resultTooLarge(limit: limits.resultSize)) }
    }

    /// Checks the size of a value, collections inside collections counted in full. Throws `resultTooLarge`.
    static func check(_ value: KeyedValue, _ limits: PredicateLimits) throws(Fault) {
        var size = 0
        var waiting = [value]
        while let next = waiting.popLast() {
            size += elementSize + (next.text?.utf8.count ?? 0)
            if next.isCompound, let elements = next.elements {
                try check(size + elementSize * (waiting.count + elements.count), limits)
                waiting += elements
            }
        }
        try check(size, limits)
    }

    /// Checks the size of the value's description, in which each level of a collection indents those below it. Throws
    /// `resultTooLarge`.
    static func check(descriptionOf value: KeyedValue, _ limits: PredicateLimits) throws(Fault) {
        guard value.isCompound else { return }
        var size = 0
        var waiting: [(value: KeyedValue, depth: Int)] = [(value, 0)]
        while let (next, depth) = waiting.popLast() {
            size += 4 * depth + (next.text?.utf8.count ?? 0)
            try check(size, limits)
            if depth < limits.nesting, next.isCompound, let elements = next.elements {
                waiting += elements.map { ($0, depth + 1) }
            }
        }
    }
}

extension KeyedValue {
    /// True for a collection or a dictionary.
    var isCompound: Bool {
        switch self {
        case .value(.array), .value(.set), .value(.orderedSet), .value(.dictionary), .collection: true
        case .object(let object): object is any DictionaryCoding
        case .value: false
        }
    }
}

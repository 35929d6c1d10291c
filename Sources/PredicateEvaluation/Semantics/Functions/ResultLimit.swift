import PredicateSyntax

/// How large a result may grow that is larger than what it was made of.
///
/// A chain of `$a := FUNCTION($a, "stringByAppendingString:", $a)` doubles a text each time; forty of them would fill
/// any memory.
enum ResultLimit {
    /// What an element of a collection counts as, besides the bytes of a text.
    private static let elementSize = 16

    /// Throws `resultTooLarge` for a text of so many bytes.
    static func check(_ size: Int, _ limits: PredicateLimits) throws(Fault) {
        if size > limits.resultSize { throw Fault(.resultTooLarge(limit: limits.resultSize)) }
    }

    /// Throws `resultTooLarge` for a value that holds too much, collections inside collections counted in full.
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

    /// Throws `resultTooLarge` for a value whose description would be too long: of collections each level indents
    /// those below it.
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
    /// Whether the value is a collection or a dictionary.
    var isCompound: Bool {
        switch self {
        case .value(.array), .value(.set), .value(.orderedSet), .value(.dictionary), .collection: true
        case .object(let object): object is any DictionaryCoding
        case .value: false
        }
    }
}

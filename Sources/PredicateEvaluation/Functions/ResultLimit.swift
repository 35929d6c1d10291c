import PredicateSyntax

/// How large a result may grow that is larger than what it was made of.
///
/// A chain of `$a := FUNCTION($a, "stringByAppendingString:", $a)` doubles a text each time; forty of them would fill
/// any memory.
enum ResultLimit {
    /// Bytes of a text; an element of a collection, with all that nests in it, counts as so many.
    static let size = 1 << 24
    private static let elementSize = 16

    /// Throws `resultTooLarge` for a text of so many bytes.
    static func check(_ size: Int) throws(Fault) {
        if size > Self.size { throw Fault(.resultTooLarge(limit: Self.size)) }
    }

    /// Throws `resultTooLarge` for a value that holds too much, collections inside collections counted in full.
    static func check(_ value: KeyedValue) throws(Fault) {
        var size = 0
        var waiting = [value]
        while let next = waiting.popLast() {
            size += elementSize + (next.text?.utf8.count ?? 0)
            let isCollection = next.collectionKind != nil || next.entries != nil
            if isCollection, let elements = next.elements {
                try check(size + elementSize * (waiting.count + elements.count))
                waiting += elements
            }
        }
        try check(size)
    }
}

import PredicateText

/// `predicates15_fold_cd(name)`: the fold that `[c]` and `[d]` stand for, by the table that the evaluator uses.
///
/// The number in the name is the version of Unicode that the table was made from, since an index on a folded column is
/// good for one version only.
enum FoldFunction {
    static func body(_ mode: FoldMode) -> FunctionBody {
        let scratch = Scratch()
        return { call in
            let text = call.utf8(0)
            if stays(text, mode) { return call.returnArgument(0) }
            scratch.bytes.removeAll(keepingCapacity: true)
            Folding.appendFolded(text, mode, to: &scratch.bytes)
            call.return(scratch.bytes)
            scratch.releaseIfLarge()
        }
    }

    /// Whether the text is ASCII that the fold leaves as it is.
    private static func stays(_ text: UnsafeBufferPointer<UInt8>, _ mode: FoldMode) -> Bool {
        var highBits: UInt8 = 0
        for byte in text { highBits |= byte }
        guard highBits < 0x80 else { return false }
        guard mode != .diacriticInsensitive else { return true }
        return !text.contains { $0 &- UInt8(ascii: "A") < 26 }
    }

    /// Room for the folded text, used again by the next call.
    private final class Scratch {
        var bytes: [UInt8] = []

        func releaseIfLarge() {
            if bytes.capacity > 1 << 20 { bytes = [] }
        }
    }
}

/// `predicates_length(name)`
enum TextLength {
    /// One unit for each code point, and one more for those that UTF-8 writes in four bytes.
    static func utf16(_ text: UnsafeBufferPointer<UInt8>) -> Int64 {
        var count: Int64 = 0
        for byte in text { count += byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }
        return count
    }
}

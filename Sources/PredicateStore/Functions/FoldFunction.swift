import PredicateText

/// `predicates2_fold_cd(name)`: the text folded for `[c]` and `[d]`, with the table of the evaluator.
///
/// The number in the name is the version of the fold, since an index on a folded column is valid for one version only.
enum FoldFunction {
    static func body(_ mode: FoldMode) -> FunctionBody {
        let scratch = Scratch()
        return { call in
            let text = call.utf8(0)
            if isUnchanged(text, mode) { return call.returnArgument(0) }
            scratch.bytes.removeAll(keepingCapacity: true)
            Folding.appendFolded(text, mode, to: &scratch.bytes)
            call.return(scratch.bytes)
            scratch.releaseIfLarge()
        }
    }

    /// True if the text is ASCII and folding does not change it.
    private static func isUnchanged(_ text: UnsafeBufferPointer<UInt8>, _ mode: FoldMode) -> Bool {
        var highBits: UInt8 = 0
        for byte in text { highBits |= byte }
        guard highBits < 0x80 else { return false }
        guard mode != .diacriticInsensitive else { return true }
        return !text.contains { $0 &- UInt8(ascii: "A") < 26 }
    }

    /// A buffer for the folded text, reused by the next call.
    private final class Scratch {
        var bytes: [UInt8] = []

        func releaseIfLarge() {
            if bytes.capacity > 1 << 20 { bytes = [] }
        }
    }
}

/// `predicates_length(name)`
enum TextLength {
    /// The length in UTF-16 code units: one for each code point, two for those of four bytes in UTF-8.
    static func utf16(_ text: UnsafeBufferPointer<UInt8>) -> Int64 {
        var count: Int64 = 0
        for byte in text { count += byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }
        return count
    }
}

internal import CPredicateSQLite
import PredicateText

/// `predicates2_fold_cd(name)`: the text folded for `[c]` and `[d]`, with the table of the evaluator.
///
/// The number in the name is the version of the fold, since an index on a folded column is valid for one version only.
enum FoldFunction {
    @inline(__always)
    static func call(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ mode: FoldMode
    ) {
        guard let context, let arguments else { return }
        guard let start = sqlite3_value_text(arguments[0]) else { return sqlite3_result_null(context) }
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[0])))
        ReadableText.read(text) { text in
            Folding.withFolded(text, mode) { FunctionCall(context, arguments).returnText($0) }
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

/// The languages whose code is divided into tokens.
enum CodeLanguage {
    case swift
    case objectiveC
}

/// A token of Swift or Objective-C, as far as the search for calls needs it.
struct CodeToken {
    enum Kind {
        /// The end of the source.
        case end
        /// `filter`, `` `default` ``, `#keyPath`, `$0`
        case word
        /// `42`, `1.5e3`
        case number
        /// `"…"`, `#"…"#`, `"""…"""`, `@"…"`, with all that is interpolated
        case string
        /// `'a'`, `/[a-z]+/`
        case opaque
        /// One character of punctuation.
        case symbol
        /// `#if 0`, `#else`, `#endif`: the whole line
        case condition
        /// `#define NAME …`, `#import …`: the whole line with its continuations
        case directive
    }

    var kind: Kind
    var start: Int
    var end: Int
    /// The character of a symbol; 0 for other tokens.
    var symbol: UInt8 = 0

    var range: Range<Int> { start..<end }

    @inline(__always)
    func `is`(_ mark: Unicode.Scalar) -> Bool { symbol == UInt8(ascii: mark) }
}

/// The refusal to archive a predicate or an expression: a code, the print of the whole, and the place in it.
///
/// `JSONEncoder().encode(FormatPredicate(name: "adult") { … })`: `block("adult")`
///
/// Encoders throw it as it is.
public struct PredicateArchiveError: PredicateDiagnostic {
    /// The part that has no archived form.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// `BLOCKPREDICATE(<"adult">)`: a closure of the host, with its name
        case block(String)
    }

    public var code: Code
    /// The predicate as it prints.
    public var text: String
    /// The offending range of ``text``, as UTF-8 offsets.
    public var range: Range<Int>

    /// An error in an archive, with the text of the archive and the range of bytes of the fault.
    public init(_ code: Code, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.text = text
        self.range = range
    }
}

/// An error with an excerpt: a code, the text it is about, and the offending range of that text.
///
/// Every error about a predicate has this shape, whichever stage reports it. ``description`` renders it for a terminal:
///
///     error: expected a value, a key path or a function
///       age >= AND name == 'A'
///              ^~~
///     hint: a comparison has a value on both sides: age >= 21
public protocol PredicateDiagnostic: Error, Hashable, Sendable, CustomStringConvertible, Encodable {
    /// What an error says: an enum that callers switch over.
    associatedtype Code: Hashable, Sendable

    /// The kind of error, with the names and values that it is about.
    var code: Code { get }
    /// The format string, or the offending node as it prints; empty where there is neither.
    var text: String { get }
    /// The offending range of ``text``, as UTF-8 offsets.
    var range: Range<Int> { get }
    /// One line that says what is wrong: `expected an operator, found NOT IN`.
    var title: String { get }
    /// The words next to the caret; nil if the title is enough.
    var label: String? { get }
    /// Cures, each a sentence without a full stop.
    var hints: [String] { get }
}

extension PredicateDiagnostic {
    /// The title, the excerpt with a caret, and the hints, one per line.
    public var description: String {
        ErrorRenderer.render(title: title, source: text, range: range, label: label, hints: hints)
    }
}

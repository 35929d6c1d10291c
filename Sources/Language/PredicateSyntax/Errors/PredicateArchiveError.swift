/// An error in encoding a predicate or an expression, or in decoding a tree from JSON: a code, a text (the printed tree or the
/// place in the JSON), and the offending range of that text.
///
/// `JSONEncoder().encode(FormatPredicate(name: "adult") { … })`: `block("adult")`
///
/// Encoders and decoders rethrow it unchanged.
public struct PredicateArchiveError: PredicateDiagnostic {
    /// The kind of error. Above each case is the shortest JSON that causes it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// `BLOCKPREDICATE(<"adult">)`: a closure of the host, with its name
        case block(String)
        /// `{}`, `{"and": [], "or": []}`: none of the members that name a kind of node, or several of them
        case kind(of: [String])
        /// `{"key": "age", "nmae": 1}`: a member that nodes of this kind do not have
        case member(String, known: [String])
        /// `{"operator": "=>=", …}`: a word that is not one of the member's values
        case word(String, known: [String])
        /// `{"not": {"not": …}}`, nested too deeply
        case nesting(limit: Int)
    }

    public var code: Code
    /// The printed predicate, or the place in the JSON: `and[1].operator`.
    public var text: String
    /// The offending range of ``text`` as UTF-8 offsets.
    public var range: Range<Int>

    /// Makes an error with the printed tree and its offending range.
    package init(_ code: Code, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.text = text
        self.range = range
    }

    /// Makes an error at a place in JSON.
    init(_ code: Code, at path: [any CodingKey]) {
        let words = path.map { key in key.intValue.map { "[\($0)]" } ?? "." + key.stringValue }
        let place = String(words.joined().drop { $0 == "." })
        self.init(code, text: place, range: 0..<place.utf8.count)
    }
}

/// The wording of archive errors.
extension PredicateArchiveError {
    public var title: String {
        switch code {
        case .block(let name): "the block '\(name)' cannot be archived"
        case .kind: "expected one member that names the kind of node"
        case .member(let name, _): "a node of this kind has no member '\(name)'"
        case .word(let word, _): "unknown word '\(word)'"
        case .nesting(let limit): "expected at most \(limit) levels of nesting"
        }
    }

    public var label: String? {
        switch code {
        case .block: "a closure exists only in its program"
        case .kind, .member, .word, .nesting: nil
        }
    }

    public var hints: [String] {
        switch code {
        case .block: ["archive the rest, and join the block to it with && after decoding"]
        case .kind(let known), .member(_, let known), .word(_, let known):
            ["use one of \(known.joined(separator: ", "))"]
        case .nesting: ["use one list for a chain of conditions"]
        }
    }
}

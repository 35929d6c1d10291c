import PredicateLint
import PredicateSyntax

/// A document that an editor has open, with what there is to say about it.
struct OpenDocument {
    /// Bytes of the text that are looked at; a longer document has no findings.
    static let longest = 1 << 24

    let kind: DocumentKind
    private(set) var text: TextDocument
    var version: PredicateValue?
    private(set) var analysis: Analysis

    init(_ text: String, _ kind: DocumentKind, _ linter: Linter) {
        self.kind = kind
        self.text = TextDocument(text)
        analysis = Analysis(TextDocument(""), kind, linter)
        analyze(linter)
    }

    /// Applies changes in their order: each replaces a range, or the whole text.
    mutating func apply(_ changes: [TextChange], _ linter: Linter) {
        for change in changes {
            if let range = change.range {
                text.replace(range, with: change.text)
            } else {
                text = TextDocument(change.text)
            }
        }
        analyze(linter)
    }

    mutating func analyze(_ linter: Linter) {
        analysis = Analysis(text.bytes.count > Self.longest ? TextDocument("") : text, kind, linter)
    }

    /// The keys and the variables of all predicates of the document, but for the one that is being written.
    func names(except range: Range<Int>) -> (keys: Set<String>, variables: Set<String>) {
        var keys: Set<String> = [], variables: Set<String> = []
        for site in analysis.sites.prefix(1_000) where site.range != range {
            let references: PredicateReferences
            switch site.parse {
            case .predicate(let predicate): references = PredicateReferences(predicate.node)
            case .expression(let expression): references = PredicateReferences(expression.node)
            case .failure: continue
            }
            keys.formUnion(references.keyPaths)
            variables.formUnion(references.variables.filter { !$0.hasPrefix("argument") })
        }
        return (keys, variables)
    }
}

/// A change of a document: a text for a range, or for all of it.
struct TextChange: Hashable {
    var range: Range<TextPosition>?
    var text: String
}

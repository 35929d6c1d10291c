import PredicateChecks
import PredicateLint
import PredicateSyntax

/// An open document of an editor with its analysis.
struct OpenDocument {
    /// The maximum length of a document in bytes; longer ones have no findings.
    static let longest = 1 << 24

    let kind: DocumentKind
    private(set) var text: TextDocument
    var version: PredicateValue?
    private(set) var analysis = Analysis()
    /// What was known about the file when it was analyzed.
    private(set) var scope = FileScope()
    /// True if the text or the project has changed since the analysis.
    var isStale = true

    init(_ text: String, _ kind: DocumentKind) {
        self.kind = kind
        self.text = TextDocument(text)
    }

    /// Applies changes in order. Each replaces a range or the whole text.
    mutating func apply(_ changes: [TextChange]) {
        isStale = true
        for change in changes {
            if let range = change.range {
                text.replace(range, with: change.text)
            } else {
                text = TextDocument(change.text)
            }
        }
    }

    mutating func analyze(_ scope: FileScope) {
        self.scope = scope
        isStale = false
        analysis = text.bytes.count > Self.longest ? Analysis() : Analysis(text, kind, scope)
        if scope.isExcluded { analysis.removeProblems() }
    }

    /// The keys and variables of all predicates of the document, except the one in a given range, which is being edited.
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

/// A change of a document: new text for a range or for the whole document.
struct TextChange: Hashable {
    var range: Range<TextPosition>?
    var text: String
}

/// A position in a document: a line from 0, and a column that counts UTF-16 code units, as in the protocol.
struct TextPosition: Hashable, Comparable {
    var line: Int
    var character: Int

    static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }

    /// The position in the form of the protocol.
    var value: PredicateValue { .object(["line": .integer(Int64(line)), "character": .integer(Int64(character))]) }
}

/// The text of an open document as UTF-8, with its lines.
struct TextDocument {
    private(set) var bytes: [UInt8]
    private(set) var lines: LineTable

    init(_ text: String) {
        bytes = Array(text.utf8)
        lines = LineTable(bytes)
    }

    /// Replaces a part of the text.
    mutating func replace(_ range: Range<TextPosition>, with text: String) {
        let lower = offset(of: range.lowerBound)
        let upper = max(lower, offset(of: range.upperBound))
        bytes.replaceSubrange(lower..<upper, with: text.utf8)
        lines = LineTable(bytes)
    }

    /// The offset of a position. A position after the end of its line is the line's end; one after the last line is
    /// the end of the text; one inside a surrogate pair is the start of the pair.
    func offset(of position: TextPosition) -> Int {
        guard position.line >= 0 else { return 0 }
        guard position.line < lines.count else { return bytes.count }
        let line = content(ofLine: position.line)
        var (offset, left) = (line.lowerBound, position.character)
        while offset < line.upperBound {
            let units = Self.units(bytes[offset])
            guard left >= units else { break }
            left -= units
            offset += Self.length(bytes[offset])
        }
        return min(offset, line.upperBound)
    }

    /// The position of an offset. An offset inside a character gives the start of the character.
    func position(of offset: Int) -> TextPosition {
        let offset = min(max(offset, 0), bytes.count)
        let place = lines.place(of: offset)
        var (index, character) = (offset - place.column + 1, 0)
        while index < offset {
            let length = Self.length(bytes[index])
            guard index + length <= offset else { break }
            character += Self.units(bytes[index])
            index += length
        }
        return TextPosition(line: place.line - 1, character: character)
    }

    /// The range of a line, numbered from 0, without its line break.
    func content(ofLine line: Int) -> Range<Int> {
        var range = lines.range(ofLine: line + 1)
        while let last = range.last, bytes[last] == 0x0A || bytes[last] == 0x0D { range.removeLast() }
        return range
    }

    /// The length of the character that begins with a byte.
    private static func length(_ byte: UInt8) -> Int {
        byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    }

    /// The number of UTF-16 code units of the character that begins with a byte.
    private static func units(_ byte: UInt8) -> Int { byte < 0xF0 ? 1 : 2 }
}

enum DocumentKind: Hashable {
    /// Source code or another file in which calls and strings are found.
    case source(SourceKind)
    /// A file with one predicate after another: `.predicate`, `.predicates` and `.nspredicate`.
    case predicates

    /// Creates the kind from an editor's language identifier or else from the path; nil for a document without predicates.
    init?(language: String, path: String) {
        switch language {
        case "swift": self = .source(.swift)
        case "objective-c", "objective-cpp", "objc", "objcpp": self = .source(.objectiveC)
        case "predicate", "predicates", "nspredicate": self = .predicates
        case "shellscript", "sh": self = .source(.script)
        default:
            let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
            if ["predicate", "predicates", "nspredicate"].contains(ending) {
                self = .predicates
            } else if let kind = SourceKind(path: path) {
                self = .source(kind)
            } else {
                return nil
            }
        }
    }
}

/// The predicates of a file that contains nothing else.
///
///     # Grown-ups
///     age >= 18
///     (name BEGINSWITH "jo"
///         OR name BEGINSWITH "al")
///
/// A predicate continues on the next line while a bracket or quote is open, but not past an empty line and for at
/// most 200 lines. A line that begins with `//`, or with `#` and a blank, is a comment. `# predicate:entity Person`
/// sets the entity of the predicates after it.
enum PlainPredicates {
    private static let mostLines = 200

    /// A predicate: its range in bytes, and the entity of its objects, if a comment gives it.
    struct Predicate: Hashable {
        var range: Range<Int>
        var entity: String?
    }

    /// The predicates in file order.
    static func all(in document: TextDocument) -> [Predicate] {
        var found: [Predicate] = []
        var entity: String?
        var open: Range<Int>?
        var lines = 0
        for line in 0..<document.lines.count {
            let content = trimmed(document.content(ofLine: line), document.bytes)
            guard !content.isEmpty else {
                open.map { found.append(Predicate(range: $0, entity: entity)) }
                open = nil
                continue
            }
            if open == nil, isComment(content, document.bytes) {
                entity = Self.entity(content, document.bytes) ?? entity
                continue
            }
            let whole = (open?.lowerBound ?? content.lowerBound)..<content.upperBound
            lines = open == nil ? 1 : lines + 1
            open = whole
            guard lines == mostLines || !isOpen(document.bytes[whole]) else { continue }
            found.append(Predicate(range: whole, entity: entity))
            open = nil
        }
        open.map { found.append(Predicate(range: $0, entity: entity)) }
        return found
    }

    /// `# predicate:entity Person`
    private static func entity(_ comment: Range<Int>, _ bytes: [UInt8]) -> String? {
        let words = String(decoding: bytes[comment], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard let mark = words.firstIndex(of: "predicate:entity"), mark + 1 < words.count else { return nil }
        return String(words[mark + 1])
    }

    private static func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, bytes[lower] == 0x20 || bytes[lower] == 0x09 { lower += 1 }
        while lower < upper, bytes[upper - 1] == 0x20 || bytes[upper - 1] == 0x09 { upper -= 1 }
        return lower..<upper
    }

    private static func isOpen(_ bytes: ArraySlice<UInt8>) -> Bool {
        OpenInput.state(of: String(decoding: bytes, as: UTF8.self)) == .bracket
    }

    private static func isComment(_ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        let text = bytes[range]
        return text.starts(with: "//".utf8) || text.starts(with: "# ".utf8) || text.elementsEqual("#".utf8)
    }
}

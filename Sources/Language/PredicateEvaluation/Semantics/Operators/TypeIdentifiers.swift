import PredicateSyntax
import PredicateText

/// `type UTI-EQUALS "public.png"`, `type UTI-CONFORMS-TO "public.image"`: type identifiers, compared without regard
/// to case.
///
/// The registry holds the conformances: a table of well-known identifiers, and the identifiers of the host. False if either
/// side is nil. Throws `notAString` for every other value.
final class TypeIdentifierRelation: Relation {
    enum Kind: Sendable {
        case equals
        case conforms(TypeIdentifiers)
    }

    private let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let identifier = try left.requiredText(operand: 0)
        let other = try right.requiredText(operand: 1)
        switch kind {
        case .equals: return TextSearch.equal(identifier, other, .caseInsensitive)
        case .conforms(let identifiers): return identifiers.conforms(identifier, to: other)
        }
    }
}

/// The conformances of type identifiers, to which hosts can add.
///
/// `type UTI-CONFORMS-TO "public.image"` holds for `public.png`.
package struct TypeIdentifiers: Sendable {
    private var parents: [String: [String]]

    static let standard = TypeIdentifiers(parents: wellKnown)

    private init(parents: [String: [String]]) {
        self.parents = parents
    }

    mutating func register(_ identifier: String, conformsTo others: [String]) {
        parents[identifier.lowercased(), default: []] += others.map { $0.lowercased() }
    }

    /// True if the identifiers are equal, or if the first conforms to the other, directly or indirectly.
    package func conforms(_ identifier: String, to other: String) -> Bool {
        let goal = other.lowercased()
        var waiting = [identifier.lowercased()]
        var seen: Set<String> = []
        while let next = waiting.popLast() {
            if next == goal { return true }
            // A host may have registered a cycle.
            if seen.insert(next).inserted { waiting += parents[next] ?? [] }
        }
        return false
    }
}

extension TypeIdentifiers {
    /// Common identifiers of files and messages, with the identifiers that each conforms to; all are lower case.
    static let wellKnown: [String: [String]] = {
        var parents: [String: [String]] = [:]
        for line in lines.split(separator: "\n") {
            let names = line.split(separator: " ").map(String.init)
            if let identifier = names.first { parents[identifier] = Array(names.dropFirst()) }
        }
        return parents
    }()

    /// Each line is an identifier, followed by the identifiers that it conforms to.
    private static let lines = """
        com.adobe.pdf public.data public.composite-content
        com.adobe.photoshop-image public.image
        com.adobe.raw-image public.image
        com.apple.application public.executable
        com.apple.application-bundle com.apple.application com.apple.bundle com.apple.package
        com.apple.bundle public.directory
        com.apple.disk-image public.archive
        com.apple.framework com.apple.bundle
        com.apple.ical.ics public.calendar-event public.text
        com.apple.icns public.image
        com.apple.keynote.key public.presentation
        com.apple.m4a-audio public.mpeg-4-audio
        com.apple.numbers.numbers public.spreadsheet
        com.apple.package public.directory
        com.apple.plugin com.apple.bundle
        com.apple.property-list public.data
        com.apple.quicktime-movie public.movie
        com.apple.rtfd com.apple.package public.composite-content
        com.compuserve.gif public.image
        com.microsoft.bmp public.image
        com.microsoft.excel.xls public.spreadsheet
        com.microsoft.ico public.image
        com.microsoft.powerpoint.ppt public.presentation
        com.microsoft.waveform-audio public.audio
        com.microsoft.windows-executable public.executable
        com.microsoft.word.doc public.data public.composite-content
        com.netscape.javascript-source public.script
        com.rarlab.rar-archive public.archive
        com.sun.java-source public.source-code
        net.daringfireball.markdown public.plain-text
        org.7-zip.7-zip-archive public.archive
        org.gnu.gnu-zip-archive public.archive
        org.idpf.epub-container public.data public.composite-content
        org.matroska.mkv public.movie
        org.openxmlformats.presentationml.presentation public.presentation
        org.openxmlformats.spreadsheetml.sheet public.spreadsheet
        org.openxmlformats.wordprocessingml.document public.data public.composite-content
        org.webmproject.webm public.movie
        org.webmproject.webp public.image
        org.xiph.flac public.audio
        public.3d-content public.data public.content
        public.aiff-audio public.audio
        public.archive public.data
        public.assembly-source public.source-code
        public.audio public.audiovisual-content
        public.audiovisual-content public.data public.content
        public.avi public.movie
        public.bzip2-archive public.archive
        public.c-header public.source-code
        public.c-plus-plus-source public.source-code
        public.c-source public.source-code
        public.calendar-event public.data
        public.camera-raw-image public.image
        public.comma-separated-values-text public.delimited-values-text
        public.composite-content public.content
        public.contact public.data
        public.data public.item
        public.database public.data
        public.delimited-values-text public.text
        public.directory public.item
        public.executable public.data
        public.file-url public.url
        public.folder public.directory
        public.font public.data
        public.heic public.heif-standard
        public.heif public.heif-standard
        public.heif-standard public.image
        public.html public.text
        public.image public.data public.content
        public.jpeg public.image
        public.jpeg-2000 public.image
        public.json public.text
        public.log public.plain-text
        public.message public.data
        public.midi-audio public.audio
        public.movie public.audiovisual-content
        public.mp3 public.audio
        public.mpeg public.movie
        public.mpeg-4 public.movie
        public.mpeg-4-audio public.audio
        public.objective-c-source public.source-code
        public.opentype-font public.font
        public.perl-script public.script
        public.php-script public.script
        public.plain-text public.text
        public.playlist public.audiovisual-content
        public.png public.image
        public.presentation public.data public.composite-content
        public.python-script public.script
        public.rss public.xml
        public.rtf public.text
        public.ruby-script public.script
        public.script public.source-code
        public.shell-script public.script
        public.source-code public.plain-text
        public.spreadsheet public.data public.composite-content
        public.svg-image public.image public.xml
        public.swift-source public.source-code
        public.symlink public.item
        public.tab-separated-values-text public.delimited-values-text
        public.tar-archive public.archive
        public.text public.data public.content
        public.tiff public.image
        public.truetype-collection-font public.font
        public.truetype-ttf-font public.font
        public.unix-executable public.executable
        public.url public.data
        public.utf16-plain-text public.plain-text
        public.utf8-plain-text public.plain-text
        public.vcard public.text public.contact
        public.video public.movie
        public.volume public.item
        public.xhtml public.html public.xml
        public.xml public.text
        public.yaml public.text
        public.zip-archive public.archive
        """
}

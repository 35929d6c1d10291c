/// Reads XML in UTF-8 into a tree of elements; the input may be untrusted.
///
/// It supports what model files contain: elements, attributes, text, CDATA, comments, processing instructions and the
/// predefined entities. A document type may refer to an external definition, which is never opened. One that declares
/// entities is rejected, so text cannot grow while it is read. Nesting and the number of nodes are limited. Foundation's
/// XMLParser is not used, because it would link the command to libxml2.
package struct XMLReader {
    private let bytes: [UInt8]
    private let limits: ModelLimits
    private var position = 0
    /// The line that begins at ``lineStart``.
    private var line = 1
    private var lineStart = 0
    private var counted = 0
    private var budget: Int
    private var open: [XMLElementNode] = []
    private var root: XMLElementNode?
    /// True if the children of the root are returned one by one and not kept.
    private var handsOverChildren = false
    private var child: XMLElementNode?

    /// The maximum number of attributes of an element, which are searched linearly.
    private static let mostAttributes = 500

    /// True if the first character after a byte order mark and blanks is `<`.
    package static func mayBeXML(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes[start...].first { !isSpace($0) } == UInt8(ascii: "<")
    }

    /// The bytes converted to UTF-8 if a byte order mark shows that they are UTF-16.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        let (isBig, isLittle) = (bytes.starts(with: [0xFE, 0xFF]), bytes.starts(with: [0xFF, 0xFE]))
        guard isBig || isLittle else { return bytes }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            return isBig ? unit : unit.byteSwapped
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    static func read(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> XMLElementNode {
        var reader = try XMLReader(bytes, limits)
        return try reader.document()
    }

    /// A reader that returns the children of the root one by one, so that a large document is never a tree.
    ///
    ///     var reader = try XMLReader(children: bytes, limits: limits)
    ///     while let object = try reader.nextChild() { … }
    package init(children bytes: [UInt8], limits: ModelLimits) throws(ModelError) {
        try self.init(bytes, limits)
        handsOverChildren = true
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The name of the root element; nil before it begins.
    package var rootName: String? { open.first?.name ?? root?.name }

    /// The next child of the root; nil at the end of the document.
    package mutating func nextChild() throws(ModelError) -> XMLElementNode? {
        while position < bytes.count {
            try step()
            if let found = child {
                child = nil
                return found
            }
        }
        _ = try finished()
        return nil
    }

    private init(_ bytes: [UInt8], _ limits: ModelLimits) throws(ModelError) {
        guard bytes.count <= limits.fileSize else {
            throw ModelError(.exceeds(.fileSize, limit: limits.fileSize))
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ModelError(.notXML("the file is not UTF-8"))
        }
        self.bytes = bytes
        self.limits = limits
        budget = limits.objects
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func document() throws(ModelError) -> XMLElementNode {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        while position < bytes.count { try step() }
        return try finished()
    }

    private mutating func step() throws(ModelError) {
        if bytes[position] == UInt8(ascii: "<") { try markup() } else { try characters() }
    }

    private mutating func finished() throws(ModelError) -> XMLElementNode {
        guard open.isEmpty else { throw failure("<\(open[open.count - 1].name)> is not closed") }
        guard let root else { throw failure("the document has no element") }
        return root
    }

    // MARK: Places

    private mutating func place(at offset: Int) -> (line: Int, column: Int) {
        while counted < min(offset, bytes.count) {
            if bytes[counted] == UInt8(ascii: "\n") {
                line += 1
                lineStart = counted + 1
            }
            counted += 1
        }
        return (line, offset - lineStart + 1)
    }

    private mutating func failure(_ reason: String, _ code: ModelError.Code? = nil) -> ModelError {
        let (line, column) = place(at: position)
        return ModelError(code ?? .notXML(reason), at: ModelPlace(line: line, column: column))
    }

    private mutating func spend() throws(ModelError) {
        guard budget > 0 else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
        budget -= 1
    }

    // MARK: Pieces

    private func follows(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - position else { return false }
        return text.withUTF8Buffer { expected in
            (0..<count).allSatisfy { bytes[position + $0] == expected[$0] }
        }
    }

    /// Returns the bytes up to a closing mark, and skips the mark.
    private mutating func take(until mark: StaticString, in what: String) throws(ModelError) -> Range<Int> {
        let start = position
        while position < bytes.count {
            if follows(mark) {
                let range = start..<position
                position += mark.utf8CodeUnitCount
                return range
            }
            position += 1
        }
        throw failure("\(what) is not closed")
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func markup() throws(ModelError) {
        if follows("<!--") {
            position += 4
            _ = try take(until: "-->", in: "a comment")
        } else if follows("<![CDATA[") {
            position += 9
            let range = try take(until: "]]>", in: "CDATA")
            try append(String(decoding: bytes[range], as: UTF8.self))
        } else if follows("<?") {
            try instruction()
        } else if follows("<!") {
            try documentType()
        } else if follows("</") {
            try closingTag()
        } else {
            try openingTag()
        }
    }

    /// `<?xml version="1.0" encoding="UTF-8"?>`; an encoding other than UTF-8, and UTF-16 that was converted, is rejected.
    private mutating func instruction() throws(ModelError) {
        position += 2
        let text = String(decoding: bytes[try take(until: "?>", in: "an instruction")], as: UTF8.self).lowercased()
        guard text.hasPrefix("xml"), let start = text.firstRange(of: "encoding")?.upperBound else { return }
        let quoted = text[start...].split(whereSeparator: { "=\"' \t\r\n".contains($0) }).first ?? ""
        guard ["utf-8", "utf8", "us-ascii", "ascii", "utf-16"].contains(quoted) else {
            throw failure("expected the encoding UTF-8, found '\(quoted)'")
        }
    }

    /// `<!DOCTYPE database SYSTEM "file:///…">` is skipped; a document type with declarations is rejected.
    private mutating func documentType() throws(ModelError) {
        guard follows("<!DOCTYPE"), root == nil, open.isEmpty else { throw failure("expected an element") }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            switch bytes[position] {
            case UInt8(ascii: "["):
                position = start
                throw failure("", .entityDeclaration)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = bytes[position]
                position += 1
                while position < bytes.count, bytes[position] != quote { position += 1 }
            default: break
            }
            position += 1
        }
        guard position < bytes.count else { throw failure("a document type is not closed") }
        position += 1
    }

    private mutating func name() throws(ModelError) -> String {
        let start = position
        while position < bytes.count, Self.isName(bytes[position]) { position += 1 }
        guard position > start else { throw failure("expected a name") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
            true
        default:
            byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: ":")
        }
    }

    private mutating func openingTag() throws(ModelError) {
        guard root == nil else { throw failure("expected the end, found another element") }
        guard open.count < limits.nesting else { throw ModelError(.exceeds(.nesting, limit: limits.nesting)) }
        try spend()
        let (line, column) = place(at: position)
        position += 1
        var element = XMLElementNode(name: try name(), line: line, column: column)
        while true {
            skipSpace()
            if follows("/>") {
                position += 2
                return close(element)
            }
            if follows(">") {
                position += 1
                return open.append(element)
            }
            try attribute(of: &element)
        }
    }

    private mutating func attribute(of element: inout XMLElementNode) throws(ModelError) {
        try spend()
        guard element.attributes.count < Self.mostAttributes else {
            throw failure("an element has too many attributes")
        }
        let name = try name()
        guard element[name] == nil else { throw failure("the attribute \(name) is given twice") }
        skipSpace()
        guard follows("=") else { throw failure("expected = after \(name)") }
        position += 1
        skipSpace()
        guard position < bytes.count, follows("\"") || follows("'") else { throw failure("expected a quotation mark") }
        let quote = bytes[position]
        position += 1
        element.attributes.append((name, try text(until: quote, isAttribute: true)))
        guard position < bytes.count else { throw failure("a value of \(name) is not closed") }
        position += 1
    }

    private mutating func closingTag() throws(ModelError) {
        position += 2
        let name = try name()
        skipSpace()
        guard follows(">") else { throw failure("expected >") }
        guard let element = open.popLast() else { throw failure("</\(name)> has no opening tag") }
        guard element.name == name else { throw failure("expected </\(element.name)>, found </\(name)>") }
        position += 1
        close(element)
    }

    private mutating func close(_ element: XMLElementNode) {
        if open.isEmpty {
            root = element
        } else if handsOverChildren, open.count == 1 {
            child = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    private mutating func characters() throws(ModelError) {
        let start = position
        let text = try text(until: UInt8(ascii: "<"), isAttribute: false)
        guard open.isEmpty else { return try append(text) }
        guard text.utf8.allSatisfy(Self.isSpace) else {
            position = start
            throw failure("expected an element, found text")
        }
    }

    private mutating func append(_ text: String) throws(ModelError) {
        guard !open.isEmpty else { throw failure("expected an element, found text") }
        open[open.count - 1].text += text
    }

    /// Returns the text up to a byte, which is not skipped. In attributes, line ends and tabs become spaces.
    private mutating func text(until end: UInt8, isAttribute: Bool) throws(ModelError) -> String {
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != end {
            let byte = bytes[position]
            if Self.isPlain(byte), byte != end {
                let start = position
                repeat {
                    position += 1
                } while position < bytes.count && Self.isPlain(bytes[position])
                    && bytes[position] != end
                text += bytes[start..<position]
                continue
            }
            switch byte {
            case UInt8(ascii: "&"):
                text += Array(String(try reference()).utf8)
                continue
            case UInt8(ascii: "<"): throw failure("expected &lt; for <")
            case UInt8(ascii: "\r"):
                if position + 1 == bytes.count || bytes[position + 1] != UInt8(ascii: "\n") {
                    text.append(isAttribute ? 0x20 : 0x0A)
                }
            case UInt8(ascii: "\n"), UInt8(ascii: "\t"): text.append(isAttribute ? 0x20 : byte)
            case 0..<0x20: throw failure("unexpected control character")
            default: text.append(byte)
            }
            position += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// True for a byte of text that needs no conversion.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<")
    }

    /// `&lt;`, `&#10;`, `&#xA;`
    private mutating func reference() throws(ModelError) -> Character {
        let start = position
        position += 1
        while position < bytes.count, position - start < 12, bytes[position] != UInt8(ascii: ";") { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ";") else {
            position = start
            throw failure("expected ; at the end of a reference")
        }
        let name = String(decoding: bytes[start + 1..<position], as: UTF8.self)
        position += 1
        guard let character = Self.character(ofReference: name) else {
            position = start
            throw failure("&\(name); is not a character")
        }
        return character
    }

    /// The character of `lt`, `#10` or `#xA`; nil for any other name.
    package static func character(ofReference name: String) -> Character? {
        if let character = predefined[name] { return character }
        let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
        guard name.hasPrefix("#"), let value = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10), value != 0 else {
            return nil
        }
        return Unicode.Scalar(value).map(Character.init)
    }

    private static let predefined: [String: Character] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]
}

/// An element of an XML document, with its attributes, its children and its own text.
package struct XMLElementNode: Sendable {
    package var name: String
    package var attributes: [(name: String, value: String)] = []
    package var children: [XMLElementNode] = []
    /// The text directly inside the element, without the text of its children.
    package var text = ""
    package var line: Int
    package var column: Int

    package var place: ModelPlace { ModelPlace(line: line, column: column) }

    /// The value of an attribute.
    package subscript(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The value of a required attribute.
    package func required(_ name: String) throws(ModelError) -> String {
        guard let value = self[name] else {
            throw ModelError(.missingAttribute(name, element: self.name), at: place)
        }
        return value
    }

    func children(named name: String) -> [XMLElementNode] { children.filter { $0.name == name } }
}

import PredicateModel

/// Finds the format strings in property lists: conditions of Munki, and predicates of Jamf, AutoPkg and configuration profiles.
///
/// `<key>installable_condition</key><string>os_vers BEGINSWITH "14"</string>`
enum PropertyListScanner {
    static func texts(in bytes: Bytes) -> [StoredFormat] {
        let isManifest = bytes.firstOffset(of: "conditional_items") != nil
        let texts = XMLText.parts(of: bytes).flatMap { Self.texts(in: $0, bytes, isManifest: isManifest) }
        guard bytes.firstOffset(of: RecipeText.mark) != nil else { return texts }
        return texts.compactMap { stored in
            var stored = stored
            if bytes.equals("predicate", stored.name) {
                (stored.isUncertain, stored.entity) = (false, HostTable.recipe)
            }
            return RecipeText.withVariables(stored)
        }
    }

    private static func texts(in part: Range<Int>, _ bytes: Bytes, isManifest: Bool) -> [StoredFormat] {
        var result: [StoredFormat] = []
        var offset = part.lowerBound
        while let start = bytes.firstOffset(of: "<key>", from: offset, to: part.upperBound) {
            offset = start + 5
            guard let end = bytes.firstOffset(of: "</key>", from: offset, to: min(part.upperBound, offset + 64)) else {
                continue
            }
            let key = offset..<end
            offset = end + 6
            if bytes.text(key).hasPrefix(HostTable.ruleKeys) {
                result.append(StoredFormat(text: XMLText.text(of: key, bytes), kind: .metadata, name: key))
            }
            guard key.count < 40, let isCertain = isCertain(bytes.text(key), isManifest: isManifest),
                let value = string(from: offset, bytes)
            else { continue }
            let text = XMLText.text(of: value, bytes)
            if !text.bytes.isEmpty {
                result.append(
                    StoredFormat(
                        text: text, kind: .stored, name: key, isUncertain: !isCertain,
                        entity: host(ofKey: bytes.text(key))))
            }
        }
        return result
    }

    /// True for a key whose value is a format, false for a key whose value may be a format, nil for all other keys.
    private static func isCertain(_ key: String, isManifest: Bool) -> Bool? {
        switch key {
        case "installable_condition", "NSPredicate", "predicateFormat", HostTable.extensionRule: true
        case "condition": isManifest
        case "predicate", "Predicate", "predicateString", "filter", "Filter": false
        default: nil
        }
    }

    private static func host(ofKey key: String) -> String? {
        if key == HostTable.extensionRule { return key }
        return key == "installable_condition" || key == "condition" ? HostTable.munki : nil
    }

    /// The contents of the `string` element after an offset, with optional comments before it.
    private static func string(from offset: Int, _ bytes: Bytes) -> Range<Int>? {
        var start = bytes.spaceEnd(from: offset)
        while bytes.matches("<!--", at: start), let end = bytes.firstOffset(of: "-->", from: start) {
            start = bytes.spaceEnd(from: end + 3)
        }
        guard bytes.matches("<string>", at: start) else { return nil }
        let text = start + 8
        if bytes.matches("<![CDATA[", at: text) {
            return bytes.firstOffset(of: "]]>", from: text, to: text + 65_536).map { text + 9..<$0 }
        }
        return bytes.firstOffset(ofByte: UInt8(ascii: "<"), from: text, reach: 1 << 16).map { text..<$0 }
    }
}

/// Reads text and attributes of XML with character references: `&lt;`, `&#x3c;`.
enum XMLText {
    static func text(of range: Range<Int>, _ bytes: Bytes) -> FormatText {
        var text = FormatText()
        text.literal = range
        var start = range.lowerBound
        var offset = start
        while offset < range.upperBound {
            guard bytes[offset] == UInt8(ascii: "&"), let reference = reference(at: offset, range.upperBound, bytes)
            else {
                offset += 1
                continue
            }
            text.appendCopy(bytes[start..<offset], from: start)
            text.appendEscape(Array(reference.text.utf8), source: offset..<reference.end)
            offset = reference.end
            start = offset
        }
        text.appendCopy(bytes[start..<range.upperBound], from: start)
        return text
    }

    /// `&amp;`, `&#60;`, `&#x3c;`; nil for anything else.
    private static func reference(at start: Int, _ limit: Int, _ bytes: Bytes) -> (text: String, end: Int)? {
        var end = start + 1
        while end < min(limit, start + 12), bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < limit, bytes[end] == UInt8(ascii: ";") else { return nil }
        return XMLReader.character(ofReference: bytes.text(start + 1..<end)).map { (String($0), end + 1) }
    }

    /// The ranges of the tags of a document, from `<` to before `>`.
    static func elements(of bytes: Bytes) -> [Range<Int>] {
        parts(of: bytes).flatMap { part in
            var (found, offset): ([Range<Int>], Int) = ([], part.lowerBound)
            while let start = bytes.firstOffset(of: "<", from: offset, to: part.upperBound) {
                var quote = UInt8(0)
                offset = start
                while offset < part.upperBound, quote != 0 || bytes[offset] != UInt8(ascii: ">") {
                    let byte = bytes[offset]
                    if quote == 0 ? "\"'".utf8.contains(byte) : byte == quote { quote = quote == 0 ? byte : 0 }
                    offset += 1
                }
                found.append(start..<offset)
            }
            return found
        }
    }

    /// The name of an attribute in the source, and its value without quotes.
    static func attribute(
        _ name: StaticString, of element: Range<Int>, _ bytes: Bytes
    ) -> (name: Range<Int>, value: Range<Int>)? {
        var offset = element.lowerBound
        while let start = bytes.firstOffset(of: name, from: offset, to: element.upperBound) {
            offset = start + name.utf8CodeUnitCount
            let quote = bytes[offset + 1]
            guard bytes[start - 1].isSpace, bytes[offset] == UInt8(ascii: "="), "\"'".utf8.contains(quote),
                let end = bytes.upTo(element.upperBound).firstOffset(ofByte: quote, from: offset + 2)
            else { continue }
            return (start..<offset, offset + 2..<end)
        }
        return nil
    }

    /// The ranges of a document outside comments.
    static func parts(of bytes: Bytes) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while let open = bytes.firstOffset(of: "<!--", from: start) {
            parts.append(start..<open)
            start = bytes.firstOffset(of: "-->", from: open).map { $0 + 3 } ?? bytes.count
        }
        parts.append(start..<bytes.count)
        return parts
    }
}

/// Finds the format strings of property lists: conditions of Munki, predicates in profiles and of Jamf.
///
/// `<key>installable_condition</key><string>os_vers BEGINSWITH "14"</string>`
enum PropertyListScanner {
    static func texts(in bytes: Bytes) -> [StoredText] {
        let isManifest = bytes.firstOffset(of: "conditional_items") != nil
        return XMLText.parts(of: bytes).flatMap { texts(in: $0, bytes, isManifest: isManifest) }
    }

    private static func texts(in part: Range<Int>, _ bytes: Bytes, isManifest: Bool) -> [StoredText] {
        var result: [StoredText] = []
        var offset = part.lowerBound
        while let start = bytes.firstOffset(of: "<key>", from: offset, to: part.upperBound) {
            offset = start + 5
            guard let end = bytes.firstOffset(of: "</key>", from: offset, to: min(part.upperBound, offset + 64)) else {
                continue
            }
            let key = offset..<end
            offset = end + 6
            guard key.count < 40, let isCertain = isCertain(bytes.text(key), isManifest: isManifest),
                let value = string(from: offset, bytes)
            else { continue }
            let text = XMLText.text(of: value, bytes)
            if !text.bytes.isEmpty {
                result.append(StoredText(text: text, kind: .stored, name: key, isUncertain: !isCertain))
            }
        }
        return result
    }

    /// True for a key whose value is a format, false for one whose value may be one, nil for all others.
    private static func isCertain(_ key: String, isManifest: Bool) -> Bool? {
        switch key {
        case "installable_condition", "NSPredicate", "predicateFormat": true
        case "condition": isManifest
        case "predicate", "Predicate", "predicateString", "filter", "Filter": false
        default: nil
        }
    }

    /// The text of the element `string` after an offset.
    private static func string(from offset: Int, _ bytes: Bytes) -> Range<Int>? {
        let start = bytes.spaceEnd(from: offset)
        guard bytes.matches("<string>", at: start) else { return nil }
        let text = start + 8
        if bytes.matches("<![CDATA[", at: text) {
            return bytes.firstOffset(of: "]]>", from: text, to: text + 65_536).map { text + 9..<$0 }
        }
        return bytes.firstOffset(ofByte: UInt8(ascii: "<"), from: text, reach: 1 << 16).map { text..<$0 }
    }
}

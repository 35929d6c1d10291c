/// The text of XML stores, and of mapping models, which are XML stores. Characters of strings may be escaped: `\u3c00` is `<`,
/// the two bytes of a UTF-16 code unit, the low byte first.
package enum XMLStoreText {
    /// The document up to the first object. `list` is the property list of the metadata.
    package static func header(uuid: String, nextObjectID: Int64, _ list: some StringProtocol) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>\(encoded(uuid))</UUID>
                <nextObjectID>\(nextObjectID)</nextObjectID>
                <metadata>
        \(list)</metadata>
            </databaseInfo>

        """
    }

    package static let footer = "</database>\n"

    /// `<object type="ITEM" id="z102">`
    package static func object(_ type: String, _ id: Int64, _ fields: String) -> String {
        "    <object type=\"\(encoded(type))\" id=\"z\(id)\">\n\(fields)    </object>\n"
    }

    /// `<attribute name="title" type="string">Emma</attribute>`
    package static func attribute(_ name: String, _ type: String, _ text: String) -> String {
        "        <attribute name=\"\(encoded(name))\" type=\"\(type)\">\(text)</attribute>\n"
    }

    /// `<relationship name="items" type="0/0" destination="ITEM" idrefs="z103 z104"></relationship>`; without `idrefs` if there
    /// are no objects.
    package static func relationship(
        _ name: String, _ counts: (Int, Int), _ destination: String, _ ids: [Int64]
    ) -> String {
        var text = "        <relationship name=\"\(encoded(name))\" type=\"\(counts.0)/\(counts.1)\""
        text += " destination=\"\(encoded(destination))\""
        if !ids.isEmpty { text += " idrefs=\"\(ids.map { "z\($0)" }.joined(separator: " "))\"" }
        return text + "></relationship>\n"
    }

    /// The string with its escapes resolved. A backslash that does not begin a valid escape is kept.
    package static func decoded(_ text: String) -> String {
        guard text.utf8.contains(backslash) else { return text }
        var result: [UInt8] = []
        // Bytes, because an escape and a combining mark after it are one character.
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: backslash) {
            result += rest[..<start]
            rest = rest[start...]
            let units = units(at: rest)
            var count = 1
            if let first = units.first, let scalar = Unicode.Scalar(first) {
                result += String(scalar).utf8
            } else if units.count == 2, UTF16.isLeadSurrogate(units[0]), UTF16.isTrailSurrogate(units[1]) {
                result += String(decoding: units, as: UTF16.self).utf8
                count = 2
            } else {
                result.append(rest.removeFirst())
                continue
            }
            rest = rest.dropFirst(6 * count)
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static let backslash = UInt8(ascii: "\\")

    /// The code units of at most two escapes at the beginning of a string.
    private static func units(at text: Substring.UTF8View) -> [UInt16] {
        var units: [UInt16] = []
        var rest = text
        while units.count < 2, rest.starts(with: "\\u".utf8), let unit = unit(rest.dropFirst(2)) {
            units.append(unit)
            rest = rest.dropFirst(6)
        }
        return units
    }

    private static func unit(_ text: Substring.UTF8View) -> UInt16? {
        let digits = text.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else {
            return nil
        }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)?.byteSwapped
    }

    /// The string as the text of an element. A character that XML cannot contain is escaped, and so is a backslash
    /// that would begin an escape.
    package static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            case "\\" where rest.first == "u" && unit(Substring(rest).utf8.dropFirst()) != nil: result += escape(scalar)
            case _ where !scalar.isXML: result += escape(scalar)
            default: result += scalar.xmlEntity ?? String(scalar)
            }
        }
        return result
    }

    /// True for a byte that is never escaped. 0xEF begins the characters from U+F000 on, and XML excludes some at the end
    /// of that plane.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20: byte == 0x09 || byte == 0x0A
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "\\"), 0xEF:
            false
        default: true
        }
    }

    /// `\u0100` for U+0001
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(UInt16(truncatingIfNeeded: scalar.value).byteSwapped, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// Spellings of names and texts that parse back.
extension Printer {
    /// `age`, `#size`, `@count`; a name that no key could be is quoted: `#"first name"`, after a dot `"first name"`.
    ///
    /// A dollar sign and letters print bare, as on Apple's platforms. [NSP-147]
    mutating func write(key: String, isFirst: Bool) {
        var copy = key
        copy.withUTF8 { bytes in
            if bytes.isIdentifier {
                if Keyword.table.keyword(bytes, from: 0, count: bytes.count) != nil { write("#") }
                return write(bytes)
            }
            if bytes.isMarkedIdentifier { return write(bytes) }
            if isFirst { write("#") }
            write(quoting: bytes)
        }
    }

    /// `$limit`; a name that is no identifier is quoted: `$"any name"`.
    mutating func write(variable name: String) {
        write("$")
        if name.isIdentifier { write(text: name) } else { write(quoting: name) }
    }

    /// Between double quotes, with backslashes before backslashes and quotes, everything else as it is. [NSP-145]
    mutating func write(quoting text: String) {
        var copy = text
        copy.withUTF8 { write(quoting: $0) }
    }

    private mutating func write(quoting bytes: UnsafeBufferPointer<UInt8>) {
        write("\"")
        var start = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\\") || bytes[index] == UInt8(ascii: "\"") {
            write(UnsafeBufferPointer(rebasing: bytes[start..<index]))
            write("\\")
            start = index
        }
        write(UnsafeBufferPointer(rebasing: bytes[start...]))
        write("\"")
    }
}

extension String {
    /// Letters, digits and underscores, not beginning with a digit, ASCII only.
    package var isIdentifier: Bool {
        var copy = self
        return copy.withUTF8 { $0.isIdentifier }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var isIdentifier: Bool {
        guard let first, ByteClass.isWordStart(first) else { return false }
        return allSatisfy { ByteClass.isWord($0) }
    }

    /// `@count`, `$limit`
    fileprivate var isMarkedIdentifier: Bool {
        guard first == UInt8(ascii: "@") || first == UInt8(ascii: "$") else { return false }
        return UnsafeBufferPointer(rebasing: dropFirst()).isIdentifier
    }
}

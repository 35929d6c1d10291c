import PredicateJSON

/// The encoding of a text file.
///
/// `TextEncoding(name: "latin1")` is ``windows1252``, as in web browsers. The two differ in control characters only.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
    case utf8 = "utf-8"
    /// The byte order mark gives the byte order; without one it is little-endian.
    case utf16 = "utf-16"
    case windows1252 = "windows-1252"

    /// Creates the encoding with a name, in upper or lower case: `latin1`, `ISO-8859-1` and `cp1252` are
    /// ``windows1252``.
    package init?(name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "utf-16", "utf16", "utf-16le", "unicode": self = .utf16
        case "windows-1252", "cp1252", "latin1", "latin-1", "iso-8859-1", "iso8859-1": self = .windows1252
        default: return nil
        }
    }

    /// The names, for messages.
    package static let list = "utf-8, utf-16, windows-1252, latin1"
}

extension TextEncoding {
    /// True if the beginning of a text looks like Windows-1252. A sequence that is cut off at the end is ignored.
    static func looksLikeWindows1252(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        isMostlyInvalid(bytes, mayBeCut: true) && !bytes.contains(0)
    }

    /// True if more of the sequences outside ASCII are invalid UTF-8 than valid.
    static func isMostlyInvalid(_ bytes: UnsafeBufferPointer<UInt8>, mayBeCut: Bool = false) -> Bool {
        var (invalid, valid, index) = (0, 0, 0)
        while let fault = UTF8Validation.firstFault(in: bytes, index..<bytes.count) {
            valid += multibyteSequences(bytes, index..<fault)
            index = fault + 1
            let isAtEnd = bytes.count - fault < 4 && bytes[index...].allSatisfy { $0 & 0xC0 == 0x80 }
            if mayBeCut, isAtEnd, bytes[fault] >= 0xC0 { break }
            invalid += 1
            // What follows an invalid byte of a longer sequence belongs to it.
            while index < bytes.count, bytes[index] & 0xC0 == 0x80, bytes[fault] >= 0xC0 { index += 1 }
        }
        return invalid > valid + multibyteSequences(bytes, index..<bytes.count)
    }

    private static func multibyteSequences(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        range.reduce(0) { $0 + (bytes[$1] >= 0xC0 ? 1 : 0) }
    }
}

/// Converts text in another encoding to UTF-8.
final class TranscodingSource: ByteSource {
    private enum SourceEncoding { case utf16(isBigEndian: Bool), windows1252 }

    private let base: any ByteSource
    private let form: SourceEncoding
    private var input = [UInt8](repeating: 0, count: 32 << 10)
    /// Bytes of the last read that are an incomplete code unit or pair.
    private var leftover: [UInt8] = []
    private var output: [UInt8] = []
    private var index = 0

    private init(_ base: any ByteSource, _ form: SourceEncoding) {
        (self.base, self.form) = (base, form)
    }

    /// Creates a source of UTF-16, with or without a byte order mark.
    static func utf16(_ base: PeekedSource) throws(DataError) -> TranscodingSource {
        let mark = try base.peek { $0.count < 2 }
        let order = try UnmarkedUTF16.order(of: base)
        let isBigEndian = mark.starts(with: [0xFE, 0xFF]) || order == .big
        return TranscodingSource(base, .utf16(isBigEndian: isBigEndian))
    }

    static func windows1252(_ base: any ByteSource) -> TranscodingSource {
        TranscodingSource(base, .windows1252)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        while index == output.count {
            output.removeAll(keepingCapacity: true)
            index = 0
            let count = try base.read(into: &input)
            if count == 0, leftover.isEmpty { return 0 }
            convert(input[..<count], isLast: count == 0)
        }
        let count = min(output.count - index, buffer.count)
        buffer.copyBytes(from: output[index..<index + count])
        index += count
        return count
    }

    private func convert(_ bytes: ArraySlice<UInt8>, isLast: Bool) {
        switch form {
        case .windows1252:
            for byte in bytes { append(byte < 0x80 ? UInt32(byte) : Windows1252.scalar(of: byte)) }
        case .utf16(let isBigEndian):
            leftover += bytes
            convertUnits(isBigEndian)
            // An incomplete code unit or pair is invalid text and becomes a byte that is not UTF-8.
            if isLast, !leftover.isEmpty { (output, leftover) = (output + [0xFF], []) }
        }
    }

    private func convertUnits(_ isBigEndian: Bool) {
        var next = 0
        func unit(_ at: Int) -> UInt32 {
            let (first, second) = (UInt32(leftover[at]), UInt32(leftover[at + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        while next + 2 <= leftover.count {
            let high = unit(next)
            guard (0xD800...0xDBFF).contains(high) else {
                append(high)
                next += 2
                continue
            }
            guard next + 4 <= leftover.count else { break }
            let low = unit(next + 2)
            let isPair = (0xDC00...0xDFFF).contains(low)
            append(isPair ? 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00) : high)
            next += isPair ? 4 : 2
        }
        leftover.removeFirst(next)
    }

    /// Appends a code point. An unpaired surrogate is encoded like other code points, so the output is invalid UTF-8.
    private func append(_ code: UInt32) {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | code >> shift & 0x3F) }
        switch code {
        case ..<0x80: output.append(UInt8(code))
        case ..<0x800: output += [UInt8(0xC0 | code >> 6), tail(0)]
        case ..<0x10000: output += [UInt8(0xE0 | code >> 12), tail(6), tail(0)]
        default: output += [UInt8(0xF0 | code >> 18 & 7), tail(12), tail(6), tail(0)]
        }
    }

    var canRestart: Bool { base.canRestart }

    func restart() throws(DataError) {
        try base.restart()
        (leftover, output, index) = ([], [], 0)
    }
}

/// The Western Windows code page as defined by WHATWG: five bytes without a character are control characters.
private enum Windows1252 {
    static func scalar(of byte: UInt8) -> UInt32 {
        0x80...0x9F ~= byte ? UInt32(upper[Int(byte) - 0x80]) : UInt32(byte)
    }

    private static let upper: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
        0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x009D, 0x017E, 0x0178,
    ]
}

/// UTF-16 without a byte order mark, as some programs of Windows write it.
///
/// Every second byte of Western text is zero, and none of the others: `n\0a\0m\0e\0`.
enum UnmarkedUTF16 {
    enum ByteOrder { case little, big }

    private static let sampleLength = 64
    /// The least number of bytes: a shorter text may be anything.
    private static let leastLength = 16

    /// Returns the byte order of UTF-16; nil for other text. More than two bytes are read only if one of them is zero.
    static func order(of source: PeekedSource) throws(DataError) -> ByteOrder? {
        let bytes = try source.peek(while: needsMore)
        let (evens, odds) = (zeros(bytes, 0), zeros(bytes, 1))
        guard bytes.count >= leastLength, bytes.prefix(2).contains(0) else { return nil }
        guard evens == 0 || odds == 0, 5 * max(evens, odds) >= min(bytes.count, sampleLength) else { return nil }
        return evens == 0 ? .little : .big
    }

    private static func needsMore(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count < 2 || bytes.count < sampleLength && bytes.prefix(2).contains(0)
    }

    private static func zeros(_ bytes: ArraySlice<UInt8>, _ side: Int) -> Int {
        bytes.prefix(sampleLength).enumerated().count { $0.offset & 1 == side && $0.element == 0 }
    }
}

/// The bytes of a file as UTF-8: unpacked, and converted if a byte order mark or the caller names another encoding.
///
/// `try DecodedInput.open(FileSource(path: "people.csv.gz"), encoding: nil)`
enum DecodedInput {
    /// Returns a source of UTF-8. Without a mark, the bytes of a file are passed on unchanged.
    static func open(_ source: any ByteSource, encoding: TextEncoding?) throws(DataError) -> any ByteSource {
        var peeked = PeekedSource([], source)
        if let format = CompressionFormat(try peeked.peek(while: CompressionFormat.needsMore)) {
            peeked = PeekedSource([], try UnpackedSource(peeked, format))
        }
        if let file = ForeignFile(try peeked.peek(while: ForeignFile.needsMore)) {
            throw DataError(.foreignFile(file))
        }
        let mark = try peeked.peek { $0.count == 1 && $0.first.map { $0 >= 0xFE } ?? false }.prefix(2)
        let isUTF16 = mark.elementsEqual([0xFF, 0xFE]) || mark.elementsEqual([0xFE, 0xFF])
        if isUTF16 || encoding == .utf16 { return try TranscodingSource.utf16(peeked) }
        if encoding == nil, try UnmarkedUTF16.order(of: peeked) != nil { return try TranscodingSource.utf16(peeked) }
        return encoding == .windows1252 ? TranscodingSource.windows1252(peeked) : peeked
    }
}

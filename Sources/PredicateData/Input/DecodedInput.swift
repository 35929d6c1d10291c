/// The bytes of a file as UTF-8: unpacked, and rewritten if a byte order mark or the caller names another encoding.
///
/// `try DecodedInput.open(FileSource(path: "people.csv.gz"), encoding: nil)`
enum DecodedInput {
    /// Returns a source of UTF-8. Bytes of a file without a mark are taken as they are.
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
        return encoding == .windows1252 ? TranscodingSource.windows1252(peeked) : peeked
    }
}

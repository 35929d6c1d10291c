/// A stored text as an object has it: bytes that are no UTF-8, such as those of an old file in Latin-1, are U+FFFD.
///
/// `CAST(x'4DFC6C6C6572' AS TEXT) LIKE "M?ller"`
enum ReadableText {
    /// Calls a closure with the UTF-8 of a text: the stored bytes themselves if they are ASCII, else a repaired copy.
    @inline(__always)
    static func read<Result, Failure: Error>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        isASCII(bytes) ? try body(bytes) : try readRepaired(bytes, body)
    }

    @inline(never)
    private static func readRepaired<Result, Failure: Error>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var text = String(decoding: bytes, as: UTF8.self)
        var outcome: Swift.Result<Result, Failure>?
        text.withUTF8 { bytes in
            do throws(Failure) { outcome = .success(try body(bytes)) } catch { outcome = .failure(error) }
        }
        guard let outcome else { return try body(bytes) }
        return try outcome.get()
    }

    /// Eight bytes at a time.
    @inline(__always)
    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = UnsafeRawPointer(bytes.baseAddress) else { return true }
        var index = 0
        while index + 8 <= bytes.count {
            if start.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            index += 8
        }
        while index < bytes.count {
            if bytes[index] >= 0x80 { return false }
            index += 1
        }
        return true
    }
}

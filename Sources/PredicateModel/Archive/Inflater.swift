import CZlib
import Foundation

/// The reader of raw DEFLATE, as the cache of a store has it: without a header, and limited in what it becomes.
enum Inflater {
    private static let chunk = 1 << 16

    static func inflate(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> [UInt8] {
        guard bytes.count <= limits.fileSize else { throw ModelError(.exceeds(.fileSize, limit: limits.fileSize)) }
        var stream = z_stream()
        guard predicates_inflate_raw(&stream) == Z_OK else { throw ModelError(.corruptCompression) }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var input = bytes
        let code: ModelError.Code? = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            return run(&stream, into: &output, limits)
        }
        if let code { throw ModelError(code) }
        return output
    }

    /// Runs to the end of the stream; the error, or nil.
    private static func run(
        _ stream: inout z_stream, into output: inout [UInt8], _ limits: ModelLimits
    ) -> ModelError.Code? {
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let (status, count) = buffer.withUnsafeMutableBufferPointer { buffer in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                return (status, buffer.count - Int(stream.avail_out))
            }
            output += buffer[..<count]
            if output.count > limits.inflatedSize { return .exceeds(.inflatedSize, limit: limits.inflatedSize) }
            if status == Z_STREAM_END { return nil }
            // Without progress the data ends too early.
            if status != Z_OK || count == 0 { return .corruptCompression }
        }
    }
}

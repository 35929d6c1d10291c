import Foundation
import PredicateCommand
import PredicateData
import Testing

/// The status and output of a run of the command.
struct Outcome: Equatable {
    var status: Int32
    var output: String
    var error: String

    /// A successful run without messages.
    static func success(_ output: String) -> Outcome { Outcome(status: 0, output: output, error: "") }
}

/// Runs the command in this process.
func predicate(_ arguments: String..., input: String = "") -> Outcome {
    predicate(arguments, source: MemorySource(input))
}

func predicate(_ arguments: [String], source: any ByteSource) -> Outcome {
    let output = Capture()
    let error = Capture()
    let status = CommandLineTool.run(
        arguments: arguments, input: source, output: output.append, errorOutput: error.append)
    return Outcome(status: status, output: output.text, error: error.text)
}

/// A sink that stores its input.
final class Capture {
    private(set) var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func append(_ piece: UnsafeRawBufferPointer) throws(DataError) {
        bytes += piece
    }
}

/// Runs a test with files of these names and texts, and passes their paths by name.
func withFiles(_ files: [String: String], _ body: ([String: String]) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var paths: [String: String] = [:]
    for (name, text) in files {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        paths[name] = file.path
    }
    try body(paths)
}

/// Standard input of a run that must not wait for it.
var silence: any ByteSource { UnreadableSource() }

private final class UnreadableSource: ByteSource {
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        Issue.record("standard input was read")
        return 0
    }
}

/// A source that repeats a text without end.
final class Endless: ByteSource {
    private let text: [UInt8]

    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.copyBytes(from: text.prefix(buffer.count))
        return min(text.count, buffer.count)
    }
}

/// Pieces of text, with a state that is recorded before each read.
final class Watched: ByteSource {
    private(set) var seen: [String] = []
    private var pieces: [String]
    private let state: () -> String

    init(_ pieces: [String], state: @escaping () -> String) {
        self.pieces = pieces
        self.state = state
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !pieces.isEmpty else { return 0 }
        seen.append(state())
        let piece = Array(pieces.removeFirst().utf8)
        buffer.copyBytes(from: piece.prefix(buffer.count))
        return min(piece.count, buffer.count)
    }
}

/// Runs the command with a standard output that cannot be written.
func predicateWriting(errno: Int32, _ arguments: [String], source: any ByteSource) -> Outcome {
    let error = Capture()
    let status = CommandLineTool.run(
        arguments: arguments, input: source,
        output: { (_) throws(DataError) in throw DataError(.writeFailed(errno: errno)) }, errorOutput: error.append)
    return Outcome(status: status, output: "", error: error.text)
}

/// Bytes that come in pieces and cannot be read again.
final class PipeSource: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let piece: Int

    init(_ bytes: [UInt8], piece: Int = 7) {
        rest = bytes[...]
        self.piece = piece
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = rest.prefix(min(piece, buffer.count))
        buffer.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
    }
}

import Foundation
import PredicateData
import PredicateEvaluation
import PredicateSession

/// Files beside the tests.
enum TestFile {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Returns the text of a file: `TestFile.text("Transcripts/data.transcript")`.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }
}

extension Session {
    /// Creates a session that reads the files beside the transcripts, shows no times, and writes into memory.
    static func forTests(
        width: Int = 100, written: WrittenFiles = WrittenFiles(), context: PredicateContext = .standard
    ) -> Session {
        var environment = SessionEnvironment()
        environment.open = { (path) throws(DataError) in
            let name = path.hasPrefix("/") ? path : TestFile.folder.appendingPathComponent("Transcripts/" + path).path
            guard FileManager.default.fileExists(atPath: name) else {
                throw DataError(.openFailed(path: path, errno: ENOENT))
            }
            return OpenedFile(source: try FileSource(path: name), size: 1)
        }
        environment.create = { (path) throws(DataError) in try written.create(path) }
        let settings = SessionSettings(width: width, isColoured: false, showsTime: false)
        return Session(settings: settings, environment: environment, context: context)
    }
}

/// The files that a session wrote.
final class WrittenFiles {
    private(set) var files: [String: String] = [:]

    func create(_ path: String) throws(DataError) -> CreatedFile {
        guard files[path] == nil else { throw DataError(.openFailed(path: path, errno: EEXIST)) }
        files[path] = ""
        return CreatedFile { [self] (bytes) throws(DataError) in
            files[path, default: ""] += String(decoding: bytes, as: UTF8.self)
        } remove: { [self] in
            files[path] = nil
        }
    }
}

import Foundation
import Testing

/// The Swift in README and in the documentation compiles and works: every block is part of a source of this folder, where it
/// is run.
struct CodeBlockTests {
    @Test func everyBlockIsCompiled() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let folders = [folder, folder.appending(path: "Clients")]
        let sources = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.lastPathComponent.hasSuffix("Examples.swift") }
                .map { CodeBlock.code(of: try String(contentsOf: $0, encoding: .utf8).components(separatedBy: "\n")) }
        }
        let blocks = try CodeBlock.all().filter { !$0.isManifest && !$0.code.isEmpty }
        #expect(blocks.count > 20)
        for block in blocks {
            #expect(sources.contains { $0.contains(block.code) }, "not compiled: \(block)")
        }
    }
}

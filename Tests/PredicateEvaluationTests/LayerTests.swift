import Foundation
import Testing

/// The layers of the evaluation: objects, the meaning of predicates, and its fast execution.
@Suite struct LayerTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Language/PredicateEvaluation")
    /// The only type of `Execution` that `Semantics` uses: a compiled comparison with a constant.
    private static let bridge = "Leaf"

    private struct File {
        let name: String
        let text: String

        /// The identifiers, comments left out.
        var words: Set<String> {
            let code = text.split(separator: "\n").map { line in
                line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
            }
            return Set(
                code.joined(separator: "\n").split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        }

        /// The types declared at the top level.
        var types: [String] {
            text.split(separator: "\n").compactMap { line in
                let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
                guard line.first?.isWhitespace == false, !line.hasPrefix("private"), !line.hasPrefix("/"),
                    let index = words.firstIndex(where: { ["struct", "class", "enum", "protocol"].contains($0) }),
                    index + 1 < words.count
                else { return nil }
                return String(words[index + 1])
            }
        }
    }

    private static func files(of layer: String) throws -> [File] {
        let folder = sources.appending(path: layer)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".swift") }
            .map { File(name: $0, text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    @Test func theMeaningIsFreeOfPointers() throws {
        let files = try Self.files(of: "Semantics")
        #expect(files.count > 20)
        for file in files {
            // Foundation's regular expressions are stopped through a pointer.
            let pointers = file.words.filter { $0.hasPrefix("Unsafe") && $0 != "UnsafeMutablePointer" }
            #expect(pointers.isEmpty, "\(file.name) names \(pointers)")
            #expect(!file.words.contains("UnsafeMutablePointer") || file.name.hasSuffix("PatternRuns.swift"))
        }
    }

    @Test func theMeaningKnowsOneTypeOfTheExecution() throws {
        let execution = Set(try Self.files(of: "Execution").flatMap(\.types)).subtracting([Self.bridge])
        #expect(execution.isSuperset(of: ["Program", "Instruction", "LeafTest", "Source", "Sweep"]))
        for file in try Self.files(of: "Semantics") {
            let named = file.words.intersection(execution)
            #expect(named.isEmpty, "\(file.name) names \(named)")
        }
    }

    /// The only types of `Semantics` that `Objects` uses: errors, limits of results and the count of steps.
    @Test func objectsKnowNeitherMeaningNorExecution() throws {
        let allowed: Set = ["EvaluationError", "FoundValue", "ResultLimit", "EvaluationContext"]
        let others = Set(try (Self.files(of: "Semantics") + Self.files(of: "Execution")).flatMap(\.types))
        for file in try Self.files(of: "Objects") {
            let named = file.words.intersection(others).subtracting(allowed)
            #expect(named.isEmpty, "\(file.name) names \(named)")
        }
    }

    @Test func noLayerHasTooManyFiles() throws {
        for layer in ["Objects", "Semantics", "Execution"] {
            #expect(try Self.files(of: layer).count <= 64, "\(layer)")
        }
    }
}

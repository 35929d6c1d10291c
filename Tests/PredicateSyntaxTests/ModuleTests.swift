import Foundation
import Testing

/// The imports that a module may have, as ARCHITECTURE.md draws them, and constructs that no module has.
struct ModuleTests {
    static let allowed: [String: Set<String>] = [
        "PredicateText": [],
        "PredicateSyntax": ["FoundationEssentials", "Foundation"],
        "PredicateEvaluation": ["Dispatch", "Foundation", "PredicateSyntax", "PredicateText", "Synchronization"],
        "PredicateChecks": ["FoundationEssentials", "Foundation", "PredicateSyntax"],
        "PredicateConversion": ["Foundation", "PredicateEvaluation", "PredicateSyntax"],
        "PredicateSQL": [
            "Darwin", "FoundationEssentials", "Foundation", "PredicateSyntax", "PredicateText", "Synchronization",
        ],
        "PredicateData": [
            "CZlib", "CZstd", "Dispatch", "FoundationEssentials", "Foundation", "Glibc", "Musl", "Darwin",
            "PredicateSyntax",
        ],
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    private func files(of module: String) throws -> [URL] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.appending(path: module).path())
        return paths.filter { $0.hasSuffix(".swift") }.map { Self.sources.appending(path: "\(module)/\($0)") }
    }

    private func imports(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index < 3, index + 1 < words.count else { return nil }
            return words[..<index].allSatisfy { ["public", "package", "internal", "@preconcurrency"].contains($0) }
                ? String(words[index + 1]) : nil
        }
    }

    @Test(arguments: allowed.keys.sorted())
    func aModuleImportsItsNeighboursOnly(module: String) throws {
        let files = try files(of: module)
        #expect(!files.isEmpty)
        for file in files {
            for name in imports(try String(contentsOf: file, encoding: .utf8)) {
                #expect(Self.allowed[module]?.contains(name) == true, "\(file.lastPathComponent) imports \(name)")
            }
        }
    }

    @Test(arguments: ["PredicateSyntax", "PredicateSQL"])
    func whereFoundationEssentialsServesFoundationIsAFallback(module: String) throws {
        for file in try files(of: module) {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard imports(text).contains("Foundation") else { continue }
            #expect(text.contains("#if canImport(FoundationEssentials)"), "\(file.lastPathComponent)")
        }
    }

    @Test(arguments: allowed.keys.sorted())
    func nothingIsForcedOrLeftOpen(module: String) throws {
        for file in try files(of: module) {
            let text = try String(contentsOf: file, encoding: .utf8)
            for word in ["try!", "as!", "fatalError(", "preconditionFailure(", "TODO", "FIXME"] {
                #expect(!text.contains(word), "\(file.lastPathComponent) holds \(word)")
            }
        }
    }
}

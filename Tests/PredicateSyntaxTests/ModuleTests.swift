import Foundation
import Testing

/// The imports that a module may have, as ARCHITECTURE.md draws them, and constructs that no module has.
struct ModuleTests {
    static let allowed: [String: Set<String>] = [
        "NSPredicates": ["Foundation", "PredicateFoundation"],
        "PredicateChecks": ["Foundation", "FoundationEssentials", "PredicateEvaluation", "PredicateSyntax"],
        "PredicateCommand": [
            "CEdit", "Darwin", "Foundation", "Glibc", "Musl", "PredicateChecks", "PredicateConformance",
            "PredicateCoreData", "PredicateData", "PredicateEvaluation", "PredicateLanguageServer", "PredicateLint",
            "PredicateModel", "PredicateSQL", "PredicateSession", "PredicateStore", "PredicateSyntax",
            "Synchronization",
        ],
        "PredicateConformance": [
            "Foundation", "FoundationEssentials", "PredicateData", "PredicateEvaluation", "PredicateSQL",
            "PredicateStore", "PredicateSyntax",
        ],
        "PredicateConversion": ["Foundation", "PredicateEvaluation", "PredicateSyntax"],
        "PredicateCoreData": [
            "Foundation", "PredicateEvaluation", "PredicateModel", "PredicateSQL", "PredicateStore",
            "PredicateSyntax", "Synchronization",
        ],
        "PredicateData": [
            "CZlib", "CZstd", "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl",
            "PredicateSyntax",
        ],
        "PredicateEvaluation": [
            "Dispatch", "Foundation", "PredicateSyntax", "PredicateText", "Swift", "Synchronization",
        ],
        "PredicateFoundation": [
            "Foundation", "PredicateConversion", "PredicateEvaluation", "PredicateSyntax", "Synchronization",
        ],
        "PredicateLanguageServer": [
            "Foundation", "PredicateChecks", "PredicateData", "PredicateLint", "PredicateModel", "PredicateSyntax",
        ],
        "PredicateLint": [
            "Darwin", "Dispatch", "Foundation", "Glibc", "Musl", "PredicateChecks", "PredicateModel",
            "PredicateSyntax",
        ],
        "PredicateLintCommand": ["Foundation", "PackagePlugin", "XcodeProjectPlugin"],
        "PredicateLintPlugin": ["Foundation", "PackagePlugin", "XcodeProjectPlugin"],
        "PredicateModel": ["CZlib", "Foundation", "PredicateChecks", "PredicateSyntax"],
        "PredicateSQL": [
            "Darwin", "Foundation", "FoundationEssentials", "PredicateSyntax", "PredicateText", "Synchronization",
        ],
        "PredicateSQLite": [
            "CPredicateSQLite", "Foundation", "PredicateEvaluation", "PredicateSQL", "PredicateSyntax",
            "PredicateText",
        ],
        "PredicateSession": [
            "Dispatch", "Foundation", "FoundationEssentials", "PredicateChecks", "PredicateCoreData",
            "PredicateData", "PredicateEvaluation", "PredicateSQL", "PredicateStore", "PredicateSyntax",
        ],
        "PredicateStore": [
            "CPredicateSQLite", "Foundation", "PredicateConversion", "PredicateEvaluation", "PredicateSQL",
            "PredicateSQLite", "PredicateSyntax", "Synchronization",
        ],
        "PredicateSyntax": ["Foundation", "FoundationEssentials"],
        "PredicateText": [],
        "Predicates": [
            "Foundation", "PredicateChecks", "PredicateConversion", "PredicateEvaluation", "PredicateSQL",
            "PredicateSyntax",
        ],
        "predicate": ["Darwin", "Glibc", "Musl", "PredicateCommand"],
        "predicate-lint": ["Foundation", "PredicateLint", "PredicateModel"],
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
            return words[..<index].allSatisfy {
                ["public", "package", "internal", "@preconcurrency", "@_exported", "@_spi(Reflection)"]
                    .contains($0)
            }
                ? String(words[index + 1]) : nil
        }
    }

    @Test func everyModuleIsListed() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path())
        #expect(Set(folders.filter { !$0.hasPrefix("C") && !$0.hasPrefix(".") }) == Set(Self.allowed.keys))
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
                // The drop-in ends the program where Apple's classes do, unless told otherwise.
                if file.lastPathComponent == "PredicateSettings.swift", word == "fatalError(" { continue }
                #expect(!text.contains(word), "\(file.lastPathComponent) holds \(word)")
            }
        }
    }
}

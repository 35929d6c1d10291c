import Foundation
import Testing

/// The imports of each module, which `Package.swift` and ARCHITECTURE.md list too, and constructs that no module contains.
struct ModuleTests {
    static let allowed: [String: Set<String>] = [
        "NSPredicates": ["Foundation", "PredicateFoundation"],
        "PredicateChecks": ["Foundation", "FoundationEssentials", "PredicateEvaluation", "PredicateSyntax"],
        "PredicateCommand": [
            "CEdit", "Darwin", "Foundation", "Glibc", "Musl", "PredicateChecks",
            "PredicateCoreData", "PredicateData", "PredicateEvaluation", "PredicateJSON", "PredicateLanguageServer",
            "PredicateLint",
            "PredicateModel", "PredicateQuery", "PredicateSQL", "PredicateSession", "PredicateStore",
            "PredicateSyntax", "Synchronization",
        ],
        "PredicateConversion": ["Foundation", "PredicateEvaluation", "PredicateSyntax"],
        "PredicateCoreData": [
            "Foundation", "PredicateEvaluation", "PredicateJSON", "PredicateModel", "PredicateSQL", "PredicateStore",
            "PredicateSyntax",
        ],
        "PredicateData": [
            "CZlib", "CZstd", "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl",
            "PredicateJSON", "PredicateSyntax",
        ],
        "PredicateEvaluation": [
            "Dispatch", "Foundation", "Observation", "PredicateSyntax", "PredicateText", "Swift", "Synchronization",
        ],
        "PredicateFoundation": [
            "Foundation", "PredicateConversion", "PredicateEvaluation", "PredicateSyntax",
        ],
        "PredicateJSON": [
            "Bionic", "Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl", "PredicateSyntax", "WASILibc",
            "ucrt",
        ],
        "PredicateLanguageServer": [
            "Foundation", "PredicateChecks", "PredicateJSON", "PredicateLint", "PredicateModel", "PredicateSyntax",
        ],
        "PredicateLint": [
            "Darwin", "Foundation", "Glibc", "Musl", "PredicateChecks", "PredicateEvaluation", "PredicateJSON",
            "PredicateModel", "PredicateSyntax",
        ],
        "PredicateLintCommand": ["Foundation", "PackagePlugin", "XcodeProjectPlugin"],
        "PredicateLintPlugin": ["Foundation", "PackagePlugin", "XcodeProjectPlugin"],
        "PredicateModel": ["CZlib", "Foundation", "PredicateChecks", "PredicateSyntax"],
        "PredicateQuery": [
            "Bionic", "Darwin", "Foundation", "Glibc", "Musl", "PredicateChecks", "PredicateEvaluation",
            "PredicateJSON", "PredicateSQL", "PredicateSyntax",
        ],
        "PredicateSQL": [
            "Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl", "PredicateSyntax", "PredicateText",
        ],
        "PredicateSQLite": [
            "CPredicateSQLite", "Foundation", "PredicateEvaluation", "PredicateJSON", "PredicateSQL", "PredicateSyntax",
            "PredicateText", "Synchronization",
        ],
        "PredicateSession": [
            "Dispatch", "Foundation", "FoundationEssentials", "PredicateChecks", "PredicateCoreData",
            "PredicateData", "PredicateEvaluation", "PredicateJSON", "PredicateQuery", "PredicateSQL",
            "PredicateStore", "PredicateSyntax",
        ],
        "PredicateStore": [
            "CPredicateSQLite", "Foundation", "PredicateEvaluation", "PredicateQuery", "PredicateSQL",
            "PredicateSQLite", "PredicateSyntax", "Synchronization",
        ],
        "PredicateSyntax": [
            "Bionic", "Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization", "WinSDK",
        ],
        "PredicateText": ["Synchronization"],
        "Predicates": [
            "Foundation", "PredicateChecks", "PredicateConversion", "PredicateEvaluation", "PredicateQuery",
            "PredicateSQL", "PredicateSyntax",
        ],
        "predicate": ["Darwin", "Glibc", "Musl", "PredicateCommand"],
        "predicate-lint": ["Foundation", "PredicateLint"],
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    /// The modules of each floor of Sources, from the ground up.
    private static let floors: [(name: String, modules: [String])] = [
        ("System", ["CEdit", "CPredicateSQLite", "CZlib", "CZstd"]),
        ("Language", ["PredicateText", "PredicateSyntax", "PredicateEvaluation", "PredicateChecks", "PredicateSQL"]),
        ("Query", ["PredicateJSON", "PredicateData", "PredicateQuery"]),
        ("Swift", ["PredicateConversion", "PredicateFoundation", "Predicates", "NSPredicates"]),
        ("SQLite", ["PredicateSQLite", "PredicateStore"]),
        ("CoreData", ["PredicateModel", "PredicateCoreData"]),
        (
            "Lint",
            [
                "PredicateLint", "PredicateLanguageServer", "predicate-lint", "PredicateLintPlugin",
                "PredicateLintCommand",
            ]
        ),
        ("Command", ["PredicateSession", "PredicateCommand", "predicate"]),
    ]

    private func files(of module: String) throws -> [URL] {
        let floor = try #require(Self.floors.first { $0.modules.contains(module) }).name
        let folder = Self.sources.appending(path: "\(floor)/\(module)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
        return paths.filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
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
        #expect(Set(folders.filter { !$0.hasPrefix(".") }) == Set(Self.floors.map(\.name)))
        for (floor, modules) in Self.floors {
            let path = Self.sources.appending(path: floor).path()
            #expect(Set(try FileManager.default.contentsOfDirectory(atPath: path)) == Set(modules), "\(floor)")
        }
        let modules = Self.floors.dropFirst().flatMap(\.modules)
        #expect(Set(modules) == Set(Self.allowed.keys))
    }

    /// A module imports modules of its own floor and of those below it.
    @Test func noModuleImportsFromAFloorAbove() {
        for (index, (floor, modules)) in Self.floors.enumerated() {
            let known = Set(Self.floors[...index].flatMap(\.modules))
            for module in modules {
                let above = Self.edges[module]?.subtracting(known) ?? []
                #expect(above.isEmpty, "\(module) of \(floor) imports \(above)")
            }
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

    /// What evaluations depend on is passed on, as a `PredicateContext`, and never read from the task.
    @Test(arguments: allowed.keys.sorted())
    func nothingIsForcedOrLeftOpen(module: String) throws {
        for file in try files(of: module) {
            let text = try String(contentsOf: file, encoding: .utf8)
            for word in ["try!", "as!", "fatalError(", "preconditionFailure(", "TODO", "FIXME", "@TaskLocal"] {
                // The replacements of Apple's classes end the program where those do, unless a setting prevents it.
                if file.lastPathComponent == "PredicateSettings.swift", word == "fatalError(" { continue }
                #expect(!text.contains(word), "\(file.lastPathComponent) holds \(word)")
            }
        }
    }

    /// Names and values become part of a statement through `SQLText`, which quotes names and binds values, and never
    /// through a Swift string. Literals of scripts are from `SQLLiteral` and `SQLEngine.literal(of:as:)`.
    @Test(arguments: ["PredicateSQLite", "PredicateStore", "PredicateCoreData"])
    func statementsAreNotBuiltFromStrings(module: String) throws {
        for file in try files(of: module) {
            let text = try String(contentsOf: file, encoding: .utf8)
            for word in ["quotedName", #""\"""#, #""'""#] {
                #expect(!text.contains(word), "\(file.lastPathComponent) quotes a name by hand")
            }
            for match in text.matches(of: /"(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|EXPLAIN) [^"]*" *\+/) {
                Issue.record("\(file.lastPathComponent) adds strings to \(match.output)")
            }
            for literal in stringsOfSQL(in: text) {
                Issue.record("\(file.lastPathComponent) builds a string of SQL: \(literal)")
            }
        }
    }

    /// The literals with SQL that interpolate strings: nothing in them is labelled, as the interpolations of `SQLText`
    /// are, and no line before them names the type. The compiler keeps pieces of SQL out of other strings.
    private func stringsOfSQL(in text: String) -> [Substring] {
        let verbs = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|COPY|FROM|PRAGMA)\b/
        let clauses = /\b(?:CHECK|DEFAULT|REFERENCES|KEY|UNIQUE|NOT NULL)\b/
        return text.matches(of: /"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"/).map(\.output).filter { literal in
            guard literal.contains("\\("),
                literal.contains("quoted(") || literal.contains(verbs) || literal.contains(clauses),
                !literal.contains(/\\\((?:name|bind|number|string|verbatim):|SQLText\./)
            else { return false }
            let before = text[..<literal.startIndex].split(separator: "\n", omittingEmptySubsequences: false)
            return before.last?.contains("//") == false
                && !before.suffix(15).contains { $0.contains("SQLText") || $0.contains("SQLFragment") }
        }
    }

    /// The one who inserts SQL as it is has it from a statement, a database or a list in the source.
    @Test(arguments: ["PredicateSQLite", "PredicateStore", "PredicateCoreData"])
    func sqlIsInsertedAsItIsInKnownPlaces(module: String) throws {
        let known: Set = [
            // Rendered statements, made into others.
            "Prefetch.swift", "ObjectStore.swift", "FoldIndexes.swift", "ObjectStore+Inserting.swift",
            // Words of a list: journal modes, and types of columns.
            "StoreConnection.swift", "HistoryTransfer.swift", "StoreTables.swift",
        ]
        for file in try files(of: module) where !known.contains(file.lastPathComponent) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("verbatim:"), "\(file.lastPathComponent)")
        }
    }

    // MARK: - The manifest and ARCHITECTURE.md

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: sources.deletingLastPathComponent().appending(path: name), encoding: .utf8)
    }

    /// The edges between the modules of Sources, and those to libraries of the system.
    private static let edges = allowed.mapValues { imports in
        imports.filter { allowed[$0] != nil || floors[0].modules.contains($0) }
    }

    @Test func theManifestHasTheEdgesOfTheSources() throws {
        var found: [String: Set<String>] = [:]
        let manifest = try Self.text("Package.swift")
        for match in manifest.matches(of: /module\(\s*"(\w+)"((?:,\s*"\w+")*)(?:,\s*c: \[([^\]]*)\])?/) {
            found["Predicate\(match.1)"] = Self.names(match.2, prefix: "Predicate")
                .union(match.3.map { Self.names($0) } ?? [])
        }
        #expect(found.count > 15)
        for (floor, modules) in Self.floors {
            let names = modules.map { "\"\($0)\"" }.joined(separator: ",")
            let isListed = manifest.replacing(/\s+/, with: "").contains("(\"\(floor)\",[\(names)])")
            #expect(isListed, "\(floor)")
        }
        for (module, edges) in found { #expect(edges == Self.edges[module], "\(module)") }
        let others = Self.edges.keys.filter { found[$0] == nil && !$0.hasPrefix("PredicateLint") }
        #expect(others.sorted() == ["NSPredicates", "Predicates", "predicate", "predicate-lint"])
    }

    @Test func architectureHasTheEdgesOfTheSources() throws {
        let lines = try Self.text("ARCHITECTURE.md").split(separator: "\n").drop { $0 != "|---|---|---|" }.dropFirst()
        var found: [String: Set<String>] = [:]
        for line in lines.prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let module = cells[0].trimmingCharacters(in: ["`"])
            let parts = cells.count < 3 || cells[1].isEmpty ? [""] : cells[1].split(separator: "(").map(String.init)
            let modules = parts[0].split { !$0.isLetter && !$0.isNumber }.map { "Predicate\($0)" }
            let libraries = parts.dropFirst().flatMap { $0.split { !$0.isLetter } }.map(String.init)
            #expect(modules.allSatisfy { found[$0] != nil }, "\(module) is above what it imports")
            found[module] = Set(modules + libraries)
        }
        let programs: Set = ["PredicateLintCommand", "PredicateLintPlugin", "predicate", "predicate-lint"]
        #expect(Set(found.keys) == Set(Self.edges.keys).subtracting(programs))
        for (module, edges) in found { #expect(edges == Self.edges[module], "\(module)") }
    }

    /// `"Syntax", "Text"` as the names of modules.
    private static func names(_ list: Substring, prefix: String = "") -> Set<String> {
        Set(list.split { !$0.isLetter && !$0.isNumber }.map { prefix + $0 })
    }

    /// An edge that no source uses is not an edge.
    @Test(arguments: allowed.keys.sorted())
    func aModuleImportsAllItsNeighbours(module: String) throws {
        let imported = Set(try files(of: module).flatMap { imports(try String(contentsOf: $0, encoding: .utf8)) })
        #expect(Self.edges[module]?.subtracting(imported) == [], "no source of \(module) imports these")
    }
}

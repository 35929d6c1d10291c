import Foundation
import Testing

/// The sources that only Apple's compilers see, checked with declarations that stand in for those of Apple's modules.
///
/// `StandIns` has modules named Darwin, ObjectiveC and AppleFoundation, so that `canImport(Darwin)` is true. In copies of the
/// sources, `Foundation` is `AppleFoundation`. Nothing is linked or run.
@Suite(.serialized) struct AppleSourcesTests {
    /// The modules with files that depend on the platform.
    static let modules = Repository.modules.filter { !Repository.files(of: $0).filter(\.dependsOnPlatform).isEmpty }

    @Test func thereAreSuchModules() {
        #expect(Self.modules.map(\.lastPathComponent).contains("PredicateFoundation"))
        #expect(Self.modules.count > 8)
    }

    @Test(arguments: modules) func sourcesForApplesPlatformsCompile(module: URL) throws {
        let compiler = try AppleCompiler.shared.get()
        #expect(try compiler.errors(in: module) == "")
    }

    /// What the stand-ins lack, and an enumeration of Objective-C without `@unknown default`, are errors.
    @Test(arguments: [
        ("func key(_ descriptor: NSSortDescriptor) -> String { descriptor.key }", "must be unwrapped"),
        (
            """
            func isAnd(_ type: NSCompoundPredicate.LogicalType) -> Bool {
                switch type {
                case .and: true
                case .or, .not: false
                }
            }
            """, "may have additional unknown values"
        ),
    ])
    func whatAppleLacksIsAnError(function: String, message: String) throws {
        let compiler = try AppleCompiler.shared.get()
        let errors = try compiler.errors(inText: "#if canImport(Darwin)\nimport Foundation\n\(function)\n#endif\n")
        #expect(errors.contains(message))
    }
}

/// The compiler with the stand-ins of Apple's modules.
struct AppleCompiler {
    /// The folder of the built stand-ins and of the copies.
    private let folder: URL

    static let shared = Result { try AppleCompiler() }

    /// The folder of what was built.
    private static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    private init() throws {
        folder = Self.products.appending(path: "AppleSources")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["Darwin", "ObjectiveC", "AppleFoundation"] {
            let sources = Repository.files(of: Repository.tests.appending(path: "Apple/StandIns/\(name)")).map(\.url)
            // Evolution leaves enumerations open, as those of Objective-C are.
            let isOpen = name == "AppleFoundation" ? ["-enable-library-evolution"] : []
            let errors = try run(
                ["-emit-module", "-emit-module-path", "\(folder.path())/\(name).swiftmodule", "-suppress-warnings"]
                    + isOpen + options(name, package: "apple") + sources.map { $0.path() })
            if !errors.isEmpty { throw Failure(errors: errors) }
        }
    }

    struct Failure: Error {
        let errors: String
    }

    /// Returns the errors in the files of a module that depend on the platform; empty if they compile.
    func errors(in module: URL) throws -> String {
        let name = module.lastPathComponent
        let copies = folder.appending(path: "Sources/\(name)")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
        var arguments: [String] = []
        for (number, file) in Repository.files(of: module).enumerated() {
            // Numbers keep files of the same name apart; main.swift must keep its name.
            let prefix = file.url.lastPathComponent == "main.swift" ? "" : "\(number)-"
            let copy = copies.appending(path: prefix + file.url.lastPathComponent)
            try file.textForApple.write(to: copy, atomically: false, encoding: .utf8)
            arguments += (file.dependsOnPlatform ? ["-primary-file"] : []) + [copy.path()]
        }
        return try check(name, arguments)
    }

    func errors(inText text: String) throws -> String {
        let copy = folder.appending(path: "Text.swift")
        try SourceFile(url: copy, text: text).textForApple.write(to: copy, atomically: false, encoding: .utf8)
        return try check("Text", ["-primary-file", copy.path()])
    }

    private func check(_ name: String, _ files: [String]) throws -> String {
        let isProgram = files.contains { $0.hasSuffix("/main.swift") }
        return try run(
            ["-frontend", "-typecheck", "-warnings-as-errors"] + options(name, isProgram: isProgram) + files)
    }

    /// The options of a module, by default of the package, whose name is that of its folder, as Swift Package Manager passes it.
    private func options(_ name: String, isProgram: Bool = false, package: String = Repository.package) -> [String] {
        let libraries = ["CEdit", "CPredicateSQLite", "CZlib", "CZstd"].map {
            Repository.sources.appending(path: "System/\($0)")
        }
        return ["-swift-version", "6", "-package-name", package, "-module-name", name.replacing("-", with: "_")]
            + (isProgram ? [] : ["-parse-as-library"])
            + ([folder, Self.products.appending(path: "Modules")] + libraries).flatMap { ["-I", $0.path()] }
    }

    /// Runs `swiftc` and returns what it prints if it fails.
    private func run(_ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swiftc"] + arguments
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : text
    }
}

/// A source file of the package.
struct SourceFile {
    let url: URL
    let text: String

    /// True for a file with a part for Apple's platforms, or without one for them.
    var dependsOnPlatform: Bool { text.contains("canImport(Darwin)") || text.contains("canImport(ObjectiveC)") }

    var textForApple: String { text.replacing(/\bFoundation\b/, with: "AppleFoundation") }
}

/// The folders of the package.
enum Repository {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    static let root = tests.deletingLastPathComponent()
    static let sources = root.appending(path: "Sources")
    static let package = root.lastPathComponent.lowercased().replacing(/[^a-z0-9]/, with: "_")

    static var modules: [URL] { folders(of: sources).flatMap(folders) }

    static func files(of module: URL) -> [SourceFile] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: module.path())) ?? []
        return paths.sorted().filter { $0.hasSuffix(".swift") }.compactMap { path in
            let url = module.appending(path: path)
            return (try? String(contentsOf: url, encoding: .utf8)).map { SourceFile(url: url, text: $0) }
        }
    }

    private static func folders(of url: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.map { url.appending(path: $0) }
    }
}

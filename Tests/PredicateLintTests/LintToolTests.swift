import Foundation
import Testing

/// The program that build plugins run: the configuration and the models of a package, from any directory.
@Suite("The program predicate-lint")
struct LintToolTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Person"><attribute name="age" attributeType="Integer 16"/></entity>
        </model>
        """

    private static let source = """
        let r = NSFetchRequest<Person>(entityName: "Person")
        r.predicate = NSPredicate(format: "age == '5'")
        let p = NSPredicate(format: "name MATCHES '('")
        let q = NSPredicate(format: "a > 5 AND a < 3")
        """

    /// Runs a test with a package that has the model and the source.
    private static func withPackage(_ configuration: String?, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
        let model = folder.appending(path: "App/Zoo.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.model.write(to: model.appending(path: "contents"), atomically: true, encoding: .utf8)
        try source.write(to: folder.appending(path: "a.swift"), atomically: true, encoding: .utf8)
        try configuration?.write(to: folder.appending(path: ".predicate-lint"), atomically: true, encoding: .utf8)
        try body(folder)
    }

    /// The exit status, and the codes of the findings.
    private struct Outcome: Equatable {
        var status: Int32
        var codes: [String]
    }

    private func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// Runs the tool in `/`, or in another directory.
    private func run(_ arguments: [String], in directory: URL = URL(fileURLWithPath: "/")) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "predicate-lint")
        process.arguments = arguments
        process.currentDirectoryURL = directory
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let codes = text.split(separator: "\n").filter { $0.contains(" [predicate-") }.map { line in
            String(line[(line.lastIndex(of: "(") ?? line.startIndex)...].dropFirst().prefix { $0 != ")" })
        }
        return Outcome(status: process.terminationStatus, codes: codes)
    }

    @Test func theConfigurationNamesTheModel() throws {
        try Self.withPackage("model App/Zoo.xcdatamodel\n") { folder in
            let found = try run("--root", folder.path, folder.appending(path: "a.swift").path)
            #expect(found == Outcome(status: 1, codes: ["kind-mismatch", "cannot-be-prepared", "never-holds"]))
        }
    }

    @Test func theModelIsAnOption() throws {
        try Self.withPackage(nil) { folder in
            let model = folder.appending(path: "App/Zoo.xcdatamodel")
            let source = folder.appending(path: "a.swift").path
            // The folder of the model is a project without the model.
            let without = try run([source], in: model)
            #expect(without == Outcome(status: 1, codes: ["cannot-be-prepared", "never-holds"]))
            let with = try run("--model", model.path, "--level", "check=off", source)
            #expect(with == Outcome(status: 1, codes: ["kind-mismatch"]))
        }
    }

    /// In `/`, a project is the folder of a source. The models in it are read, and no source of other folders.
    @Test func theFileSystemIsNoProject() throws {
        try Self.withPackage(nil) { folder in
            try Self.withPackage(nil) { other in
                let names = "typealias Person = Other\nclass Other: NSManagedObject {}\n"
                try names.write(to: other.appending(path: "b.swift"), atomically: true, encoding: .utf8)
                let found = try run("--level", "check=off", folder.appending(path: "a.swift").path)
                #expect(found == Outcome(status: 1, codes: ["kind-mismatch"]))
            }
        }
    }

    /// The level of an option outranks those of all configurations.
    @Test func theLevelOfAnOption() throws {
        try Self.withPackage("level never-holds error *.swift\nexclude App\n") { folder in
            let source = folder.appending(path: "a.swift").path
            let root = ["--root", folder.path, "--level", "predicate-model=off", "--level"]
            let shown = try run(root + ["never-holds=warning", source])
            #expect(shown.codes == ["cannot-be-prepared", "never-holds"])
            let hidden = try run(root + ["never-holds=off", source])
            #expect(hidden.codes == ["cannot-be-prepared"])
        }
    }

    @Test func aModelThatIsNotThereIsAnError() throws {
        try Self.withPackage("model App/Other.xcdatamodel\n") { folder in
            let source = folder.appending(path: "a.swift").path
            let named = try run("--root", folder.path, source)
            let passed = try run("--model", folder.appending(path: "none").path, source)
            let missing = try run("--model")
            #expect([named, passed, missing].allSatisfy { $0 == Outcome(status: 2, codes: []) })
        }
    }
}

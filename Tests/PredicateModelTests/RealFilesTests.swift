import Foundation
import PredicateModel
import Testing

/// Models of public repositories, where `PREDICATES_MODELS` names a folder with some.
///
/// `PREDICATES_MODELS=/path/to/repositories swift test --filter RealFilesTests`
@Suite struct RealFilesTests {
    private static let folder = ProcessInfo.processInfo.environment["PREDICATES_MODELS"]

    private static func paths(_ suffix: String) -> [String] {
        guard let folder else { return [] }
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(suffix) }.map { folder + "/" + $0 }.sorted()
    }

    private static func saySkipped() {
        if folder == nil { print("RealFilesTests: PREDICATES_MODELS names no folder, so no real file was read") }
    }

    @Test func everySourceIsReadAndWrittenAgain() throws {
        Self.saySkipped()
        for path in Self.paths(".xcdatamodel/contents") {
            let model: ManagedObjectModel
            do { model = try ManagedObjectModel(path: path) } catch {
                Issue.record("\(error)")
                continue
            }
            let document = ModelDocument(model)
            #expect(document.omissions.isEmpty, "\(path): \(document.omissions)")
            #expect(try ManagedObjectModel(bytes: Array(document.text.utf8)) == model, "\(path)")
        }
    }

    /// Bundles without versions, without a current one, and files that are something else are there, too.
    @Test func everyBundleIsRead() throws {
        for path in Self.paths(".xcdatamodeld") + Self.paths(".momd") {
            do throws(ModelError) {
                let bundle = try ModelBundle(path: path)
                for version in bundle.versions { _ = try version.model() }
                _ = try bundle.currentVersion()
            } catch {
                switch error.code {
                case .noVersions, .bundleBeforeXcode43, .unknownVersion, .notAPropertyList:
                    print("RealFilesTests: \(error.title) (\(path))")
                default: Issue.record("\(error)")
                }
            }
        }
    }

    @Test func everyCompiledModelIsRead() throws {
        for path in Self.paths(".mom") {
            do {
                let model = try ManagedObjectModel(path: path)
                #expect(!model.entities.isEmpty, "\(path)")
            } catch { Issue.record("\(error)") }
        }
        for path in Self.paths(".cache") {
            do {
                _ = try ManagedObjectModel(modelCache: Array(try Data(contentsOf: URL(filePath: path))))
            } catch { Issue.record("\(path): \(error)") }
        }
    }
}

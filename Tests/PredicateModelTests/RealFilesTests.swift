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
                case .noVersions, .unknownVersion, .notAPropertyList:
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

    @Test func everyMappingModelIsRead() throws {
        for path in Self.paths("xcmapping.xml") + Self.paths(".cdm") {
            do { #expect(try !MappingModel(path: path).entityMappings.isEmpty, "\(path)") } catch {
                Issue.record("\(error)")
            }
        }
    }

    /// A compiled mapping model, and the source of the same name with what follows from its two models.
    @Test func sourcesOfMappingModelsSayWhatTheCompiledOnesDo() throws {
        for path in Self.paths(".cdm") {
            let name = URL(filePath: path).deletingPathExtension().lastPathComponent
            guard let file = Self.paths("/\(name).xcmappingmodel").first else { continue }
            let source = try MappingModel(path: file)
            func model(_ path: String?) throws -> ManagedObjectModel? {
                let suffix = path?.split(separator: "/").suffix(2).joined(separator: "/") ?? ""
                return try Self.paths(suffix).first.map { try ManagedObjectModel(path: $0) }
            }
            guard let old = try model(source.sourceModelPath), let new = try model(source.destinationModelPath) else {
                continue
            }
            var compiled = try MappingModel(path: path)
            for index in compiled.entityMappings.indices {
                compiled.entityMappings[index].sourceExpression = nil
                compiled.entityMappings[index].sourceEntityVersionHash = nil
                compiled.entityMappings[index].destinationEntityVersionHash = nil
            }
            let resolved = try source.resolved(from: old, to: new)
            #expect(resolved.entityMappings == compiled.entityMappings, "\(path)")
        }
    }

    /// Compiled models and the sources beside them: no difference that asks for a migration. Archives in XML are of another
    /// compiler than Apple's.
    @Test func compiledModelsAreTheirSources() throws {
        for path in Self.paths(".mom") {
            let file = URL(filePath: path), name = file.deletingPathExtension().lastPathComponent
            guard try Data(contentsOf: file).starts(with: Array("bplist".utf8)) else { continue }
            let folder = file.deletingLastPathComponent()
            let bundle = "/\(folder.deletingPathExtension().lastPathComponent).xcdatamodeld/\(name).xcdatamodel"
            let beside = folder.appending(path: "\(name).xcdatamodel").path()
            guard let source = (Self.paths(bundle) + Self.paths(beside)).first else { continue }
            let difference = ModelDifference(
                from: try ManagedObjectModel(path: source), to: try ManagedObjectModel(path: path))
            #expect(difference.verdict == .nothing, "\(path): \(difference.changes)")
        }
    }
}

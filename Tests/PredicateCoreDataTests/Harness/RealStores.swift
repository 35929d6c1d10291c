import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore

/// The stores and models in a folder of other people's files.
struct RealStores {
    private let folder: URL
    /// The SQLite files, sorted.
    let paths: [String]

    init(_ folder: String) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        paths = Self.files(in: self.folder).filter(Self.isStore)
    }

    private static func files(in folder: URL) -> [String] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.allObjects ?? []).compactMap { ($0 as? URL)?.path }.sorted()
    }

    private static func isStore(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 16) else {
            return false
        }
        try? file.close()
        return head.starts(with: Data("SQLite format 3".utf8))
    }

    /// Sizes, times and names of the files beside a store.
    static func traces(beside path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        return names.sorted().map { name in
            let file = url.deletingLastPathComponent().appendingPathComponent(name).path
            let facts = try? FileManager.default.attributesOfItem(atPath: file)
            return "\(name) \(facts?[.size] ?? 0) \(facts?[.modificationDate] ?? 0)"
        }
    }

    /// The names of the entities that a store lists.
    static func entityNames(in path: String) throws -> Set<String> {
        let rows = try StoreConnection(path, .untouched).rows(of: SQLFragment("SELECT Z_NAME FROM Z_PRIMARYKEY")).all()
        return Set(rows.compactMap { if case .text(let name)? = $0.first { name } else { nil } })
    }

    /// The models in the repository of a store.
    func models(near path: String) -> [ManagedObjectModel] {
        let repository = path.dropFirst(folder.path.count).split(separator: "/").first.map(String.init) ?? ""
        return Self.files(in: folder.appendingPathComponent(repository)).compactMap { file in
            guard file.hasSuffix(".xcdatamodel") || file.hasSuffix(".mom") else { return nil }
            return try? ManagedObjectModel(path: file)
        }
    }
}

import Foundation
import PredicateSyntax

/// What the sources of a project declare, as far as findings about other sources depend on it.
///
/// Of each source only the hashes of its types' names, its entities and its wrappers are kept. The members of a type are
/// read from its sources when a finding depends on them.
package struct ProjectDeclarations: Sendable {
    /// What one source declares.
    package struct Source: Sendable {
        package var path: String
        /// The entities, and the types of macros.
        var types = SourceTypes()
        var names = DeclaredNames()
        var wrappers: [CallName] = []

        init(path: String) {
            self.path = path
        }

        init(path: String, _ source: [UInt8], _ kind: SourceKind, wrappers: [CallName]) {
            self.path = path
            self.wrappers = wrappers
            guard kind == .swift else { return }
            types = SourceTypes(source)
            names = source.withUnsafeBufferPointer { DeclaredNames(Bytes($0)) }
        }
    }

    /// The entities of all sources.
    package private(set) var types = SourceTypes()
    private var sources: [(path: String, names: DeclaredNames)] = []
    /// The wrappers of each target, by its folder.
    private var wrappers: [String: [(path: String, wrapper: CallName)]] = [:]
    private let root: SourceRoot
    /// The members that were read, by the names of their types.
    private let known = Locked<[Set<String>: SourceTypes]>([:])
    private static let mostKnown = 256
    /// Differs if the sources differ that were read for their declarations only.
    package private(set) var digest = 0
    /// The maximum number of wrappers of a target that are looked for.
    private static let mostWrappers = 16
    /// The maximum number of sources from which members are read.
    private static let mostRead = 5_000

    /// `folder` is the folder of the project.
    package init(folder: String) {
        root = SourceRoot(folder)
    }

    package mutating func add(_ source: Source) {
        types.add(source.types)
        if !source.names.isEmpty { sources.append((source.path, source.names)) }
        guard !source.wrappers.isEmpty else { return }
        let target = target(of: source.path)
        let left = Self.mostWrappers - (wrappers[target]?.count ?? 0)
        wrappers[target, default: []] += source.wrappers.prefix(left).map { (source.path, $0) }
    }

    mutating func note(_ source: [UInt8]) { digest = digest &* 31 &+ DeclaredNames.hash(source) }

    /// The types with these names, with their members. They are read once.
    package func members(of names: Set<String>) -> SourceTypes {
        if let members = known.withLock({ $0[names] }) { return members }
        let members = read(names)
        known.withLock { known in
            if known.count >= Self.mostKnown { known = [:] }
            known[names] = members
        }
        return members
    }

    private func read(_ names: Set<String>) -> SourceTypes {
        let hashes = Set(names.map { DeclaredNames.hash($0.utf8) })
        guard !hashes.isEmpty else { return SourceTypes() }
        var members = SourceTypes()
        for (path, _) in sources.lazy.filter({ $0.names.mayContain(hashes) }).prefix(Self.mostRead) {
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            members.add(SourceTypes(named: names, in: Array(data)))
        }
        return members.resolved()
    }

    // MARK: Wrappers

    package var hasWrappers: Bool { !wrappers.isEmpty }

    /// The wrappers that a source may call: those of its language. A name that two functions have is left out.
    package func wrappers(for path: String) -> [CallName] {
        guard hasWrappers, let all = wrappers[target(of: path)] else { return [] }
        let isSwift = path.hasSuffix(".swift")
        let own = all.filter { $0.path.hasSuffix(".swift") == isSwift }
        return own.filter { one in one.path != path && own.count { $0.wrapper.name == one.wrapper.name } == 1 }
            .map(\.wrapper)
    }

    /// The folder of the target of a source: `Sources/App` in a package, or else the outermost folder.
    private func target(of path: String) -> String {
        let parts = root.relative(path).split(separator: "/")
        guard let start = parts.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }), start + 2 < parts.count else {
            return parts.count > 1 ? String(parts[0]) : ""
        }
        return parts[...(start + 1)].joined(separator: "/")
    }
}

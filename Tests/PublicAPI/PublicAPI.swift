import Foundation

/// The public declarations of the modules that products vend, as their sources have them.
struct PublicAPI {
    static let modules = [
        "PredicateSyntax", "PredicateEvaluation", "PredicateChecks", "PredicateSQL", "PredicateSQLite",
        "PredicateQuery", "PredicateStore", "PredicateModel",
        "PredicateConversion", "PredicateFoundation", "NSPredicates", "PredicateCoreData", "Predicates",
    ]

    private let declarations: [String: [Declaration]]
    /// The types that are declared without being public, by path.
    private let hidden: Set<String>

    /// The protocols of each type, and of each protocol, by path.
    private let conformances: [String: Set<String>]

    /// Reads the sources of all modules, since a module extends types of others.
    init(sources: URL) throws {
        var declarations: [String: [Declaration]] = [:]
        for module in Self.modules {
            let files = try Self.files(in: Self.folder(of: module, in: sources))
            declarations[module] = try files.flatMap {
                DeclarationScanner(try String(contentsOf: $0, encoding: .utf8)).declarations
            }
        }
        let types = declarations.values.joined().filter(\.kind.isType)
        let inherited = declarations.values.joined().filter { $0.kind.isType || $0.kind == .extension }
        conformances = Dictionary(inherited.map { ($0.path, Set($0.inherited)) }, uniquingKeysWith: { $0.union($1) })
        self.declarations = declarations
        hidden = Set(types.filter { !$0.isPublic }.map(\.path)).subtracting(types.filter(\.isPublic).map(\.path))
    }

    /// The folder of a module, which stands on one of the floors of Sources.
    private static func folder(of module: String, in sources: URL) throws -> URL {
        let floors = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
        let folders = floors.map { $0.appendingPathComponent(module) }
        guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return folder
    }

    private static func files(in folder: URL) throws -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
    }

    /// The types that whoever imports the module sees by their plain names.
    func topLevelTypes(of module: String) -> [String] {
        visible(in: module).filter { $0.kind.isType && !$0.path.contains(".") }.map(\.path)
    }

    /// The declarations without a comment of documentation, but for those that answer a documented requirement.
    func undocumented(in module: String) -> [String] {
        let protocols = Set(declarations.values.joined().filter { $0.kind == .protocol }.map(\.path))
        let requirements = declarations.values.joined().filter { declaration in
            protocols.contains { declaration.path.hasPrefix($0 + ".") } && declaration.isDocumented
        }.map(\.name)
        return visible(in: module)
            .filter { !$0.isDocumented && !$0.needsNoDocumentation && !requirements.contains($0.name) }.map(\.line)
    }

    /// One declaration a line, in the order of their paths, and the counts. Left out are interfaces of `@_spi`, what the
    /// conformances of a type to protocols of Swift's library ask for (`==` says no more than `Hashable`, which may also be
    /// derived), and the default of a requirement. The counts tell how many members, other than those of `@_spi`, were left out.
    func listing(of module: String) -> String {
        let all = visible(in: module)
        let conformances = all.filter { $0.kind == .extension && $0.constraints.isEmpty }
        let types = Set(all.filter(\.kind.isType).map(\.path))
        let found = all.filter { $0.kind != .extension }
        var lines: Set<String> = []
        let members = found.filter { !isStated($0) && lines.insert($0.line).inserted }
        var merged = members.map { merging(conformances, into: $0) }
        merged += all.filter { $0.kind == .extension && (!types.contains($0.path) || !$0.constraints.isEmpty) }
            .filter { !$0.inherited.isEmpty }
        let sorted = merged.map { (path: $0.path, line: $0.line) }.sorted { ($0.path, $0.line) < ($1.path, $1.line) }
        let cases = members.count { $0.kind == .case }
        let counts =
            "\(members.count - cases) declarations, of them \(types.count) types; \(cases) enum cases; "
            + "\(found.count - members.count) members that others state are left out"
        return (sorted.map(\.line) + ["", counts]).joined(separator: "\n") + "\n"
    }

    /// True for a member that a protocol of Swift's library asks for, if a conformance states that protocol.
    private func isStated(_ member: Declaration) -> Bool {
        guard let protocols = member.protocolsOfRequirement else { return false }
        var (found, open) = (Set<String>(), [member.path.split(separator: ".").dropLast().joined(separator: ".")])
        while let path = open.popLast() {
            for name in conformances[path] ?? [] where found.insert(name).inserted { open.append(name) }
        }
        return !found.isDisjoint(with: protocols)
    }

    /// A type with what its extensions conform it to: where a conformance stands is no matter of the interface.
    private func merging(_ extensions: [Declaration], into declaration: Declaration) -> Declaration {
        guard declaration.kind.isType else { return declaration }
        var declaration = declaration
        declaration.inherited += extensions.filter { $0.path == declaration.path }.flatMap(\.inherited)
        return declaration
    }

    private func visible(in module: String) -> [Declaration] {
        (declarations[module] ?? []).filter { $0.isPublic && !isHidden($0.path) }.map {
            var declaration = $0
            declaration.inherited.removeAll { hidden.contains($0) }
            return declaration
        }
    }

    /// True if the declaration, or a type around it, is not public.
    private func isHidden(_ path: String) -> Bool {
        let names = path.split(separator: ".")
        return names.indices.contains { hidden.contains(names[...$0].joined(separator: ".")) }
    }
}

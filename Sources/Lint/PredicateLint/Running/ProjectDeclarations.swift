import Foundation
import PredicateSyntax

/// The declarations in the sources of a project on which findings about other sources depend.
///
/// For each source, only the hashes of its type names, its entities and its wrappers are kept. The members of a type are read
/// from its sources when a finding depends on them.
package struct ProjectDeclarations: Sendable {
    /// The declarations in one source.
    package struct Source: Sendable {
        package var path: String
        /// The entities, and the types that macros use.
        var types = SourceTypes()
        var names = DeclaredNames()
        var wrappers: [CallName] = []

        init(path: String) {
            self.path = path
        }

        init(path: String, _ source: [UInt8], _ kind: SourceKind, _ result: LintResult) {
            self.path = path
            wrappers = result.wrappers
            guard let words = result.words else { return }
            if kind == .swift, words.mayDeclareEntities { types = result.types ?? SourceTypes(source) }
            names = words.declared
        }
    }

    /// The entities of all sources.
    package private(set) var types = SourceTypes()
    private var paths: [String] = []
    /// The sources that declare a type, a constant or a type alias, by the hash of the name.
    private var declaring: [Int: [Int]] = [:]
    /// The source with the only function of a name, by the hash of the name; nil if several functions have the name.
    private var functions: [UInt32: Int?] = [:]
    /// The wrappers in each target, by the target's folder.
    private var wrappers: [String: [(path: String, wrapper: CallName)]] = [:]
    private let root: SourceRoot
    /// The target of each folder.
    private let targets = Locked<[String: String]>([:])
    /// The sources that were read because they may declare a member.
    private let read = Locked<[Int: ReadSource]>([:])
    /// A hash of the sources that were read for their declarations only.
    package private(set) var digest = 0
    /// The maximum number of wrappers of a target that are searched for.
    private static let mostWrappers = 16
    /// The maximum number of sources from which the members for one source are read.
    private static let mostRead = 5_000

    /// `folder` is the folder of the project.
    package init(folder: String) {
        root = SourceRoot(folder)
    }

    package mutating func add(_ source: Source) {
        types.add(source.types)
        let index = paths.count
        paths.append(source.path)
        for name in source.names.all { declaring[name, default: []].append(index) }
        for name in source.names.functions { functions[name] = functions[name] == nil ? .some(index) : .some(nil) }
        guard !source.wrappers.isEmpty else { return }
        let target = target(of: source.path)
        let left = Self.mostWrappers - (wrappers[target]?.count ?? 0)
        wrappers[target, default: []] += source.wrappers.prefix(left).map { (source.path, $0) }
    }

    mutating func note(_ source: [UInt8]) { digest = digest &* 31 &+ DeclaredNames.hash(source) }

    // MARK: Members

    /// The types of members of other sources that the source at a path needs.
    func members(_ needs: Set<NeededMember>, for path: String) -> SourceTypes {
        var wanted: [Int: Set<NeededMember>] = [:]
        for member in needs {
            for source in sources(of: member) where paths[source] != path { wanted[source, default: []].insert(member) }
        }
        var types = SourceTypes()
        for (source, members) in wanted.sorted(by: { $0.key < $1.key }).prefix(Self.mostRead) {
            if let own = declared(in: source, of: members) { types.add(own) }
        }
        types = types.resolved()
        types.isAnswer = true
        return types
    }

    /// The sources that may declare a member. If several functions have its name, there are none.
    private func sources(of member: NeededMember) -> [Int] {
        guard member.type.isEmpty, member.name.hasSuffix("()") else { return declaring[member.hash] ?? [] }
        return [functions[DeclaredNames.shortHash(member.name.dropLast(2).utf8)] ?? nil].compactMap(\.self)
    }

    /// A source that was read.
    private enum ReadSource {
        case types(SourceTypes)
        /// The source declares none of these members.
        case without(Set<NeededMember>)
    }

    /// The types of a source that has the members; nil if it declares none of them. The types of a source are read only once.
    private func declared(in source: Int, of wanted: Set<NeededMember>) -> SourceTypes? {
        let known = read.withLock { $0[source] }
        if case .types(let all)? = known { return all.types(named: Set(wanted.map(\.type))) }
        var missing: Set<NeededMember> = []
        if case .without(let members)? = known { missing = members }
        let language: CodeLanguage = paths[source].hasSuffix(".swift") ? .swift : .objectiveC
        guard !wanted.isSubset(of: missing),
            let bytes = FileManager.default.contents(atPath: paths[source]).map(Array.init),
            wanted.contains(where: { $0.mayBeDeclared(in: bytes, language) })
        else {
            read.withLock { $0[source] = .without(missing.union(wanted)) }
            return nil
        }
        let all = SourceTypes(bytes, language)
        read.withLock { $0[source] = .types(all) }
        return all.types(named: Set(wanted.map(\.type)))
    }

    // MARK: Wrappers

    /// The wrappers in other sources of the same target that a source may call, in its own language. A name that two functions
    /// have is left out.
    package func wrappers(for path: String) -> [CallName] {
        guard !wrappers.isEmpty, let all = wrappers[target(of: path)] else { return [] }
        let isSwift = path.hasSuffix(".swift")
        let own = all.filter { $0.path.hasSuffix(".swift") == isSwift }
        return own.filter { $0.path != path }.compactMap { _, wrapper in
            guard own.count(where: { $0.wrapper.name == wrapper.name }) == 1 else { return nil }
            var wrapper = wrapper
            wrapper.isOnly = isSwift && (functions[DeclaredNames.shortHash(wrapper.name.utf8)] ?? nil) != nil
            return wrapper
        }
    }

    /// The folder of the target that contains a source: `Sources/App` in a package, or else the outermost folder.
    private func target(of path: String) -> String {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        if let target = targets.withLock({ $0[folder] }) { return target }
        let target = target(in: root.relative(folder + "x"))
        targets.withLock { $0[folder] = target }
        return target
    }

    private func target(in path: String) -> String {
        let parts = path.split(separator: "/")
        guard let start = parts.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }), start + 2 < parts.count else {
            return parts.count > 1 ? String(parts[0]) : ""
        }
        return parts[...(start + 1)].joined(separator: "/")
    }
}

extension NeededMember {
    /// The hash by which the sources that may declare the member are found.
    fileprivate var hash: Int {
        if type.isEmpty { return DeclaredNames.hash(name.utf8) ^ DeclaredNames.constant }
        return DeclaredNames.hash(type.utf8) ^ (name == Self.alias ? DeclaredNames.alias : 0)
    }

    /// True if a source may declare the member: `var age`, `func find`, `enum Kind: Int`.
    fileprivate func mayBeDeclared(in source: [UInt8], _ language: CodeLanguage) -> Bool {
        name == Self.whole
            || source.withUnsafeBufferPointer { buffer in
                words(language).contains { Bytes(buffer).firstOffset(of: $0) != nil }
                    || language == .swift && mayBeCase(Bytes(buffer))
            }
    }

    private func words(_ language: CodeLanguage) -> [String] {
        let word = name.prefix { $0 != "(" }
        if name == Self.alias { return ["typealias " + type] }
        if language == .objectiveC { return [String(name == "rawValue" ? type[...] : word)] }
        return name.hasSuffix("()") ? ["func " + word] : ["var " + word, "let " + word]
    }

    /// True for a case of an enum in the source, its associated values, and its raw value.
    private func mayBeCase(_ bytes: Bytes) -> Bool {
        let word = name.hasPrefix("case ") ? String(name.dropFirst(5)) : name
        return !name.hasSuffix("()") && bytes.firstOffset(of: "enum " + type) != nil
            && (word == "rawValue" || bytes.firstOffset(of: word) != nil)
    }
}

extension Linter {
    /// The maximum number of types of other sources that a value depends on: `cart.owner.name`.
    private static let mostSteps = 4

    /// The result for a source of a project. The source is linted again while the project contains more of the members that it
    /// needs. `needs` are the members that the linter already has.
    package func lint(
        _ source: [UInt8], kind: SourceKind, path: String, in project: ProjectDeclarations,
        needs: Set<NeededMember> = []
    ) -> LintResult {
        var (linter, asked) = (self, needs)
        var result = linter.lint(source, kind: kind)
        for _ in 0..<Self.mostSteps {
            let new = result.needs.subtracting(asked)
            guard !new.isEmpty else { break }
            asked.formUnion(new)
            linter.members = project.members(asked, for: path)
            guard linter.members.contain(new) else { break }
            result = linter.lint(source, kind: kind)
        }
        return result
    }
}

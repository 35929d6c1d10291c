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
        /// The entities, and the types that macros are about.
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
    /// The sources that declare a type, a constant or another name of a type, by the hash of the name.
    private var declaring: [Int: [Int]] = [:]
    /// The source that declares the only function of a name, by the hash of the name; nil if several have the name.
    private var functions: [UInt32: Int?] = [:]
    /// The wrappers of each target, by its folder.
    private var wrappers: [String: [(path: String, wrapper: CallName)]] = [:]
    private let root: SourceRoot
    /// The targets of folders.
    private let targets = Locked<[String: String]>([:])
    /// The wrappers of the targets that were asked for.
    private let found = Locked<[TargetWrappers.Key: TargetWrappers]>([:])
    /// What was read of the sources that may declare a member.
    private let read = Locked<[Int: ReadSource]>([:])
    /// Changes with any source that was read for its declarations only.
    package private(set) var digest = 0
    /// The maximum number of wrappers of a target that are looked for.
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
        found.withLock { $0.removeAll() }
        guard !source.wrappers.isEmpty else { return }
        let target = target(of: source.path)
        let left = Self.mostWrappers - (wrappers[target]?.count ?? 0)
        wrappers[target, default: []] += source.wrappers.prefix(left).map { (source.path, $0) }
    }

    mutating func note(_ source: [UInt8]) { digest = digest &* 31 &+ DeclaredNames.hash(source) }

    // MARK: Members

    /// The types of members that the source at a path needs of other sources.
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

    /// The sources that may declare a member. Of several functions with one name, none is meant.
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

    /// The types of a source that have the members; nil if it declares none of these. The types of a source are read once.
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

    /// The wrappers in its own language that a source may call. A name that two functions have is left out.
    package func wrappers(for path: String) -> [CallName] { targetWrappers(for: path)?.wrappers(for: path) ?? [] }

    /// The wrappers of the target and the language of a source; nil if there are none.
    func targetWrappers(for path: String) -> TargetWrappers? {
        guard !wrappers.isEmpty else { return nil }
        let target = target(of: path)
        guard let all = wrappers[target] else { return nil }
        let isSwift = path.hasSuffix(".swift")
        let key = TargetWrappers.Key(target: target, isSwift: isSwift)
        if let known = found.withLock({ $0[key] }) { return known.isEmpty ? nil : known }
        let own = TargetWrappers(all.filter { $0.path.hasSuffix(".swift") == isSwift }, isSwift: isSwift) { name in
            (functions[DeclaredNames.shortHash(name.utf8)] ?? nil) != nil
        }
        found.withLock { $0[key] = own }
        return own.isEmpty ? nil : own
    }

    /// The folder of the target of a source: `Sources/App` in a package, or else the outermost folder.
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

/// The functions of a target that pass a parameter on as a format, for its sources of one language.
struct TargetWrappers: Sendable {
    struct Key: Hashable, Sendable {
        var target: String
        var isSwift: Bool
    }

    private let all: [(path: String, wrapper: CallName)]
    /// Finds the names of the wrappers in calls.
    private let scanner: WordScanner

    /// `isOnly` tells whether the project has only one function of a name.
    init(_ found: [(path: String, wrapper: CallName)], isSwift: Bool, isOnly: (String) -> Bool) {
        all = found.compactMap { path, wrapper in
            guard found.count(where: { $0.wrapper.name == wrapper.name }) == 1 else { return nil }
            var wrapper = wrapper
            wrapper.isOnly = isSwift && isOnly(wrapper.name)
            return (path, wrapper)
        }
        scanner = WordScanner(all.map { $0.wrapper.name + (isSwift ? "(" : ":") })
    }

    var isEmpty: Bool { all.isEmpty }

    func wrappers(for path: String) -> [CallName] { all.filter { $0.path != path }.map(\.wrapper) }

    /// True if a source contains one of the names in a call.
    func mayBeCalled(in source: [UInt8]) -> Bool {
        source.withUnsafeBufferPointer { scanner.occurs(in: 0..<source.count, Bytes($0)) }
    }
}

extension NeededMember {
    /// The hash under which the sources that may declare it are known.
    fileprivate var hash: Int {
        if type.isEmpty { return DeclaredNames.hash(name.utf8) ^ DeclaredNames.constant }
        return DeclaredNames.hash(type.utf8) ^ (name == Self.alias ? DeclaredNames.alias : 0)
    }

    /// True if a source may declare it: `var age`, `func find`, `enum Kind: Int`.
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

    /// True for a case of an enum that a source declares, its values, and its raw value.
    private func mayBeCase(_ bytes: Bytes) -> Bool {
        let word = name.hasPrefix("case ") ? String(name.dropFirst(5)) : name
        return !name.hasSuffix("()") && bytes.firstOffset(of: "enum " + type) != nil
            && (word == "rawValue" || bytes.firstOffset(of: word) != nil)
    }
}

extension Linter {
    /// The maximum number of types of other sources on the way to a value: `cart.owner.name`.
    private static let mostSteps = 4

    /// The result for a source of a project. The source is linted again while what it needs of other sources is found there.
    /// `needs` are the members that the linter was told.
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

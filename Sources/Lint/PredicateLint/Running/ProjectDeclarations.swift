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
    private var sources: [(path: String, names: DeclaredNames)] = []
    /// The wrappers of each target, by its folder.
    private var wrappers: [String: [(path: String, wrapper: CallName)]] = [:]
    /// The number of functions of each name, by its hash.
    private var functions: [UInt32: Int] = [:]
    private let root: SourceRoot
    /// The targets of folders.
    private let targets = Locked<[String: String]>([:])
    /// The wrappers of the targets that were asked for.
    private let found = Locked<[TargetWrappers.Key: TargetWrappers]>([:])
    /// The types that were read for a source, by its path, and the members for which they were read.
    private let known = Locked<[String: (needs: Set<NeededMember>, types: SourceTypes)]>([:])
    /// The types of the sources that were read for members.
    private let read = Locked<[String: SourceTypes]>([:])
    /// True for one run over sources that do not change.
    package var keepsSources = false
    /// Changes with any source that was read for its declarations only.
    package private(set) var digest = 0
    /// The maximum number of wrappers of a target that are looked for.
    private static let mostWrappers = 16
    /// The maximum number of types of other sources on the way to a value: `cart.owner.name`.
    package static let mostSteps = 4
    /// The maximum number of sources from which members are read.
    private static let mostRead = 5_000

    /// `folder` is the folder of the project.
    package init(folder: String) {
        root = SourceRoot(folder)
    }

    package mutating func add(_ source: Source) {
        types.add(source.types)
        if !source.names.isEmpty { sources.append((source.path, source.names)) }
        for name in source.names.functions { functions[name, default: 0] += 1 }
        found.withLock { $0.removeAll() }
        guard !source.wrappers.isEmpty else { return }
        let target = target(of: source.path)
        let left = Self.mostWrappers - (wrappers[target]?.count ?? 0)
        wrappers[target, default: []] += source.wrappers.prefix(left).map { (source.path, $0) }
    }

    mutating func note(_ source: [UInt8]) { digest = digest &* 31 &+ DeclaredNames.hash(source) }

    /// The types of members that a source needs. They are read once.
    package func members(_ needs: Set<NeededMember>, for path: String) -> SourceTypes {
        if let (old, types) = known.withLock({ $0[path] }), old.isSuperset(of: needs) { return types }
        let types = members([path: needs])
        known.withLock { $0[path] = (needs, types) }
        return types
    }

    /// The types of members that sources need; `needs` lists these members by the path of the source.
    ///
    /// If only one source needs a type, that source is not read for it, because its own members are known.
    func members(_ needs: [String: Set<NeededMember>]) -> SourceTypes {
        let names = requested(needs)
        var (types, left) = (SourceTypes(), names.isEmpty ? 0 : Self.mostRead)
        let outside = outside(needs)
        for source in sources where left > 0 {
            var wanted = source.names.all.compactMap { names[$0] }.filter { $0.only != source.path }
            if !outside.isEmpty { wanted += source.names.functions.compactMap { outside[$0] } }
            guard !wanted.isEmpty else { continue }
            left -= 1
            if let own = declared(in: source.path, of: wanted) { types.add(own) }
        }
        types = types.resolved()
        types.isAnswer = true
        return types
    }

    /// The types of a source that are wanted; nil if it declares none of their members. A source is read once.
    private func declared(in path: String, of wanted: [Request]) -> SourceTypes? {
        let names = Set(wanted.map(\.name))
        if let known = read.withLock({ $0[path] }) { return known.types(named: names) }
        let language: CodeLanguage = path.hasSuffix(".swift") ? .swift : .objectiveC
        guard let bytes = FileManager.default.contents(atPath: path).map(Array.init),
            wanted.contains(where: { $0.mayBeDeclared(in: bytes, language) })
        else { return nil }
        let all = SourceTypes(bytes, language)
        if keepsSources { read.withLock { $0[path] = all } }
        return all.types(named: names)
    }

    /// A type, with those of its members that sources need.
    private struct Request {
        var name: String
        /// The source that needs it, if it is the only one.
        var only: String?
        var members: Set<String> = []

        /// True if a source may declare one of the members: `var age`, `func find`, `enum Kind: Int`.
        func mayBeDeclared(in source: [UInt8], _ language: CodeLanguage) -> Bool {
            members.contains(NeededMember.whole)
                || source.withUnsafeBufferPointer { buffer in
                    members.contains { member in
                        words(of: member, language).contains { Bytes(buffer).firstOffset(of: $0) != nil }
                            || language == .swift && mayBeCase(member, Bytes(buffer))
                    }
                }
        }

        private func words(of member: String, _ language: CodeLanguage) -> [String] {
            let name = member.prefix { $0 != "(" }
            if member == NeededMember.alias { return ["typealias " + self.name] }
            if language == .objectiveC { return [String(member == "rawValue" ? self.name[...] : name)] }
            return member.hasSuffix("()") ? ["func " + name] : ["var " + name, "let " + name]
        }

        /// True for a case of an enum that a source declares, its values, and its raw value.
        private func mayBeCase(_ member: String, _ bytes: Bytes) -> Bool {
            let name = member.hasPrefix("case ") ? String(member.dropFirst(5)) : member
            return !member.hasSuffix("()") && bytes.firstOffset(of: "enum " + self.name) != nil
                && (name == "rawValue" || bytes.firstOffset(of: name) != nil)
        }
    }

    /// The functions outside types that sources need, by the hashes of their names. Of several with one name, none is meant.
    private func outside(_ needs: [String: Set<NeededMember>]) -> [UInt32: Request] {
        var requests: [UInt32: Request] = [:]
        for member in needs.values.joined() where member.type.isEmpty && member.name.hasSuffix("()") {
            let hash = DeclaredNames.shortHash(member.name.dropLast(2).utf8)
            if functions[hash] == 1 { requests[hash] = Request(name: "", members: [member.name]) }
        }
        return requests
    }

    /// The types whose members are needed, by the hashes of their names.
    private func requested(_ needs: [String: Set<NeededMember>]) -> [Int: Request] {
        var requests: [Int: Request] = [:]
        for (path, members) in needs {
            for member in members {
                let hash = member.hash
                var request = requests[hash] ?? Request(name: member.type, only: path)
                if request.only != path { request.only = nil }
                request.members.insert(member.name)
                requests[hash] = request
            }
        }
        return requests
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
            functions[DeclaredNames.shortHash(name.utf8)] == 1
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
}

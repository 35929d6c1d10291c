import PredicateSQL
import PredicateSyntax

/// Makes a failure small: fewer rows and values, smaller trees, for as long as it stays a failure.
package struct AgreementShrinker {
    package let engine: any AgreementEngine
    package let entity: String
    package let translation: Translation
    /// The number of attempts left.
    private var budget: Int

    package init(engine: any AgreementEngine, entity: String, translation: Translation) {
        self.engine = engine
        self.entity = entity
        self.translation = translation
        budget = engine.patience
    }

    /// The smallest world and predicate found that still disagree.
    package mutating func shrink(
        _ world: AgreementWorld, _ predicate: PredicateNode
    ) -> (world: AgreementWorld, predicate: PredicateNode) {
        var (world, predicate) = (world, predicate)
        while budget > 0 {
            let smaller = shrunk(predicate, in: world)
            let fewer = shrunk(world, smaller ?? predicate)
            if smaller == nil, fewer == nil { break }
            predicate = smaller ?? predicate
            world = fewer ?? world
        }
        return (world, predicate)
    }

    /// The first of several predicates that disagrees; they are put to the database some at a time.
    private mutating func firstFailure(among candidates: [PredicateNode], _ bench: AgreementBench) -> PredicateNode? {
        for start in stride(from: 0, to: candidates.count, by: Self.batch) where budget > 0 {
            let some = candidates[start..<min(start + Self.batch, candidates.count)]
            budget -= some.count
            let verdicts = bench.verdicts(some.map { AgreementQuestion($0, about: entity, by: translation) })
            if let found = zip(some, verdicts).first(where: \.1.isDisagreement) { return found.0 }
        }
        return nil
    }

    private static let batch = 20

    private mutating func fails(_ world: AgreementWorld, _ predicate: PredicateNode) -> Bool {
        // A world has to be loaded first.
        budget -= 5
        guard budget >= 0, let bench = try? AgreementBench(world, engine) else { return false }
        return bench.verdict(predicate, about: entity, by: translation).isDisagreement
    }

    // MARK: - Trees

    private mutating func shrunk(_ predicate: PredicateNode, in world: AgreementWorld) -> PredicateNode? {
        guard let bench = try? AgreementBench(world, engine) else { return nil }
        var best: PredicateNode?
        while budget > 0 {
            let candidates = TreeNode.predicate(best ?? predicate).smaller.compactMap { node -> PredicateNode? in
                if case .predicate(let node) = node { node } else { nil }
            }
            guard let found = firstFailure(among: candidates, bench) else { break }
            best = found
        }
        return best
    }

    // MARK: - Rows

    private mutating func shrunk(_ world: AgreementWorld, _ predicate: PredicateNode) -> AgreementWorld? {
        var (best, found) = (world, false)
        var isSmaller = true
        while isSmaller, budget > 0 {
            isSmaller = false
            for candidate in best.smaller where fails(candidate, predicate) {
                (best, found, isSmaller) = (candidate, true, true)
                break
            }
        }
        return found ? best : nil
    }
}

extension AgreementWorld {
    /// Worlds with one thing less, the greatest losses first.
    fileprivate var smaller: [AgreementWorld] {
        var worlds: [AgreementWorld] = []
        for name in entityNames {
            let rows = rows[name] ?? []
            if rows.count > 2 {
                worlds.append(keeping(Set(rows.prefix(rows.count / 2).map(\.number)), of: name))
                worlds.append(keeping(Set(rows.suffix(rows.count / 2).map(\.number)), of: name))
            }
            let all = Set(rows.map(\.number))
            worlds += rows.map { keeping(all.subtracting([$0.number]), of: name) }
        }
        for name in entityNames { worlds += plainer(name) }
        for table in pairs.keys where !(pairs[table] ?? []).isEmpty {
            var copy = self
            copy.pairs[table]?.removeLast()
            worlds.append(copy)
        }
        return worlds
    }

    private func keeping(_ numbers: Set<Int>, of name: String) -> AgreementWorld {
        var copy = self
        copy.rows[name] = (rows[name] ?? []).filter { numbers.contains($0.number) }
        for other in entityNames {
            for (key, relationship) in entity(other).relationships where relationship.destination == name {
                for index in (copy.rows[other] ?? []).indices {
                    if let link = copy.rows[other]?[index].links[key], !numbers.contains(link) {
                        copy.rows[other]?[index].links[key] = nil
                    }
                }
            }
        }
        for table in pairs.keys {
            guard let ends = ends(of: table) else { continue }
            copy.pairs[table] = copy.pairs[table]?.filter {
                (ends.source.name != name || numbers.contains($0.source))
                    && (ends.target.name != name || numbers.contains($0.target))
            }
        }
        return copy
    }

    /// The rows with one value nil, or one link cut.
    private func plainer(_ name: String) -> [AgreementWorld] {
        var worlds: [AgreementWorld] = []
        for index in (rows[name] ?? []).indices {
            for (key, attribute) in entity(name).sortedAttributes
            where attribute.isNullable && rows[name]?[index].cells[key] != .null {
                var copy = self
                copy.rows[name]?[index].cells[key] = .null
                worlds.append(copy)
            }
            for key in (rows[name]?[index].links ?? [:]).keys.sorted() {
                var copy = self
                copy.rows[name]?[index].links[key] = nil
                worlds.append(copy)
            }
        }
        return worlds
    }
}

extension TreeNode {
    /// Trees with one node less or plainer.
    fileprivate var smaller: [TreeNode] {
        own
            + children.indices.flatMap { index in
                children[index].smaller.map { child in
                    var copy = children
                    copy[index] = child
                    return replacing(children: copy)
                }
            }
    }

    /// The smaller nodes that can replace this node.
    private var own: [TreeNode] {
        switch self {
        case .predicate(let node): node.replacements.map(TreeNode.predicate)
        case .expression(let node): node.replacements.map(TreeNode.expression)
        }
    }
}

extension PredicateNode {
    fileprivate var replacements: [PredicateNode] {
        switch self {
        case .constant, .block: return []
        case .comparison(var node):
            guard !node.options.isEmpty else { return [] }
            node.options = []
            return [.comparison(node)]
        case .string(var node):
            guard !node.options.isEmpty else { return [] }
            node.options = []
            return [.string(node)]
        case .compound(let node):
            guard node.type != .not, node.subpredicates.count > 1 else { return node.subpredicates }
            return node.subpredicates
                + node.subpredicates.indices.map { index -> PredicateNode in
                    var copy = node
                    copy.subpredicates.remove(at: index)
                    return .compound(copy)
                }
        }
    }
}

extension ExpressionNode {
    fileprivate var replacements: [ExpressionNode] {
        switch self {
        case .constantValue(let value): return value.plainer.map(ExpressionNode.constantValue)
        case .aggregate(let elements):
            return elements.indices.map { index in
                var copy = elements
                copy.remove(at: index)
                return .aggregate(copy)
            }
        default: break
        }
        return children.compactMap { if case .expression(let child) = $0 { child } else { nil } }
            + [.constantValue(.integer(1)), .constantValue(.string("a"))]
    }
}

extension PredicateValue {
    fileprivate var plainer: [PredicateValue] {
        switch self {
        case .string(let text):
            let scalars = text.unicodeScalars
            guard !scalars.isEmpty else { return [] }
            let pieces = [
                scalars.prefix(scalars.count / 2), scalars.suffix(scalars.count / 2), scalars.dropFirst(),
                scalars.dropLast(),
            ]
            return pieces.map { .string(String(String.UnicodeScalarView($0))) }
        case .array(let values):
            let halves =
                values.count > 3
                ? [Array(values.prefix(values.count / 2)), Array(values.suffix(values.count / 2))] : []
            return (halves + values.indices.map { Array(values[..<$0] + values[($0 + 1)...]) }).map { .array($0) }
        case .set(let values): return [.array(Array(values))]
        case .integer(let value) where value != 0 && value != 1: return [.integer(0), .integer(1)]
        case .double(let value) where value != 0 && value != 1: return [.double(0), .double(1)]
        default: return []
        }
    }
}

import Foundation
import PredicateGenerators

typealias Nodes = PredicateExpressions
typealias Tree<Output> = any StandardPredicateExpression<Output>

/// Random trees over pets, made as the macro makes them: by the functions `build_…`.
struct PetTrees {
    var random: RandomSource
    let pet: Nodes.Variable<Pet>

    // MARK: Conditions

    mutating func condition(_ depth: Int) -> Tree<Bool> {
        guard depth > 0 else { return leaf() }
        switch random.below(16) {
        case 0, 1: return Build.and(condition(depth - 1), condition(depth - 1))
        case 2, 3: return Build.or(condition(depth - 1), condition(depth - 1))
        case 4: return Build.not(condition(depth - 1))
        case 5: return Build.choice(condition(depth - 1), condition(depth - 1), condition(depth - 1))
        case 6: return Build.coalesced(optionalCondition(depth - 1), condition(depth - 1))
        case 7: return Build.equal(optionalCondition(depth - 1), optionalConstant(), negated: random.oneIn(3))
        case 8: return Build.equal(condition(depth - 1), condition(depth - 1), negated: random.oneIn(3))
        case 9: return quantified(depth - 1)
        case 10: return Build.equal(optionalInteger(depth - 1), optionalInteger(depth - 1), negated: random.oneIn(3))
        case 11: return Build.equal(optionalText(depth - 1), optionalText(0), negated: random.oneIn(3))
        default: return leaf(depth)
        }
    }

    private mutating func optionalConstant() -> Tree<Bool?> {
        switch random.below(3) {
        case 0: Build.constant(true)
        case 1: Build.constant(false)
        default: Nodes.build_NilLiteral() as Nodes.NilLiteral<Bool>
        }
    }

    private mutating func leaf(_ depth: Int = 0) -> Tree<Bool> {
        switch random.below(22) {
        case 0, 1, 2: return Build.compare(integer(depth), integer(depth), random.one(of: Build.operators))
        case 3: return Build.equal(integer(depth), integer(depth), negated: random.oneIn(3))
        case 4:
            return Build.compare(
                text(), Build.constant(random.one(of: PetValues.texts)), random.one(of: Build.operators))
        case 5: return Build.equal(text(), text(), negated: random.oneIn(3))
        case 6: return Build.contains(text(), needle())
        case 7: return Build.starts(text(), needle())
        case 8: return Build.compare(real(depth), real(depth), random.one(of: Build.operators))
        // Infinities are compared and not computed with: what is not a number is compared in another way. [NSP-273]
        case 9:
            if random.oneIn(2) {
                let limit = Build.constant(random.one(of: PetValues.doubles))
                let ratio = Build.coalesced(key(\.ratio), real(1))
                return Build.compare(ratio, limit, random.one(of: Build.operators))
            }
            return Build.equal(key(\.ratio), Build.constant(optionalReal()), negated: random.oneIn(3))
        case 10:
            return Build.compare(
                key(\.born), Build.constant(random.one(of: PetValues.moments)), random.one(of: Build.operators))
        case 11: return Build.equal(key(\.died), Build.constant(optionalMoment()), negated: random.oneIn(3))
        case 12:
            return Build.equal(key(\.code), Build.constant(random.one(of: PetValues.codes)), negated: random.oneIn(3))
        case 13: return Build.equal(key(\.chip), Build.constant(optionalChip()), negated: random.oneIn(3))
        case 14:
            return Build.equal(key(\.kind), Build.constant(random.one(of: Kind.allCases)), negated: random.oneIn(3))
        case 15: return range()
        case 16: return key(random.one(of: [\.isTame, \.isAdult]))
        case 17: return membership(depth)
        case 18:
            return Build.compare(
                key(\.large), Build.constant(random.one(of: PetValues.large)), random.one(of: Build.operators))
        case 19:
            return Build.equal(
                key(\.bonus), Nodes.build_NilLiteral() as Nodes.NilLiteral<Int>, negated: random.oneIn(2))
        case 20: return Build.isEmpty(random)(pet)
        default:
            return Build.equal(key(\.small), Build.constant(Int8(clamping: random.below(20))), negated: random.oneIn(3))
        }
    }

    private mutating func optionalReal() -> Double? { random.oneIn(4) ? nil : random.one(of: PetValues.doubles) }
    private mutating func optionalMoment() -> Date? { random.oneIn(4) ? nil : random.one(of: PetValues.moments) }
    private mutating func optionalChip() -> Data? { random.oneIn(4) ? nil : random.one(of: PetValues.chips) }

    private func key<Value>(_ keyPath: KeyPath<Pet, Value> & Sendable) -> Nodes.KeyPath<Nodes.Variable<Pet>, Value> {
        Nodes.build_KeyPath(root: pet, keyPath: keyPath)
    }

    private mutating func needle() -> Tree<String> {
        random.oneIn(3) ? key(\.plain) : Build.constant(random.one(of: PetValues.needles))
    }

    private mutating func range() -> Tree<Bool> {
        let (low, high) = (random.below(6) - 3, random.below(6))
        let element: Tree<Int> = integer(1)
        switch random.below(6) {
        case 0: return Build.within(Build.constant(low...max(low, high)), element)
        case 1: return Build.within(Build.constant(low..<max(low, high)), element)
        case 2: return Build.within(Build.constant(low...), element)
        case 3: return Build.within(Build.constant(...high), element)
        case 4: return Build.within(Build.constant(..<high), element)
        default: return Build.within(low, max(low, high), element, isClosed: random.oneIn(2))
        }
    }

    private mutating func membership(_ depth: Int) -> Tree<Bool> {
        switch random.below(9) {
        case 6: Build.member(Build.keys(of: key(\.marks)), text())
        case 7: Build.member(Build.values(of: key(\.marks)), integer(0))
        case 8: Build.member(Build.constant([nil, 1, 2]), key(\.bonus))
        case 0: Build.member(key(\.tags), Build.constant(random.one(of: PetValues.plain)))
        case 1: Build.member(key(\.scores), integer(0))
        case 2: Build.member(Build.constant([-1, 0, 2, 3]), integer(depth))
        case 3: Build.member(Build.constant(["a", "b", "é"]), text())
        case 4: Build.member(key(\.flags), text())
        default: Build.member(key(\.gaps), key(\.bonus))
        }
    }

    private mutating func quantified(_ depth: Int) -> Tree<Bool> {
        let source = random
        _ = random.next()
        let variable = pet
        func body(_ mate: Nodes.Variable<Mate>) -> Tree<Bool> {
            var trees = MateTrees(random: source, mate: mate, pet: variable)
            return trees.condition(min(depth, 2))
        }
        switch random.below(5) {
        case 0: return Build.any(key(\.friends), body)
        case 1: return Build.every(key(\.friends), body)
        case 2: return Build.filtered(key(\.friends), body, count: random.below(3))
        case 3:
            return Build.any(key(\.scores)) { score in
                var trees = PetTrees(random: source, pet: variable)
                return Build.compare(score, trees.integer(1), .lessThan)
            }
        default:
            return Build.every(Build.constant(["a", "b"])) { letter in
                var trees = PetTrees(random: source, pet: variable)
                return Build.contains(trees.text(), letter)
            }
        }
    }

    // MARK: Values

    mutating func integer(_ depth: Int) -> Tree<Int> {
        guard depth > 0 else { return random.oneIn(2) ? key(\.age) : Build.constant(random.below(8) - 3) }
        switch random.below(14) {
        case 0: return Build.arithmetic(integer(depth - 1), integer(depth - 1), .add)
        case 1: return Build.arithmetic(integer(depth - 1), integer(depth - 1), .subtract)
        case 2: return Build.arithmetic(integer(depth - 1), integer(depth - 1), .multiply)
        case 3: return Build.quotient(integer(depth - 1), Build.constant(random.one(of: [1, 2, 3, -2])))
        case 4: return Build.remainder(integer(depth - 1), Build.constant(random.one(of: [1, 2, 3, -2])))
        case 5: return Build.minus(integer(depth - 1))
        case 6: return Build.choice(condition(depth - 1), integer(depth - 1), integer(depth - 1))
        case 7: return Build.coalesced(optionalInteger(depth - 1), integer(depth - 1))
        case 8: return Build.unwrapped(key(\.bonus))
        case 9: return Build.count(of: key(\.friends))
        case 10: return Build.characters(of: key(\.plain))
        case 11: return Build.count(of: key(\.tags))
        case 12: return Build.element(of: key(\.scores), Build.constant(random.below(3)))
        default: return Build.entry(of: key(\.marks), Build.constant(random.one(of: ["a", "b"])), integer(depth - 1))
        }
    }

    private mutating func optionalInteger(_ depth: Int) -> Tree<Int?> {
        switch random.below(9) {
        case 0: return key(\.bonus)
        case 1:
            let source = random
            _ = random.next()
            let variable = pet
            return Build.mapped(key(\.bonus)) { bonus in
                var trees = PetTrees(random: source, pet: variable)
                return Build.arithmetic(bonus, trees.integer(0), .add)
            }
        case 2: return Build.mapped(key(\.best)) { Nodes.build_KeyPath(root: $0, keyPath: \.age) }
        case 3: return Build.flattened(key(\.best)) { Nodes.build_KeyPath(root: $0, keyPath: \.bonus) }
        case 4: return Build.greatest(key(\.scores))
        case 5: return Build.least(key(\.scores))
        case 6: return Build.entry(of: key(\.marks), Build.constant(random.one(of: ["a", "c"])))
        case 7: return Build.first(of: key(\.scores))
        default: return Build.mapped(key(\.notes)) { Build.count(of: $0) }
        }
    }

    private mutating func optionalText(_ depth: Int) -> Tree<String?> {
        switch random.below(4) {
        case 0: key(\.nick)
        case 1: Build.flattened(key(\.best)) { Nodes.build_KeyPath(root: $0, keyPath: \.nick) }
        case 2: Build.mapped(key(\.best)) { Nodes.build_KeyPath(root: $0, keyPath: \.plain) }
        default: Build.constant(random.oneIn(3) ? nil : random.one(of: PetValues.texts))
        }
    }

    private mutating func optionalCondition(_ depth: Int) -> Tree<Bool?> {
        let source = random
        _ = random.next()
        let variable = pet
        switch random.below(5) {
        case 0: return key(\.isSold)
        case 1: return Build.mapped(key(\.nick)) { Build.contains($0, Build.constant("a")) }
        case 2:
            return Build.mapped(key(\.bonus)) { bonus in
                var trees = PetTrees(random: source, pet: variable)
                return Build.and(Build.compare(bonus, trees.integer(1), .lessThan), trees.condition(min(depth, 1)))
            }
        case 3:
            return Build.mapped(key(\.best)) { mate in
                var trees = MateTrees(random: source, mate: mate, pet: variable)
                return trees.condition(1)
            }
        default: return Build.mapped(key(\.best)) { Nodes.build_KeyPath(root: $0, keyPath: \.isTame) }
        }
    }

    mutating func text() -> Tree<String> {
        switch random.below(4) {
        case 0: key(\.plain)
        case 1: Build.coalesced(key(\.nick), Build.constant("b"))
        case 2: Build.choice(key(\.isTame), key(\.plain), key(\.name))
        default: key(\.name)
        }
    }

    private mutating func real(_ depth: Int) -> Tree<Double> {
        guard depth > 0 else {
            return random.oneIn(2) ? key(\.weight) : Build.constant(random.one(of: PetValues.factors))
        }
        switch random.below(5) {
        case 0: return Build.arithmetic(real(depth - 1), real(depth - 1), .multiply)
        case 1: return Build.arithmetic(real(depth - 1), real(depth - 1), .subtract)
        case 2: return Build.ratio(real(depth - 1), Build.constant(random.one(of: PetValues.factors)))
        case 3: return Build.choice(condition(depth - 1), real(depth - 1), real(depth - 1))
        default: return Build.minus(real(depth - 1))
        }
    }
}

/// Random trees over the friends of a pet; the pet is in sight.
struct MateTrees {
    var random: RandomSource
    let mate: Nodes.Variable<Mate>
    let pet: Nodes.Variable<Pet>

    mutating func condition(_ depth: Int) -> Tree<Bool> {
        if depth > 0 {
            switch random.below(4) {
            case 0: return Build.and(condition(depth - 1), condition(depth - 1))
            case 1: return Build.or(condition(depth - 1), condition(depth - 1))
            case 2: return Build.not(condition(depth - 1))
            default: break
            }
        }
        switch random.below(7) {
        case 0: return Build.compare(key(\.age), Build.constant(random.below(6) - 3), random.one(of: Build.operators))
        case 1:
            return Build.equal(
                key(\.nick), Build.constant(random.oneIn(3) ? nil : random.one(of: PetValues.plain)),
                negated: random.oneIn(3))
        case 2: return Build.contains(key(\.plain), Build.constant(random.one(of: PetValues.needles)))
        case 3:
            return Build.compare(
                key(\.age), Nodes.build_KeyPath(root: pet, keyPath: \.age), random.one(of: Build.operators))
        case 4: return key(\.isTame)
        case 5:
            return Build.equal(key(\.bonus), Nodes.build_KeyPath(root: pet, keyPath: \.bonus), negated: random.oneIn(3))
        default:
            let number = Build.coalesced(key(\.bonus), key(\.age))
            return Build.compare(number, Build.constant(1), .greaterThan)
        }
    }

    private func key<Value>(_ keyPath: KeyPath<Mate, Value> & Sendable) -> Nodes.KeyPath<Nodes.Variable<Mate>, Value> {
        Nodes.build_KeyPath(root: mate, keyPath: keyPath)
    }
}

import PredicateSyntax

/// One value where several are asked for, several where one is, and nil beside a to-many relationship.
///
///     tags == "new"    ANY name == "jo"    friends == nil    ANY posts.when == nil    friends.name CONTAINS "jo"
enum QuantityChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { finding($0, subject) }
    }

    /// The finding about a comparison, if there is one: kinds are not compared then.
    static func finding(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        if comparison.modifier != .direct {
            return nilInToMany(comparison, subject) ?? toOne(comparison, subject)
        }
        return partOfElement(comparison, subject) ?? toMany(comparison, subject)
            ?? toManyOnTheRight(comparison, subject)
    }

    private static func isStored(_ subject: CheckSubject) -> Bool { subject.schema?.origin == .stored }

    // MARK: One value

    /// `ANY name == "jo"` where an object has one name
    private static func toOne(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        let left = comparison.left.type
        guard !left.isOpen, !left.isToMany, left.elements == nil,
            left.kinds.isDisjoint(with: [.array, .dictionary]), left.entity != nil || !left.kinds.contains(.object)
        else { return nil }
        let word = comparison.modifier.spelling ?? ""
        return PredicateFinding(
            .toOneKey, comparison.node,
            "\(word) takes several values, but \(comparison.left.text) is \(subject.noun(left))",
            "leave \(word) out")
    }

    // MARK: Several values

    /// `friends.name CONTAINS "jo"`: looks for a friend of exactly that name.
    ///
    /// In memory that may be meant, unless letters are to be compared in any case.
    private static func partOfElement(
        _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        let left = comparison.left.type
        guard comparison.operator == .string(.contains), left.isToMany, left.kinds == [.string],
            isStored(subject) || !comparison.options.isEmpty,
            let path = left.path, let many = left.manyIndex, many < path.count - 1,
            !comparison.right.type.isToMany, comparison.right.type.elements == nil
        else { return nil }
        return PredicateFinding(
            .toManyKey, comparison.node,
            "\(comparison.left.text) has several values: CONTAINS looks for one that is equal, not for a part of one",
            "write ANY \(subject.written(comparison.node))")
    }

    /// `tags == "new"`, `friends == nil`
    private static func toMany(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        let (left, right) = (comparison.left.type, comparison.right.type)
        let isArgument = comparison.right.expression?.constant != nil && right.isOpen && !right.isNil
        guard left.isToMany, left.elements == nil,
            comparesAsOne(comparison, isStored(subject), isArgument: isArgument)
        else { return nil }
        let text = comparison.left.text
        let cure =
            right.isNil
            ? "write \(text).@count \(isUnequal(comparison) ? ">" : "==") 0" : cure(comparison, left, right, subject)
        return finding(comparison, "\(text) has several values, which are compared as one", cure, subject)
    }

    /// Several objects beside a number are meant to be counted.
    private static func cure(
        _ comparison: CheckedComparison, _ left: KnownType, _ right: KnownType, _ subject: CheckSubject
    ) -> String {
        let isCounted = left.path == nil || !left.isOpen && !left.kinds.contains(.number)
        guard isCounted, right.kinds == [.number], case .comparison(let own) = comparison.operator else {
            return "write ANY \(subject.written(comparison.node)), or ALL"
        }
        return "write \(comparison.left.text).@count \(own.spelling) \(comparison.right.text)"
    }

    private static func isUnequal(_ comparison: CheckedComparison) -> Bool {
        comparison.operator == .comparison(.notEqualTo)
    }

    private static func comparesAsOne(
        _ comparison: CheckedComparison, _ isStored: Bool, isArgument: Bool
    ) -> Bool {
        let right = comparison.right.type
        let isCollection = right.isToMany || right.elements != nil || right.kinds.contains(.array)
        switch comparison.operator {
        case .string(.contains), .comparison(.customSelector): return false
        case .string: return isStored || !right.isOpen
        case .comparison(.in), .comparison(.between): return isStored || isCollection
        case .comparison(.equalTo), .comparison(.notEqualTo), .comparison(.lessThan), .comparison(.lessThanOrEqualTo),
            .comparison(.greaterThan), .comparison(.greaterThanOrEqualTo):
            if right.isNil { return isStored }
            return !isCollection && (!right.isOpen || isStored && (isArgument || right.path != nil))
        }
    }

    /// `name == friends.name`
    private static func toManyOnTheRight(
        _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        let (left, right) = (comparison.left.type, comparison.right.type)
        guard right.isToMany, right.elements == nil, !left.isToMany, left.elements == nil, !left.isOpen,
            !left.kinds.contains(.array)
        else { return nil }
        switch comparison.operator {
        case .comparison(.in), .comparison(.between), .comparison(.customSelector), .string(.contains): return nil
        case .comparison, .string: break
        }
        let text = comparison.right.text
        return finding(
            comparison, "\(text) has several values, which are compared as one",
            "write \(comparison.left.text) IN \(text)", subject)
    }

    /// A store refuses such a comparison; in memory it is one with an array.
    private static func finding(
        _ comparison: CheckedComparison, _ message: String, _ hint: String, _ subject: CheckSubject
    ) -> PredicateFinding {
        PredicateFinding(.toManyKey, comparison.node, message, hint).at(isStored(subject) ? .error : .warning)
    }

    // MARK: nil

    /// `ANY posts.when == nil`: never holds, since no nil is among the values.
    private static func nilInToMany(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        let left = comparison.left.type
        guard isStored(subject), comparison.right.type.isNil, left.isToMany, let path = left.path,
            let many = left.manyIndex
        else { return nil }
        let outcome: String
        switch (comparison.modifier, comparison.operator) {
        case (.any, .comparison(.equalTo)): outcome = "this never holds"
        case (.all, .comparison(.notEqualTo)): outcome = "this always holds"
        default: return nil
        }
        let word = comparison.modifier.spelling ?? ""
        return PredicateFinding(
            .nilInToMany, comparison.node, "nil drops out of \(comparison.left.text), so that with \(word) \(outcome)",
            "write " + withoutDropping(path, many, isAny: comparison.modifier == .any))
    }

    /// `SUBQUERY(posts, $p, $p.when == nil).@count > 0`, `posts.@count == 0`
    private static func withoutDropping(_ path: [String], _ many: Int, isAny: Bool) -> String {
        let collection = path[...many].joined(separator: ".")
        guard many < path.count - 1 else { return "\(collection).@count \(isAny ? "==" : ">") 0" }
        let variable = "$" + (path[many].first.map { $0.lowercased() } ?? "x")
        let key = ([variable] + path[(many + 1)...]).joined(separator: ".")
        return "SUBQUERY(\(collection), \(variable), \(key) == nil).@count \(isAny ? ">" : "==") 0"
    }
}

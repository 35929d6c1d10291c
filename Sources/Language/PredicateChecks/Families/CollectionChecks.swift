import PredicateSyntax

/// Quantifiers and collection operators that mean something other than they appear to.
///
///     ANY tags != "a"    tags CONTAINS {"a", "b"}    SUBQUERY(friends, $f, age > 21).@count > 0
enum CollectionChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        anyDiffers(subject.root, isNegated: false, subject)
            + subject.comparisons.compactMap { containsCollection($0, subject) ?? listInText($0, subject) }
            + subject.nodes.compactMap(unusedVariable)
    }

    /// `ANY tags != "a"`: holds as soon as one tag differs. Under NOT it means that all tags are equal, which is
    /// intended.
    private static func anyDiffers(
        _ node: CheckedNode, isNegated: Bool, _ subject: CheckSubject
    ) -> [PredicateFinding] {
        if let (type, parts) = node.compound {
            return parts.flatMap { anyDiffers($0, isNegated: isNegated != (type == .not), subject) }
        }
        let own = isNegated ? nil : anyDiffers(node, subject)
        return (own.map { [$0] } ?? []) + node.children.flatMap { anyDiffers($0, isNegated: false, subject) }
    }

    private static func anyDiffers(_ node: CheckedNode, _ subject: CheckSubject) -> PredicateFinding? {
        guard let comparison = CheckedComparison(node), comparison.modifier == .any,
            comparison.operator == .comparison(.notEqualTo), !isNil(comparison.right, subject)
        else { return nil }
        let (left, right) = (subject.source(of: comparison.left), subject.source(of: comparison.right))
        return PredicateFinding(
            .anyDiffers, node, "this holds as soon as one element differs from \(right)",
            "write NONE \(left) ==\(comparison.options.spelling) \(right) to require that no element is equal",
            fix: node.range.map { PredicateFinding.Fix($0, "NONE \(left) ==\(comparison.options.spelling) \(right)") })
    }

    private static func isNil(_ node: CheckedNode, _ subject: CheckSubject) -> Bool {
        guard let constant = subject.constant(node) else { return false }
        return constant.kind == nil
    }

    /// `tags CONTAINS {"a", "b"}`
    private static func containsCollection(
        _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        guard comparison.operator == .string(.contains), comparison.modifier == .direct,
            subject.source(of: comparison.right).first == "{"
        else { return nil }
        let right = subject.source(of: comparison.right)
        return PredicateFinding(
            .containsCollection, comparison.right, "CONTAINS takes a single element, but this is a collection",
            "write ANY \(subject.source(of: comparison.left)) IN \(right)")
    }

    /// `name IN "a,b"`
    private static func listInText(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.operator == .comparison(.in), case .string(let text)? = subject.constant(comparison.right),
            text.contains(",") || text.contains("|")
        else { return nil }
        let words = text.split { $0 == "," || $0 == "|" }.map { String($0.drop(while: \.isWhitespace)) }
        let isOfNumbers = comparison.left.type.kinds == [.number] && words.allSatisfy { Double($0) != nil }
        let list = words.map { isOfNumbers ? $0 : $0.quotedLiteral }.joined(separator: ", ")
        return PredicateFinding(
            .inNoCollection, comparison.right, "IN takes this as one string and searches it for the left side",
            "write IN {\(list)}")
    }

    /// `SUBQUERY(friends, $f, age > 21)`: a key without `$f` belongs to the outer object.
    private static func unusedVariable(_ node: CheckedNode) -> PredicateFinding? {
        guard case .subquery(let query)? = node.expression, let predicate = node.children.last, !isConstant(predicate),
            !predicate.all.contains(where: { $0.expression == .variable(query.variable) })
        else { return nil }
        return PredicateFinding(
            .unusedVariable, predicate, "$\(query.variable) is unused: either all elements match or none",
            "write $\(query.variable).KEY; a key by itself belongs to the outer object")
    }

    /// `SUBQUERY(friends, $f, TRUEPREDICATE)`
    private static func isConstant(_ node: CheckedNode) -> Bool {
        if case .constant? = node.predicate { true } else { false }
    }
}

/// A single value where several are required, several where one is required, and nil compared with a to-many
/// relationship.
///
///     tags == "new"    ANY name == "jo"    friends == nil    ANY posts.when == nil    friends.name CONTAINS "jo"
enum QuantityChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { finding($0, subject) }
    }

    /// Returns the finding for a comparison, if any. If there is one, the kinds of the comparison are not checked.
    static func finding(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        if comparison.modifier != .direct {
            return nilInToMany(comparison, subject) ?? toOne(comparison, subject)
        }
        return partOfElement(comparison, subject) ?? toMany(comparison, subject)
            ?? toManyOnTheRight(comparison, subject)
    }

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

    /// `friends.name CONTAINS "jo"`: finds friends with exactly that name.
    ///
    /// In memory this may be intended, unless the comparison is case-insensitive.
    private static func partOfElement(
        _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        let left = comparison.left.type
        guard comparison.operator == .string(.contains), left.isToMany, left.kinds == [.string],
            subject.isStored || !comparison.options.isEmpty,
            let path = left.path, let many = left.manyIndex, many < path.count - 1,
            !comparison.right.type.isToMany, comparison.right.type.elements == nil
        else { return nil }
        return PredicateFinding(
            .toManyKey, comparison.node,
            "\(comparison.left.text) has several values: CONTAINS looks for an equal element, not for part of a string",
            "write ANY \(subject.written(comparison.node))")
    }

    /// `tags == "new"`, `friends == nil`
    private static func toMany(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        let (left, right) = (comparison.left.type, comparison.right.type)
        let isArgument = comparison.right.expression?.constant != nil && right.isOpen && !right.isNil
        guard left.isToMany, left.elements == nil,
            comparesAsOne(comparison, subject.isStored, isArgument: isArgument)
        else { return nil }
        let text = comparison.left.text
        let cure =
            right.isNil
            ? "write \(text).@count \(isUnequal(comparison) ? ">" : "==") 0" : cure(comparison, left, right, subject)
        return finding(comparison, "\(text) has several values, but this compares a single value", cure, subject)
    }

    /// A to-many key compared with a number: the number of objects was probably meant.
    private static func cure(
        _ comparison: CheckedComparison, _ left: KnownType, _ right: KnownType, _ subject: CheckSubject
    ) -> String {
        let endsAtMany = left.path.map { left.manyIndex == $0.count - 1 } ?? true
        let isCounted = left.path == nil || endsAtMany && !left.isOpen && !left.kinds.contains(.number)
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
            comparison, "\(text) has several values, but this compares a single value",
            "write \(comparison.left.text) IN \(text)", subject)
    }

    /// A store rejects such a comparison. In memory it compares with an array.
    private static func finding(
        _ comparison: CheckedComparison, _ message: String, _ hint: String, _ subject: CheckSubject
    ) -> PredicateFinding {
        PredicateFinding(.toManyKey, comparison.node, message, hint).at(subject.isStored ? .error : .warning)
    }

    // MARK: nil

    /// `ANY posts.when == nil`: never holds, because the values contain no nil.
    private static func nilInToMany(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        let left = comparison.left.type
        guard subject.isStored, comparison.right.type.isNil, left.isToMany, let path = left.path,
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
            .nilInToMany, comparison.node, "\(comparison.left.text) never contains nil, so with \(word) \(outcome)",
            "write " + withoutDropping(path, many, isAny: comparison.modifier == .any))
    }

    /// Returns the comparison to write instead: `SUBQUERY(posts, $p, $p.when == nil).@count > 0`, `posts.@count == 0`
    private static func withoutDropping(_ path: [String], _ many: Int, isAny: Bool) -> String {
        let collection = path[...many].joined(separator: ".")
        guard many < path.count - 1 else { return "\(collection).@count \(isAny ? "==" : ">") 0" }
        let variable = "$" + (path[many].first.map { $0.lowercased() } ?? "x")
        let key = ([variable] + path[(many + 1)...]).joined(separator: ".")
        return "SUBQUERY(\(collection), \(variable), \(key) == nil).@count \(isAny ? ">" : "==") 0"
    }
}

/// Right sides of the wrong shape: bounds of BETWEEN, collections for IN, empty collections.
enum ShapeChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { shape(of: $0, subject) }
    }

    private static func shape(of comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard let right = comparison.right.expression else { return nil }
        if subject.isUnknown(comparison.right) { return boundsInBraces(right, comparison, subject) }
        switch comparison.operator {
        case .comparison(.between): return between(right, comparison)
        case .comparison(.in): return membership(right, comparison, subject)
        case .comparison(.equalTo), .comparison(.notEqualTo): return emptyCollection(right, comparison)
        case .comparison, .string: return nil
        }
    }

    /// `age BETWEEN {%@}`: an array passed as the argument would be nested in another array.
    private static func boundsInBraces(
        _ right: ExpressionNode, _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        guard comparison.operator == .comparison(.between), subject.source(of: comparison.right).first == "{",
            right.constant?.elementCount ?? 2 == 1
        else { return nil }
        return PredicateFinding(
            .betweenShape, comparison.right, "BETWEEN takes two bounds in braces, but this is 1 value",
            "write {%@, %@}, or %@ without braces for an array of two")
    }

    /// `age BETWEEN 25`, `age BETWEEN {1, 2, 3}`
    private static func between(_ right: ExpressionNode, _ comparison: CheckedComparison) -> PredicateFinding? {
        let found: String
        switch right {
        case .aggregate(let elements) where elements.count != 2: found = values(elements.count)
        case .constantValue(let value):
            if let count = value.elementCount {
                if count == 2 { return nil }
                found = values(count)
            } else {
                found = value.kind?.noun ?? "nil"
            }
        default: return nil
        }
        return PredicateFinding(
            .betweenShape, comparison.right, "BETWEEN takes two bounds in braces, but this is \(found)",
            "write a lower and an upper bound: \(comparison.left.text) BETWEEN {%@, %@}")
    }

    /// `1 value`, `3 values`
    private static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }

    /// `age IN 10`, `age IN {}`
    private static func membership(
        _ right: ExpressionNode, _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding? {
        if right == .aggregate([]) { return emptyMembership(comparison, subject) }
        guard case .constantValue(let value) = right else { return nil }
        if value.elementCount == 0 { return emptyMembership(comparison, subject) }
        switch value.kind {
        case .array, .dictionary, .string, .object, nil: return nil
        case .number, .boolean, .date, .data, .uuid, .url: break
        }
        return PredicateFinding(
            .inNoCollection, comparison.right,
            "IN takes a collection or a string, but this is \(value.kind?.noun ?? "")",
            "write \(comparison.left.text) == \(comparison.right.text), or put the values in braces")
    }

    /// `age IN {}`, `ALL ages IN {}`. Under NOT the condition always holds; NONE counts as NOT.
    private static func emptyMembership(
        _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> PredicateFinding {
        let outcome: String
        switch comparison.modifier {
        case .all: outcome = "with ALL this holds only where \(comparison.left.text) is empty or nil"
        case .direct, .any: outcome = isNegated(comparison, subject) ? "its negation always holds" : "this never holds"
        }
        return PredicateFinding(
            .emptyCollection, comparison.right, "an empty collection contains nothing: \(outcome)")
    }

    /// True for an operand of NOT. NONE is printed as NOT as well.
    private static func isNegated(_ comparison: CheckedComparison, _ subject: CheckSubject) -> Bool {
        subject.nodes.contains { $0.compound?.type == .not && $0.children.first === comparison.node }
    }

    /// `tags == {}`
    private static func emptyCollection(_ right: ExpressionNode, _ comparison: CheckedComparison) -> PredicateFinding? {
        let isEmpty = right == .aggregate([]) || right.constant?.elementCount == 0
        guard isEmpty, right.constant?.isDictionary != true else { return nil }
        let sign = comparison.operator == .comparison(.equalTo) ? "==" : ">"
        return PredicateFinding(
            .emptyCollection, comparison.right, "{} is an empty array, which equals neither a set nor nil",
            "write \(comparison.left.text).@count \(sign) 0")
    }
}

extension PredicateValue {
    /// The number of elements of a collection; nil for other values.
    package var elementCount: Int? { elements?.count }

    fileprivate var isDictionary: Bool { kind == .dictionary }
}

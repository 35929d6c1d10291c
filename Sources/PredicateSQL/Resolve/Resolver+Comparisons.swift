import PredicateSyntax
import PredicateText

/// What an operator asks of two values.
enum Question {
    case relation(RelationOperator)
    case between
    /// `a IN b`; for `b CONTAINS a` the sides are swapped
    case membership(isMirrored: Bool)
    case text(SQLTextRelation)
    case like
    case matches
    case typeEquals
}

/// An operator that SQL has no question for.
struct UnaskedOperator: Error {
    let obstacle: SQLCompilationError.Obstacle
}

extension Question {
    init(_ operator: ComparisonOperator) throws(UnaskedOperator) {
        switch `operator` {
        case .lessThan: self = .relation(.less)
        case .lessThanOrEqualTo: self = .relation(.lessOrEqual)
        case .greaterThan: self = .relation(.greater)
        case .greaterThanOrEqualTo: self = .relation(.greaterOrEqual)
        case .equalTo: self = .relation(.equal)
        case .notEqualTo: self = .relation(.notEqual)
        case .between: self = .between
        case .in: self = .membership(isMirrored: false)
        case .customSelector(let name): throw UnaskedOperator(obstacle: .selector(name))
        }
    }

    init(_ operator: StringOperator) throws(UnaskedOperator) {
        switch `operator` {
        case .beginsWith: self = .text(.begins)
        case .endsWith: self = .text(.ends)
        case .contains: self = .membership(isMirrored: true)
        case .like: self = .like
        case .matches: self = .matches
        case .utiEquals: self = .typeEquals
        case .utiConformsTo: throw UnaskedOperator(obstacle: .typeIdentifiers)
        }
    }
}

extension Question {
    /// `note == nil`, `nil != note`: what can be asked of a key whatever its kind.
    fileprivate func asksForNil(_ left: ExpressionNode, _ right: ExpressionNode) -> Bool {
        guard case .relation(let relation) = self, relation == .equal || relation == .notEqual else { return false }
        switch (left, right) {
        case (.keyPath(let path), .constantValue(let constant)), (.constantValue(let constant), .keyPath(let path)):
            return constant.isNil && !path.components.contains(where: \.isOperator)
        default: return false
        }
    }
}

/// Where the parts of a comparison stand.
struct ComparisonPlaces {
    let left: Place
    let right: Place
    let whole: Place

    init(_ place: Place) {
        whole = place
        left = place.child(0)
        right = place.child(1)
    }
}

extension Resolver {
    /// A comparison with its modifier.
    func comparison(_ node: PredicateNode, _ place: Place) throws(Fault) -> ConditionForm {
        switch node {
        case .comparison(let comparison):
            return try compare(
                comparison.leftExpression, try Question(comparison.operator, place), comparison.rightExpression,
                comparison.modifier, comparison.options.foldMode, ComparisonPlaces(place))
        case .string(let comparison):
            return try compare(
                comparison.leftExpression, try Question(comparison.operator, place), comparison.rightExpression,
                comparison.modifier, comparison.options.foldMode, ComparisonPlaces(place))
        case .constant, .compound: return try condition(node, place)
        }
    }

    private func compare(
        _ left: ExpressionNode, _ question: Question, _ right: ExpressionNode, _ modifier: ComparisonModifier,
        _ mode: FoldMode, _ places: ComparisonPlaces
    ) throws(Fault) -> ConditionForm {
        let before = takesAnyKind
        takesAnyKind = question.asksForNil(left, right)
        defer { takesAnyKind = before }
        let leftSide = try resolve(left, places.left)
        switch modifier {
        case .direct:
            return try answer(question, leftSide, try resolve(right, places.right), mode, places)
        case .any, .all:
            return try quantified(leftSide, all: modifier == .all, places) { (element) throws(Fault) in
                try self.answer(question, element, try self.resolve(right, places.right), mode, places)
            }
        }
    }

    /// `ANY`, `ALL`: a condition asked of every element.
    private func quantified(
        _ collection: Resolved, all: Bool, _ places: ComparisonPlaces,
        _ test: (Resolved) throws(Fault) -> ConditionForm
    ) throws(Fault) -> ConditionForm {
        switch collection {
        case .collection(let collection): return try exists(in: collection, all: all, test)
        case .constant(let constant) where constant.isNil: return .constant(all)
        case .constant(.dictionary): break
        case .constant(let constant):
            guard let elements = constant.elements else { break }
            return try quantified(elements.map(Resolved.constant), all: all, test)
        case .list(let elements): return try quantified(elements, all: all, test)
        case .choice(let condition, let left, let right):
            return .chosen(
                condition, try quantified(left, all: all, places, test), try quantified(right, all: all, places, test))
        case .combined: throw Fault(.construct("a set expression after ANY or ALL"), at: places.left)
        case .value, .object: break
        }
        throw Fault(.expected("a collection", found: collection.name), at: places.left)
    }

    private func quantified(
        _ elements: [Resolved], all: Bool, _ test: (Resolved) throws(Fault) -> ConditionForm
    ) throws(Fault) -> ConditionForm {
        var conditions: [ConditionForm] = []
        for element in elements { conditions.append(try test(element)) }
        return all ? .all(conditions) : .any(conditions)
    }

    /// The condition for two sides that are both known or of one value.
    func answer(
        _ question: Question, _ left: Resolved, _ right: Resolved, _ mode: FoldMode, _ places: ComparisonPlaces
    ) throws(Fault) -> ConditionForm {
        try lifting(left, right, places.whole) { (left, right) throws(Fault) in
            switch question {
            case .relation(.equal): return try self.equality(left, right, mode, places)
            case .relation(.notEqual): return try self.inequality(left, right, mode, places)
            case .relation(let relation): return try self.ordering(left, relation, right, mode, places)
            case .between: return try self.between(left, right, mode, places)
            case .membership(isMirrored: false):
                return try self.membership(left, places.left, right, places.right, mode, places)
            case .membership(isMirrored: true):
                return try self.membership(right, places.right, left, places.left, mode, places)
            case .text(let relation): return try self.text(left, relation, right, mode, places.left, places.right)
            case .like: return try self.like(left, right, mode, places)
            case .matches: return try self.matches(left, right, mode, places)
            case .typeEquals: return try self.typeEquality(left, right, places)
            }
        }
    }

    /// `age BETWEEN {18, 65}`: both bounds count, nil gives false.
    private func between(
        _ value: Resolved, _ bounds: Resolved, _ mode: FoldMode, _ places: ComparisonPlaces
    ) throws(Fault) -> ConditionForm {
        if value.isNil || bounds.isNil { return .never }
        guard let pair = bounds.pair else {
            throw Fault(.expected("an array of two bounds", found: bounds.name), at: places.right)
        }
        if pair.0.isNil || pair.1.isNil { return .never }
        let present = value.withoutNil
        return .all([
            try answer(.relation(.greaterOrEqual), present, pair.0.withoutNil, mode, places),
            try answer(.relation(.lessOrEqual), present, pair.1.withoutNil, mode, places),
        ])
    }
}

extension Resolved {
    /// The two elements of an array of two.
    fileprivate var pair: (Resolved, Resolved)? {
        switch self {
        case .list(let elements): return elements.count == 2 ? (elements[0], elements[1]) : nil
        case .constant(.array(let elements)), .constant(.orderedSet(let elements)):
            return elements.count == 2 ? (.constant(elements[0]), .constant(elements[1])) : nil
        case .constant, .value, .object, .collection, .choice, .combined: return nil
        }
    }
}

extension Question {
    fileprivate init(_ operator: ComparisonOperator, _ place: Place) throws(Fault) {
        do { self = try Question(`operator`) } catch { throw Fault(error.obstacle, at: place) }
    }

    fileprivate init(_ operator: StringOperator, _ place: Place) throws(Fault) {
        do { self = try Question(`operator`) } catch { throw Fault(error.obstacle, at: place) }
    }
}

import PredicateSyntax
import PredicateText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Resolver {
    /// `a == b`: nil equals only nil, and values of different kinds are never equal.
    func equality(
        _ left: Resolved, _ right: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        if left.isNil { return try isNil(right, paths.right) }
        if right.isNil { return try isNil(left, paths.left) }
        switch (left, right) {
        case (.value(let left), .value(let right)): return try equal(left, right, mode, paths.whole)
        case (.value(let value), .constant(let constant)), (.constant(let constant), .value(let value)):
            return try relate(value, .equal, constant, mode, paths.whole)
        case (.constant(let left), .constant(let right)): return try equal(left, right, mode, paths.whole)
        case (.object(let object), .constant(let constant)), (.constant(let constant), .object(let object)):
            return try equal(object, constant, paths.whole)
        case (.object(let left), .object(let right)): return try equal(left, right, paths.whole)
        case (.object(let object), .value(let value)), (.value(let value), .object(let object)):
            return bothNil(object.keyValue, value)
        case (.collection(let collection), _):
            throw CompilationFault(.toManyWithoutModifier(collection.name), at: paths.left)
        case (_, .collection(let collection)):
            throw CompilationFault(.toManyWithoutModifier(collection.name), at: paths.right)
        case (.list, _), (.combined, _), (.choice, _), (_, .list), (_, .combined), (_, .choice):
            throw CompilationFault(.collectionValue, at: paths.whole)
        }
    }

    /// `a != b`: the negation of equality, but false if an operand is an error.
    func inequality(
        _ left: Resolved, _ right: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        let equal = try equality(left, right, mode, paths)
        let failures = (left.failures + right.failures).map(failure)
        // An integer operation that fails is NULL, and so is a comparison of its result with a constant.
        if case .compare(let form, .equal, .parameter(let constant)) = equal, left.isInteger, failures.count == 1 {
            return .compare(form, .notEqual, .parameter(constant))
        }
        return .all(failures.map { .not(.isNull($0)) } + [equal.negated])
    }

    /// `a == nil`
    private func isNil(_ other: Resolved, _ path: TreePath) throws(CompilationFault) -> ConditionForm {
        switch other {
        case .constant(let constant): return .constant(constant.isNil)
        case .value(let value): return isNil(value)
        case .object(let object): return object.mayBeNil ? .isNull(.column(object.key)) : .never
        case .collection(let collection): return collection.base.map { .isNull($0) } ?? .never
        case .list: return .never
        case .choice, .combined: throw CompilationFault(.collectionValue, at: path)
        }
    }

    /// Tests for a NULL that means nil, not an error.
    private func isNil(_ value: TypedValue) -> ConditionForm {
        guard value.mayBeNil else { return .never }
        if value.member != nil { return .isNull(value.form) }
        if value.form.isDecimalAverage { return .isNull(value.form.excess(over: .word("0"))) }
        if value.failures.isEmpty { return .isNull(value.form) }
        return .all([.isNull(value.form)] + value.failures.map { .not(.isNull($0)) })
    }

    func bothNil(_ left: TypedValue, _ right: TypedValue) -> ConditionForm {
        left.mayBeNil && right.mayBeNil ? .all([isNil(left), isNil(right)]) : .never
    }

    /// Compares two values of a row.
    func equal(_ left: TypedValue, _ right: TypedValue, _ mode: FoldMode, _ path: TreePath) throws(CompilationFault)
        -> ConditionForm
    {
        let (left, right) = (left.checked, right.checked)
        if let member = left.member ?? right.member { throw CompilationFault(.mixedKinds(member.name), at: path) }
        guard left.kind.isComparable(with: right.kind) || left.guarded != nil || right.guarded != nil else {
            return bothNil(left, right)
        }
        let equal = try relate(left, .equal, right, mode, path)
        guard left.mayBeNil, right.mayBeNil else { return equal }
        guard left.failures.isEmpty, right.failures.isEmpty else { return .any([equal, bothNil(left, right)]) }
        switch equal {
        case .compare(_, .equal, .word): return .any([equal, bothNil(left, right)])
        case .compare(let left, .equal, let right): return .same(left, right)
        case .compareText(let left, .equal, let right): return .sameText(left, right)
        default: return .any([equal, bothNil(left, right)])
        }
    }

    /// Compares two constants.
    private func equal(
        _ left: PredicateValue, _ right: PredicateValue, _ mode: FoldMode, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        if let left = ConstantNumber(left), let right = ConstantNumber(right) {
            return .constant(left.order(to: right) == .equal)
        }
        switch (left, right) {
        case (.string(let left), .string(let right)): return .constant(TextSearch.equal(left, right, mode))
        case (.array, _), (.set, _), (.orderedSet, _), (.dictionary, _), (.object, _):
            guard left == right else { throw CompilationFault(.collectionValue, at: path) }
            return .always
        default: return .constant(left == right)
        }
    }

    /// Compares an object with a constant: they are equal if their entities and keys are.
    private func equal(
        _ object: ObjectForm, _ constant: PredicateValue, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        guard case .object(let host) = constant else { return .never }
        guard let id = host.base as? SQLObjectID else { throw CompilationFault(.hostObject, at: path) }
        guard mayBe(id, object.entity), !id.key.isNil else { return .never }
        return try relate(object.keyValue, .equal, id.key, .none, path)
    }

    private func mayBe(_ id: SQLObjectID, _ entity: SQLEntity) -> Bool {
        if id.entity.hasSameCodePoints(as: entity.name) { return true }
        return schema.entity(id.entity).map { $0.entity.sharesObjects(with: entity) } ?? false
    }

    private func equal(_ left: ObjectForm, _ right: ObjectForm, _ path: TreePath) throws(CompilationFault)
        -> ConditionForm
    {
        guard left.entity.sharesObjects(with: right.entity) else {
            return bothNil(left.keyValue, right.keyValue)
        }
        return try equal(left.keyValue, right.keyValue, .none, path)
    }
}

extension Resolved {
    fileprivate var isInteger: Bool {
        if case .value(let value) = self { value.kind == .integer && !value.mayBeNil } else { false }
    }

    /// The forms whose NULL means an error.
    fileprivate var failures: [ValueForm] {
        if case .value(let value) = self { value.checked.failures } else { [] }
    }
}

extension Resolver {
    /// `x IN container`: nil is in no container, and nothing is in nil.
    func membership(
        of value: Resolved, at valuePath: TreePath, in container: Resolved, at containerPath: TreePath,
        _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        if value.isNil || container.isNil { return .never }
        switch container {
        case .constant(.string):
            return try search(in: container, at: containerPath, .contains, for: value, at: valuePath, mode)
        case .value(let text) where text.kind == .string || text.kind == .any:
            if let member = text.member {
                return try membership(of: value, at: valuePath, in: member, at: containerPath, mode, paths)
            }
            return try search(in: container, at: containerPath, .contains, for: value, at: valuePath, mode)
        case .constant(let constant):
            if let range = container.range { return try inside(single(value, valuePath), range, mode, paths) }
            guard let elements = elements(of: constant) else { break }
            return try membership(of: value, at: valuePath, inConstants: elements, mode, paths)
        case .list(let elements):
            return try membership(of: value, at: valuePath, inList: elements, mode, paths)
        case .collection(let collection):
            guard collection.steps == 1 else { throw CompilationFault(.nestedCollections, at: containerPath) }
            let present = try single(value, valuePath)
            return try exists(in: collection, all: false, containerPath) { (element) throws(CompilationFault) in
                try self.equality(element, present, mode, paths)
            }
        case .combined(let operation, let left, let right):
            guard left.isCollection, right.isCollection else {
                throw CompilationFault(.expected(.twoCollections, found: container.operand), at: containerPath)
            }
            let first = try membership(of: value, at: valuePath, in: left, at: containerPath, mode, paths)
            let second = try membership(of: value, at: valuePath, in: right, at: containerPath, mode, paths)
            // A union with nil is an error.
            let present = [left, right].compactMap(\.isPresent)
            return .all(present + [Self.combined(operation, first, second)])
        case .choice(let test, let left, let right):
            return .chosen(
                test, try membership(of: value, at: valuePath, in: left, at: containerPath, mode, paths),
                try membership(of: value, at: valuePath, in: right, at: containerPath, mode, paths))
        case .value, .object: break
        }
        throw CompilationFault(.expected(.stringOrCollection, found: container.operand), at: containerPath)
    }

    /// Returns the elements among which IN looks: of a dictionary its values, in a Core Data store its keys. [NSP-087]
    private func elements(of container: PredicateValue) -> [PredicateValue]? {
        guard schema.schema.isCoreData, case .dictionary(let members) = container else { return container.elements }
        return members.keys.sorted().map(PredicateValue.string)
    }

    private static func combined(
        _ operation: SetExpression.Operator, _ left: ConditionForm, _ right: ConditionForm
    ) -> ConditionForm {
        switch operation {
        case .union: .any([left, right])
        case .intersect: .all([left, right])
        case .minus: .all([left, right.negated])
        }
    }

    /// Returns a value that may be an element.
    private func single(_ value: Resolved, _ path: TreePath) throws(CompilationFault) -> Resolved {
        switch value {
        case .value, .object, .constant: return value.withoutNil
        case .collection(let collection): throw CompilationFault(.toManyWithoutModifier(collection.name), at: path)
        case .list, .choice, .combined: throw CompilationFault(.collectionValue, at: path)
        }
    }

    private func membership(
        of value: Resolved, at path: TreePath, inList elements: [Resolved], _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        let present = try single(value, path)
        var conditions: [ConditionForm] = []
        for element in elements where !element.isNil {
            conditions.append(try condition(for: .relation(.equal), present, element, mode, paths))
        }
        // An error in one element is an error of the whole list, even if another element is equal.
        return .all(elements.compactMap(\.isNoError) + [.any(conditions)])
    }

    /// Membership in constants: elements of other kinds are left out, and equalities with parameters of one type
    /// become one list.
    private func membership(
        of value: Resolved, at path: TreePath, inConstants elements: [PredicateValue], _ mode: FoldMode,
        _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        let present = try single(value, path)
        var lists: [ElementList] = []
        var others: [ConditionForm] = []
        for element in elements where !element.isNil {
            let condition = try equality(present, .constant(element), mode, paths)
            // An equality that was written in another form, such as a test of a length for 0, is not part of a list.
            if !lists.add(condition) { others.append(condition) }
        }
        return .any(others + lists.map(gathered))
    }

    /// `name IN[c] {"jo", "zoe"}` in a column of type ``SQLType/any``: `predicates2_fold_c(t0."name") IN (?1, ?2) AND
    /// likely(t0."name" < x'')`
    private func gathered(_ list: ElementList) -> ConditionForm {
        guard let first = list.equalities.first else { return .never }
        return .all([isIn(list, first)] + [first.test].compactMap(\.self))
    }

    private func isIn(_ list: ElementList, _ first: ElementList.ParameterEquality) -> ConditionForm {
        let form = first.form
        if list.equalities.count == 1 {
            return first.isText
                ? .compareText(form, .equal, .parameter(first.parameter))
                : .compare(form, .equal, .parameter(first.parameter))
        }
        if list.parameters.count > dialect.limits.listElements, let (json, type) = list.json,
            dialect.templates.isIn[type] != nil
        {
            return .isInList(form, self.form(.text(json), .json), type)
        }
        return .isIn(form, list.parameters.map(ValueForm.parameter), isText: first.isText)
    }
}

extension Resolved {
    /// The condition for rows without an error; nil if no row has one.
    fileprivate var isNoError: ConditionForm? {
        switch self {
        case .value(let value):
            let failures = value.checked.failures
            return failures.isEmpty ? nil : .all(failures.map { .not(.isNull($0)) })
        case .choice(let test, let left, let right):
            let (first, second) = (left.isNoError, right.isNoError)
            if first == nil, second == nil { return nil }
            return .chosen(test, first ?? .always, second ?? .always)
        case .list(let elements):
            let conditions = elements.compactMap(\.isNoError)
            return conditions.isEmpty ? nil : .all(conditions)
        case .constant, .object, .collection, .combined: return nil
        }
    }

    /// The condition for rows in which the collection is not nil; nil if every row is such a row.
    fileprivate var isPresent: ConditionForm? {
        if case .collection(let collection) = self { collection.base.map { .not(.isNull($0)) } } else { nil }
    }

    /// True if the form can be an operand of a set expression.
    fileprivate var isCollection: Bool {
        switch self {
        case .constant(let constant): constant.elements != nil
        case .collection, .list, .combined: true
        case .value, .object, .choice: false
        }
    }
}

/// Equalities of one form with parameters of one type, with or without the same test of the storage class.
private struct ElementList {
    var equalities: [ParameterEquality]

    var parameters: [SQLParameter] { equalities.map(\.parameter) }

    /// Returns true if an equality belongs to the list. A decimal number may be compared in another form than a
    /// double.
    func takes(_ other: ParameterEquality) -> Bool {
        guard let first = equalities.first else { return true }
        return first.isText == other.isText && first.parameter.type == other.parameter.type
            && (first.test == nil) == (other.test == nil)
    }

    /// An equality of a form and a parameter.
    struct ParameterEquality {
        let form: ValueForm
        let parameter: SQLParameter
        let isText: Bool
        /// The test of the storage class, if the column may hold values of other types.
        private(set) var test: ConditionForm?

        /// Extracts the parts of an equality; nil for a condition of another form.
        init?(_ condition: ConditionForm) {
            switch condition {
            case .compare(let form, .equal, .parameter(let parameter)):
                (self.form, self.parameter, isText) = (form, parameter, false)
            case .compareText(let form, .equal, .parameter(let parameter)):
                (self.form, self.parameter, isText) = (form, parameter, true)
            case .and(let parts):
                guard parts.count == 2, case .isStored = parts[1], let equality = ParameterEquality(parts[0]) else {
                    return nil
                }
                self = equality
                test = parts[1]
            default: return nil
            }
        }
    }

    /// The elements as one JSON parameter; nil if JSON does not represent them exactly.
    var json: (String, SQLPiece.ListType)? {
        var texts: [String] = []
        var integers: [Int64] = []
        for parameter in parameters {
            switch parameter.binding {
            case .text(let text) where !text.utf8.contains(0): texts.append(text)
            case .integer(let value): integers.append(value)
            case .double(let value):
                guard let whole = Int64(exactly: value), whole.magnitude < 1 << 53 else { return nil }
                integers.append(whole)
            case .text, .null, .boolean, .blob: return nil
            }
        }
        if texts.isEmpty { return Self.encoded(integers).map { ($0, .integer) } }
        guard integers.isEmpty, let type = textType else { return nil }
        return Self.encoded(texts).map { ($0, type) }
    }

    /// The type of string parameters.
    private var textType: SQLPiece.ListType? {
        switch parameters.first?.type {
        case .text: .text
        case .timestamp: .timestamp
        case .integer, .double, .boolean, .blob, .decimal, .uuid, .json, .rowCount, nil: nil
        }
    }

    private static func encoded(_ list: some Encodable) -> String? {
        (try? JSONEncoder().encode(list)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension [ElementList] {
    /// Adds an equality to the list it belongs to. Returns false for a condition of another form.
    fileprivate mutating func add(_ condition: ConditionForm) -> Bool {
        guard let equality = ElementList.ParameterEquality(condition) else { return false }
        if let index = firstIndex(where: { $0.takes(equality) }) {
            self[index].equalities.append(equality)
        } else {
            append(ElementList(equalities: [equality]))
        }
        return true
    }
}

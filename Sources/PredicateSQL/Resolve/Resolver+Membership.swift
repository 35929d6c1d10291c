import PredicateSyntax
import PredicateText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Resolver {
    /// `x IN container`: nil is in nothing, nothing is in nil.
    func membership(
        of value: Resolved, at valuePath: TreePath, in container: Resolved, at containerPath: TreePath,
        _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        if value.isNil || container.isNil { return .never }
        switch container {
        case .constant(.string):
            return try search(in: container, at: containerPath, .contains, for: value, at: valuePath, mode)
        case .value(let text) where text.kind == .string || text.kind == .any:
            return try search(in: container, at: containerPath, .contains, for: value, at: valuePath, mode)
        case .constant(let constant):
            if let range = container.range { return try inside(single(value, valuePath), range, mode, paths) }
            guard let elements = constant.elements else { break }
            return try membership(of: value, at: valuePath, inConstants: elements, mode, paths)
        case .list(let elements):
            return try membership(of: value, at: valuePath, inList: elements, mode, paths)
        case .collection(let collection):
            guard collection.steps == 1 else { throw Fault(.nestedCollections, at: containerPath) }
            let present = try single(value, valuePath)
            return try exists(in: collection, all: false, containerPath) { (element) throws(Fault) in
                try self.equality(element, present, mode, paths)
            }
        case .combined(let operation, let left, let right):
            guard left.isCollection, right.isCollection else {
                throw Fault(.expected(.twoCollections, found: container.name), at: containerPath)
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
        throw Fault(.expected(.stringOrCollection, found: container.name), at: containerPath)
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

    /// A value that may be an element.
    private func single(_ value: Resolved, _ path: TreePath) throws(Fault) -> Resolved {
        switch value {
        case .value, .object, .constant: return value.withoutNil
        case .collection(let collection): throw Fault(.toManyWithoutModifier(collection.name), at: path)
        case .list, .choice, .combined: throw Fault(.collectionValue, at: path)
        }
    }

    private func membership(
        of value: Resolved, at path: TreePath, inList elements: [Resolved], _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        let present = try single(value, path)
        var conditions: [ConditionForm] = []
        for element in elements where !element.isNil {
            conditions.append(try condition(for: .relation(.equal), present, element, mode, paths))
        }
        // An element that is an error is one of the whole list, also where another element is equal.
        return .all(elements.compactMap(\.isNoError) + [.any(conditions)])
    }

    /// Constant elements: those of other kinds are left out, and equalities with parameters of one type become one list.
    private func membership(
        of value: Resolved, at path: TreePath, inConstants elements: [PredicateValue], _ mode: FoldMode,
        _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        let present = try single(value, path)
        var lists: [ElementList] = []
        var others: [ConditionForm] = []
        for element in elements where !element.isNil {
            let condition = try equality(present, .constant(element), mode, paths)
            // An equality that is said another way, such as that of a length and 0, stays as it is.
            if !lists.add(condition) { others.append(condition) }
        }
        return .any(others + lists.map(gathered))
    }

    /// `name IN[c] {"jo", "zoe"}` in a column of any kinds: `predicates2_fold_c(t0."name") IN (?1, ?2) AND t0."name" < x''`
    private func gathered(_ list: ElementList) -> ConditionForm {
        guard let first = list.equalities.first else { return .never }
        return .all([isIn(list, first)] + [first.test].compactMap(\.self))
    }

    private func isIn(_ list: ElementList, _ first: ElementList.Equality) -> ConditionForm {
        let form = first.form
        if list.equalities.count == 1 {
            return first.isText
                ? .compareText(form, .equal, .parameter(first.parameter))
                : .compare(form, .equal, .parameter(first.parameter))
        }
        if list.parameters.count > dialect.limits.listElements, let (json, type) = list.json,
            dialect.templates.isIn(type) != nil
        {
            return .isInList(form, self.form(.text(json), .json), type)
        }
        return .isIn(form, list.parameters.map(ValueForm.parameter), isText: first.isText)
    }
}

extension Resolved {
    /// True of rows for which the evaluator reports no error; nil where it never does.
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

    /// True of rows in which a collection is not nil; nil where it never is.
    fileprivate var isPresent: ConditionForm? {
        if case .collection(let collection) = self { collection.base.map { .not(.isNull(.column($0))) } } else { nil }
    }

    /// True if it may be a side of a set expression.
    fileprivate var isCollection: Bool {
        switch self {
        case .constant(let constant): constant.elements != nil
        case .collection, .list, .combined: true
        case .value, .object, .choice: false
        }
    }
}

/// Equalities of one form and parameters of one type, beside the same test for the storage of a column, or none.
private struct ElementList {
    var equalities: [Equality]

    var parameters: [SQLParameter] { equalities.map(\.parameter) }

    /// True if an equality belongs here: beside a double a decimal number is compared as one, in another form.
    func takes(_ other: Equality) -> Bool {
        guard let first = equalities.first else { return true }
        return first.isText == other.isText && first.parameter.type == other.parameter.type
            && (first.test == nil) == (other.test == nil)
    }

    /// A form that equals a parameter.
    struct Equality {
        let form: ValueForm
        let parameter: SQLParameter
        let isText: Bool
        /// The test for the storage of the column, if it has values of other kinds.
        private(set) var test: ConditionForm?

        /// Takes a condition apart; nil for one of another form.
        init?(_ condition: ConditionForm) {
            switch condition {
            case .compare(let form, .equal, .parameter(let parameter)):
                (self.form, self.parameter, isText) = (form, parameter, false)
            case .compareText(let form, .equal, .parameter(let parameter)):
                (self.form, self.parameter, isText) = (form, parameter, true)
            case .and(let parts):
                guard parts.count == 2, case .isStored = parts[1], let equality = Equality(parts[0]) else { return nil }
                self = equality
                test = parts[1]
            default: return nil
            }
        }
    }

    /// The elements as one parameter, where JSON carries them exactly.
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

    /// The type of parameters that are texts.
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
    /// Adds an equality to the list to which it belongs; returns false for a condition of another form.
    fileprivate mutating func add(_ condition: ConditionForm) -> Bool {
        guard let equality = ElementList.Equality(condition) else { return false }
        if let index = firstIndex(where: { $0.takes(equality) }) {
            self[index].equalities.append(equality)
        } else {
            append(ElementList(equalities: [equality]))
        }
        return true
    }
}

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
            return try exists(in: collection, all: false) { (element) throws(Fault) in
                try self.equality(element, present, mode, paths)
            }
        case .combined(let operation, let left, let right):
            guard left.isCollection, right.isCollection else {
                throw Fault(.expected(.twoCollections, found: container.name), at: containerPath)
            }
            let first = try membership(of: value, at: valuePath, in: left, at: containerPath, mode, paths)
            let second = try membership(of: value, at: valuePath, in: right, at: containerPath, mode, paths)
            return Self.combined(operation, first, second)
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
        return .any(conditions)
    }

    /// Constant elements: those of other kinds are left out, and equalities with parameters become one list.
    private func membership(
        of value: Resolved, at path: TreePath, inConstants elements: [PredicateValue], _ mode: FoldMode,
        _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        let present = try single(value, path)
        var list = ElementList(isText: present.isText)
        for element in elements where !element.isNil {
            list.add(try equality(present, .constant(element), mode, paths))
        }
        return .any(list.others + [gathered(list)])
    }

    private func gathered(_ list: ElementList) -> ConditionForm {
        guard let form = list.form, let first = list.parameters.first else { return .never }
        if list.parameters.count == 1 {
            return list.isText
                ? .compareText(form, .equal, .parameter(first)) : .compare(form, .equal, .parameter(first))
        }
        if list.parameters.count > dialect.limits.listElements, let (json, type) = list.json,
            dialect.templates.isIn(type) != nil
        {
            return .isInList(form, self.form(.text(json), .json), type)
        }
        return .isIn(form, list.parameters.map(ValueForm.parameter), isText: list.isText)
    }
}

extension Resolved {
    /// True if its equalities are those of texts; so are the keys of some objects.
    fileprivate var isText: Bool {
        switch self {
        case .value(let value): value.kind.isText
        case .object(let object): object.entity.primaryKeyType == .string
        case .constant(.string): true
        case .constant, .collection, .list, .choice, .combined: false
        }
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

/// Equalities of one form and several parameters.
private struct ElementList {
    private(set) var form: ValueForm?
    let isText: Bool
    private(set) var parameters: [SQLParameter] = []
    private(set) var others: [ConditionForm] = []

    init(isText: Bool) {
        self.isText = isText
    }

    /// An equality that is said another way, such as that of a length and 0, stays as it is.
    mutating func add(_ condition: ConditionForm) {
        switch condition {
        case .compare(let form, .equal, .parameter(let parameter)) where !isText && takes(parameter):
            add(form, parameter)
        case .compareText(let form, .equal, .parameter(let parameter)) where isText && takes(parameter):
            add(form, parameter)
        default: others.append(condition)
        }
    }

    /// True for a parameter of the type that the list has: beside a double a decimal number is compared as one, in another form.
    private func takes(_ parameter: SQLParameter) -> Bool {
        parameters.first.map { $0.type == parameter.type } ?? true
    }

    private mutating func add(_ form: ValueForm, _ parameter: SQLParameter) {
        self.form = form
        parameters.append(parameter)
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

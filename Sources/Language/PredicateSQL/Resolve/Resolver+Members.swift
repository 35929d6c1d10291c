import PredicateSyntax
import PredicateText

/// A member of a JSON object: `payload.user.id`. [NSP-437]
///
/// Its kind differs from row to row. A comparison reads it as a value of the other operand's kind, and a member of another kind
/// as NULL.
final class MemberForm {
    /// The column, or the element of an array.
    let document: ValueForm
    let keys: [String]
    /// True for an element of an array, which may be any value; a column holds objects.
    let isElement: Bool
    /// The name in errors.
    let name: String

    init(_ document: ValueForm, _ keys: [String], isElement: Bool, name: String) {
        (self.document, self.keys, self.isElement, self.name) = (document, keys, isElement, name)
    }

    /// True for the object of a column.
    var isWhole: Bool { keys.isEmpty && !isElement }

    /// True if a key may be applied to a value other than an object.
    var isDeep: Bool { keys.count > 1 }
}

extension Resolver {
    private static let noun = "a key of a JSON object"

    /// The column of an attribute of JSON objects.
    func member(_ column: ColumnForm, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        try value(MemberForm(.column(column), [], isElement: false, name: column.column.name.text), path)
    }

    /// `payload.user`: a further key. Keys that values of other kinds have in memory are refused.
    func member(_ key: String, of outer: MemberForm, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        let kinds: [PredicateValue.Kind] = [.string, .number, .array, .dictionary]
        // The paths of MariaDB and MySQL are JSON, in which such characters are escaped.
        let isPlain = key.unicodeScalars.allSatisfy { $0.value >= 0x20 }
        guard Int(key) == nil, isPlain, !kinds.contains(where: { $0.key(key) != nil }) else {
            throw CompilationFault(.property(key), at: path)
        }
        if outer.isElement { throw CompilationFault(.nestedCollections, at: path) }
        let keys = outer.keys + [key]
        return try value(MemberForm(outer.document, keys, isElement: false, name: "\(outer.name).\(key)"), path)
    }

    /// A member as a value whose form is the name of its kind, or NULL for nil.
    private func value(_ member: MemberForm, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        for key in member.keys { try check(key, path) }
        let form = try kind(member, path)
        // A key of a string or a number is an error of the row.
        let isError = ConditionForm.compare(form, .equal, .word("'error'"))
        return TypedValue(
            form: form, kind: .any, mayBeNil: true,
            failures: member.isDeep ? [.conditional(isError, .null, .word("0"))] : [], member: member)
    }

    /// The name of a member's kind. A column that holds another value than an object is nil.
    private func kind(_ member: MemberForm, _ path: TreePath) throws(CompilationFault) -> ValueForm {
        let kind = try read(member.isDeep ? .jsonPathKind : .jsonKind, member, path)
        guard member.isWhole else { return kind }
        return .conditional(.compare(kind, .equal, .word("'object'")), .word("'object'"), .null)
    }

    /// Returns the member as a value of one kind, and NULL for any other.
    private func read(
        _ function: SQLFunction, _ member: MemberForm, _ path: TreePath
    ) throws(CompilationFault) -> ValueForm {
        let keys = form(.text(MemberPath.text(of: member.keys)), .text)
        return try call(function, [member.document, keys], Self.noun, path)
    }

    /// A member as a string. A member of another kind is an error.
    func text(_ member: MemberForm, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        if member.isWhole { throw CompilationFault(.collectionValue, at: path) }
        let kind = try kind(member, path)
        return TypedValue(
            form: try read(.jsonText, member, path), kind: .string, mayBeNil: true,
            failures: [
                .conditional(.any([.isNull(kind), .compare(kind, .equal, .word("'string'"))]), .word("0"), .null)
            ])
    }

    /// Compares a member with a constant of any kind.
    func relate(
        _ member: MemberForm, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        if member.isWhole || constant.elements != nil { throw CompilationFault(.collectionValue, at: path) }
        if case .string = constant {
            return try relate(
                TypedValue(form: try read(.jsonText, member, path), kind: .string), relation, constant, mode, path)
        }
        guard let number = ConstantNumber(constant) else {
            if relation == .equal { return .never }
            throw CompilationFault(.incomparable(left: .any, right: constant.operand), at: path)
        }
        // A greater integer compares differently with an integer and with a double.
        guard number.isExactBesideDoubles else { throw CompilationFault(.kindDependsOnRow, at: path) }
        let values = [
            TypedValue(form: try read(.jsonNumber, member, path), kind: .double),
            TypedValue(form: try read(.jsonBoolean, member, path), kind: .boolean),
        ]
        var conditions: [ConditionForm] = []
        for value in values { conditions.append(try relate(value, relation, constant, mode, path)) }
        return .any(conditions)
    }

    /// The elements of an array in a member, `ANY payload.tags == "x"`, and for IN also the values of an object. A longer path
    /// may go through arrays, so it is refused.
    func elements(
        of member: MemberForm, orValues takesObjects: Bool = false, _ path: TreePath
    ) throws(CompilationFault) -> CollectionForm {
        guard member.keys.count == 1, !member.isElement, case .column(let column) = member.document,
            let reference = column.column.elements, let rows = reference.rows
        else { throw CompilationFault(.nestedCollections, at: path) }
        let alias = newAlias()
        let whole = try read(.jsonElements, member, path)
        let array = ArrayForm(column: column, reference: reference, rows: rows, whole: whole)
        let source = TableScope.Table(kind: .start, table: column.column.name, alias: alias, array: array)
        let element = ValueForm.column(ColumnForm(alias: alias, column: reference.value, isNullable: true))
        let value = try value(MemberForm(element, [], isElement: true, name: member.name), path)
        let isArray = ConditionForm.compare(try kind(member, path), .equal, .word("'array'"))
        return CollectionForm(
            name: member.name, base: takesObjects ? whole : .conditional(isArray, whole, .null),
            scope: TableScope(start: source), condition: takesObjects ? .always : isArray,
            element: .value(value), steps: 1, isMapped: false, isArray: true)
    }

    /// `"x" IN payload.tags`: a part of a string, an element of an array, or a value of an object. [NSP-087]
    func membership(
        of value: Resolved, at valuePath: TreePath, in member: MemberForm, at path: TreePath, _ mode: FoldMode,
        _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        let element = try exists(in: try elements(of: member, orValues: true, path), all: false, path) {
            (element) throws(CompilationFault) in try self.equality(element, value.withoutNil, mode, paths)
        }
        guard case .constant(.string) = value else { return element }
        let text = Resolved.value(try text(member, path))
        return .any([try search(in: text, at: path, .contains, for: value, at: valuePath, mode), element])
    }
}

/// Errors of the row: a member of a kind that a comparison does not accept.
extension Resolver {
    /// Under NOT, returns the condition or an error of a member, so that a row with an error is not selected.
    func orError(
        _ condition: ConditionForm, _ relation: ComparisonRelation, _ left: Resolved, _ right: Resolved,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        var result = condition
        for (side, other, isLeft) in [(left, right, true), (right, left, false)] {
            guard case .value(let value) = side, let member = value.member else { continue }
            if let kinds = relation.kinds(beside: other, isLeft: isLeft) {
                let isOther = ConditionForm.all(try tests(that: member, isNone: kinds, path) + [other.isPresentValue])
                result = .any([result, isOther])
            } else if member.isDeep {
                result = .any([result, .compare(value.form, .equal, .word("'error'"))])
            }
        }
        return result
    }

    /// A condition on the elements of a member, which is an error unless the member is an array or nil.
    func quantified(
        _ condition: ConditionForm, over member: MemberForm, all: Bool, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        guard isNegated || all else { return condition }
        let isOther = ConditionForm.all(try tests(that: member, isNone: ["'array'"], path))
        return isNegated ? .any([condition, isOther]) : .all([condition, isOther.negated])
    }

    /// The tests that a member is not nil and not of certain kinds.
    private func tests(
        that member: MemberForm, isNone kinds: [StaticString], _ path: TreePath
    ) throws(CompilationFault) -> [ConditionForm] {
        let kind = try kind(member, path)
        return kinds.map { .compare(kind, .notEqual, .word($0)) }
    }
}

extension Resolved {
    /// The condition that a value of the row is not nil.
    fileprivate var isPresentValue: ConditionForm {
        if case .value(let value) = self, value.mayBeNil { .not(.isNull(value.form)) } else { .always }
    }

    /// True for a string, constant or of the row.
    fileprivate var isText: Bool {
        if case .value(let value) = self { return value.kind == .string }
        return if case .constant(.string) = self { true } else { false }
    }
}

extension ComparisonRelation {
    /// The kinds of a member that the relation accepts beside another operand, in addition to nil; nil if it accepts all.
    fileprivate func kinds(beside other: Resolved, isLeft: Bool) -> [StaticString]? {
        if other.isNil { return nil }
        switch self {
        case .relation(let relation):
            return !relation.isOrdering ? nil : other.isText ? ["'string'"] : ["'number'", "'boolean'"]
        case .membership(let isMirrored):
            guard isLeft == isMirrored else { return other.isText ? ["'string'"] : nil }
            return (other.isText ? ["'string'"] : []) + ["'array'", "'object'"]
        case .search, .like, .matches, .typeEquals: return ["'string'"]
        case .between: return nil
        }
    }
}

extension ConstantNumber {
    /// True if every number compares with it as the nearest double does.
    fileprivate var isExactBesideDoubles: Bool {
        switch self {
        case .integer(let value): value.magnitude < 1 << 53
        case .double: true
        case .decimal: false
        }
    }
}

/// The keys from a JSON object to one of its members, as PostgreSQL writes an array of strings: `{"user","id"}`
package enum MemberPath {
    static func text(of keys: [String]) -> String {
        let quoted = keys.map { "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }
        return "{\(quoted.joined(separator: ","))}"
    }

    /// Reads the keys of such a string.
    package static func keys(of text: String) -> [String] {
        var (keys, key, isQuoted, isEscaped) = ([String](), String.UnicodeScalarView(), false, false)
        for scalar in text.unicodeScalars.dropFirst() {
            if isEscaped || isQuoted && scalar != "\"" && scalar != "\\" {
                key.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                if isQuoted { keys.append(String(key)) }
                (isQuoted, key) = (!isQuoted, String.UnicodeScalarView())
            }
        }
        return keys
    }
}

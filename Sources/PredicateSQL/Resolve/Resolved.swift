import PredicateSyntax

/// An expression resolved by the schema, before any row is read.
enum Resolved {
    /// `21`, `nil`, a variable's value
    case constant(PredicateValue)
    /// `age + 1`
    case value(Value)
    /// `SELF`, `boss`
    case object(ObjectForm)
    /// `phones.number`, `SUBQUERY(…)`
    case collection(CollectionForm)
    /// `{age, 65}`
    case list([Resolved])
    /// `TERNARY(p, a, b)` of different kinds: an operation applies to both branches
    indirect case choice(ConditionForm, Resolved, Resolved)
    /// `a UNION b`
    indirect case combined(SetExpression.Operator, Resolved, Resolved)

    /// `nil`, `<null>`
    var isNil: Bool {
        if case .constant(let value) = self { value.isNil } else { false }
    }

    /// The form without nil, for a position after a test for nil.
    var withoutNil: Resolved {
        switch self {
        case .value(var value):
            value.mayBeNil = false
            return .value(value)
        case .object(var object):
            object.mayBeNil = false
            return .object(object)
        case .choice(let test, let left, let right): return .choice(test, left.withoutNil, right.withoutNil)
        case .constant, .collection, .list, .combined: return self
        }
    }

    /// The kind in an error message.
    var name: String {
        switch self {
        case .constant(let value): value.columnKindName
        case .value(let value): value.kind.name
        case .object(let object): "the object \(object.entity.name)"
        case .collection, .list, .combined: "a collection"
        case .choice: "one of two values"
        }
    }
}

/// An object: a row, or a column that leads to one.
struct ObjectForm {
    let reference: EntityReference
    /// The column that holds its primary key: its own, or the foreign key that leads to it.
    let key: ColumnForm
    var mayBeNil: Bool
    /// The alias of its row; nil where the row has to be looked up.
    let alias: Int?
    /// The scope that looks it up.
    let scope: Scope

    var entity: SQLEntity { reference.entity }

    init(_ reference: EntityReference, key: ColumnForm, mayBeNil: Bool, alias: Int?, scope: Scope) {
        self.reference = reference
        self.key = key
        self.mayBeNil = mayBeNil
        self.alias = alias
        self.scope = scope
    }

    /// The object of the rows that a scope of its own starts from.
    init(startingFrom reference: EntityReference, alias: Int) {
        let start = Scope.Source(
            kind: .start, table: reference.rows, alias: alias, tie: nil, primaryKey: reference.primaryKey)
        let key = ColumnForm(alias: alias, column: reference.primaryKey, isNullable: false)
        self.init(reference, key: key, mayBeNil: false, alias: alias, scope: Scope(start: start))
    }

    /// The primary key as a value.
    var keyValue: Value {
        Value(form: .column(key), kind: reference.primaryKeyKind, mayBeNil: mayBeNil)
    }
}

/// A collection over rows of another scope.
struct CollectionForm {
    enum Element {
        case object(ObjectForm)
        case value(Value)
    }

    /// The text in the format, for errors.
    let name: String
    /// The foreign key that the path began with, where it may be NULL: the whole collection is nil then.
    let base: ColumnForm?
    let scope: Scope
    /// The condition on rows.
    var condition: ConditionForm
    var element: Element
    /// The number of to-many steps of the path.
    var steps: Int
    /// True if several rows may give one element: a set holds it once, and nil not at all.
    var isMapped: Bool
    /// True if it is no set but an array, as `FETCH` gives it.
    var isArray = false

    /// True if several rows may indeed give one element: the objects of the rows themselves are all different.
    var sharesElements: Bool {
        if case .object(let object) = element, object.alias != nil { return false }
        return isMapped
    }

    /// An element without nil, as an operand.
    var present: Resolved {
        switch element {
        case .object(let object): Resolved.object(object).withoutNil
        case .value(let value): Resolved.value(value.checked).withoutNil
        }
    }

    /// The form that must not be NULL for a row to have an element; nil where every row has one.
    var presence: ValueForm? {
        switch element {
        case .object(let object): object.mayBeNil ? .column(object.key) : nil
        case .value(let value): value.requirements.isEmpty ? nil : value.checked.form
        }
    }
}

extension PredicateValue {
    var isNil: Bool {
        switch self {
        case .null, .nullObject: true
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            false
        }
    }

    /// The elements of a collection, the values of a dictionary; nil for other values.
    var elements: [PredicateValue]? {
        switch self {
        case .array(let elements), .orderedSet(let elements): elements
        case .set(let elements): Array(elements)
        case .dictionary(let entries): entries.sorted { $0.key < $1.key }.map(\.value)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            nil
        }
    }

    /// The kind in an error message, in the words for columns.
    var columnKindName: String {
        switch self {
        case .null, .nullObject: "nil"
        case .double: "a double"
        case .array, .set, .orderedSet: "a collection"
        case .bool, .integer, .decimal, .string, .date, .data, .uuid, .url, .type, .dictionary, .object, .expression,
            .predicate:
            kindName
        }
    }
}

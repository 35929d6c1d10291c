import PredicateSyntax

// The wording of compilation errors: all of it is in this file.

extension SQLCompilationError {
    public var title: String { code.title }
    public var label: String? { code.label }

    public var hints: [String] {
        guard case .incomparable = code else { return code.hints }
        let bytes = Array(text.utf8)
        return BareDate.hint(in: bytes[range.clamped(to: 0..<bytes.count)]).map { [$0] } ?? code.hints
    }
}

extension SQLCompilationError.Code {
    /// One line that says what was expected or violated.
    package var title: String {
        switch self {
        case .unknownEntity(let name, _): "expected an entity of the schema, found '\(name)'"
        case .unknownKey(let key, let entity, _): "expected a key of \(entity), found '\(key)'"
        case .subentityKey(let key, let entity, let names):
            "expected a key of \(entity), found '\(key)', which \(SubentityKey.owners(names))"
        case .primaryKeyIsNoAttribute(let key, let entity):
            "expected a key of \(entity), found its primary key '\(key)'"
        case .unboundVariable(let name): "expected a value for $\(name)"
        case .incomparable(let left, let right): "expected two values with an order, found \(left) and \(right)"
        case .expected(let expectation, let found): "expected \(expectation.text), found \(found)"
        case .nilOperand: "expected a number, found nil"
        case .toManyWithoutModifier(let key): "expected one value, found the collection \(key)"
        case .notExpressible: "this cannot be said exactly in SQL"
        case .subpredicateCount(let found): "expected one predicate after NOT, found \(found)"
        case .nestingTooDeep(let limit): "expected at most \(limit) levels of nesting"
        case .exceeds(let name, let limit): "expected at most \(limit) \(name.unit)"
        case .tooManyParameters(let limit, let found): "expected at most \(limit) values in a statement, found \(found)"
        case .unusableName(let name): "expected a name that the database can hold, found '\(name)'"
        case .residualInChange: "expected a predicate that SQL says completely"
        case .valueKind(let key, let expected, let found): "expected \(expected) for \(key), found \(found)"
        case .notAColumn(let key): "expected a key that has a column, found '\(key)'"
        case .nothingToUpdate: "expected a value for one key at least"
        case .keysNotReturned(let statement, let dialect):
            "expected no keys of \(statement), which returns none on \(dialect)"
        case .nothingToSelect: "expected one result at least"
        case .duplicateResult(let name): "expected results of different names, found '\(name)' twice"
        case .aggregateWithoutGroups(let name): "expected a value of each object, found the aggregate '\(name)'"
        case .notGrouped(let path): "expected an aggregate or a key path of the groups, found '\(path)'"
        }
    }

    /// The words beside the caret.
    package var label: String? {
        switch self {
        case .notExpressible(let obstacle): obstacle.reason
        case .incomparable, .expected: "an evaluator reports an error for every row"
        case .exceeds: "this is more"
        case .nilOperand: "arithmetic on nil is an error for every row"
        case .toManyWithoutModifier: "more than one value"
        case .unknownEntity, .unknownKey, .subentityKey, .primaryKeyIsNoAttribute, .unboundVariable,
            .subpredicateCount, .nestingTooDeep, .tooManyParameters, .unusableName, .residualInChange, .valueKind,
            .notAColumn,
            .nothingToUpdate, .nothingToSelect, .duplicateResult, .aggregateWithoutGroups, .notGrouped,
            .keysNotReturned:
            nil
        }
    }

    /// Cures, each a sentence without a full stop.
    package var hints: [String] {
        switch self {
        case .unknownEntity(_, let names), .unknownKey(_, _, let names):
            names.isEmpty ? [] : ["did you mean \(names.joined(separator: ", "))?"]
        case .subentityKey(_, _, let names): [SubentityKey.hint(names)]
        case .primaryKeyIsNoAttribute: ["listed among the attributes, with its type, it is a key too"]
        case .unboundVariable: ["give the compiler a value for every variable"]
        case .toManyWithoutModifier(let key): ["write ANY \(key) … or ALL \(key) …, or compare \(key).@count"]
        case .notExpressible(.value("a predicate")):
            ["a predicate is no value: TERNARY(predicate, 1, 0) chooses one"]
        case .notExpressible(.unregisteredFunction):
            [
                "SQLFunction.register(on: connection) of PredicateSQLite registers it",
                "an evaluator answers what SQL leaves open: compile with .residual",
            ]
        case .notExpressible:
            ["an evaluator answers what SQL leaves open: compile with .residual, or fetch with allowsResidual"]
        case .exceeds(let name, _): [name.hint]
        case .incomparable("a string", "a date"), .incomparable("a date", "a string"):
            ["CAST(x, \"NSDate\") reads a date from a string"]
        case .incomparable("a double", "a date"), .incomparable("an integer", "a date"),
            .incomparable("a date", "a double"), .incomparable("a date", "an integer"):
            ["a column that keeps dates as numbers is declared so in the schema: .date(.since1970)"]
        case .expected(_, found: "an index"): ["an index behind a path needs parentheses: (a.b)[0]"]
        case .residualInChange: ["select first, and change the objects that an evaluator keeps"]
        case .keysNotReturned("INSERT", _):
            ["on the same connection, SELECT LAST_INSERT_ID() is the key that the database gave"]
        case .keysNotReturned: ["in the same transaction, select the keys before: select with FOR UPDATE after it"]
        case .duplicateResult: ["ResultKey(\"owner.name\", as: \"owner\") gives a result another name"]
        case .aggregateWithoutGroups: [".grouped(by: []) makes one group of all objects"]
        case .notGrouped(let path): ["group by \(path) too, or ask for its minimum"]
        case .incomparable, .expected, .nilOperand, .subpredicateCount, .nestingTooDeep, .tooManyParameters,
            .unusableName, .valueKind, .notAColumn, .nothingToUpdate, .nothingToSelect:
            []
        }
    }
}

extension SQLCompilationError.Obstacle {
    /// The reason in a few words.
    package var reason: String {
        switch self {
        case .order: "rows have no order of their own"
        case .nestedCollections: "this is a collection of collections"
        case .sharedElements: "an object that several rows lead to counts once"
        case .sumOfDoubles: "how doubles round depends on the order in which they are added"
        case .kindDependsOnRow: "an integer for some rows and a double for others"
        case .hostFunction(let name): "only the host knows what \(name) does"
        case .block(let name): "the block '\(name)' is a closure in memory"
        case .message(let selector): "the message \(selector) reaches objects in memory only"
        case .selector(let name): "the selector \(name) reaches objects in memory only"
        case .construct(let name): "\(name) has no meaning in a WHERE clause"
        case .property(let name): "no relationship leads to \(name), and of values it is known in memory only"
        case .collectionValue: "a column holds no collection"
        case .fetchArgument: "request, context and count of FETCH are constants in SQL"
        case .fetchContext: "objects of another context are not in this database"
        case .fetchedKeys: "a key of fetched objects gives an array: ask for it in the predicate of the request"
        case .hostObject: "an object of the database is passed as an SQLObjectID"
        case .value(let kind): "no column holds \(kind)"
        case .function(let name, let dialect): "\(dialect) has nothing that equals \(name)"
        case .unregisteredFunction(let function): "this calls \(function.name), which connections do not have"
        case .decimalArithmetic:
            "decimal numbers of the language have 38 digits, those of the database other limits; beside a double, as 2.0 is, they are doubles"
        case .cast(let source, let target): "a cast from \(source) to \(target) reads values in memory"
        case .mixedKinds(let key): "the column \(key) holds values of several kinds"
        case .typeIdentifiers: "what conforms to what, only an evaluator knows"
        case .nulInText: "the database cannot hold U+0000 in a text"
        case .storage(let kind): "the database cannot read \(kind.text) kept this way"
        case .collation(let locale): "texts in the order of the locale '\(locale)' are compared in memory only"
        case .size(let limit): "SQL repeats operands of this until it is longer than \(limit) bytes"
        case .depth(let limit, let dialect):
            "the SQL of this stands too deep in itself: \(dialect)'s parser keeps \(limit) unfinished parts"
        case .joins(let limit, let dialect): "\(dialect) joins \(limit) tables at most"
        }
    }
}

extension SQLCompilationError.Expectation {
    /// The operand with its article.
    fileprivate var text: String {
        switch self {
        case .number: "a number"
        case .integer: "an integer"
        case .integerOf64Bits: "an integer of 64 bits"
        case .nonzeroDivisor: "a divisor other than 0"
        case .string: "a string"
        case .date: "a date such as \"2016-03-02\""
        case .collection: "a collection"
        case .twoCollections: "two collections"
        case .stringOrCollection: "a string or a collection"
        case .twoBounds: "an array of two bounds"
        case .fetchRequest: "a fetch request"
        case .fetchContext: "a fetch context"
        case .yesOrNo: "YES or NO"
        case .key: "a key"
        case .keyAfterDot: "a key after the dot"
        case .arguments(let count): "\(count) arguments"
        }
    }
}

extension SQLCompilationError.StoredKind {
    /// The kind with its article.
    fileprivate var text: String {
        switch self {
        case .date: "a date"
        case .uuid: "a UUID"
        case .decimal: "a decimal number"
        }
    }
}

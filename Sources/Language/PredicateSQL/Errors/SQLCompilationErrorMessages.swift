import PredicateSyntax

// All wording of compilation errors is in this file.

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
    /// One line that states what was expected or violated.
    package var title: String {
        switch self {
        case .unknownEntity(let name, _): "expected an entity of the schema, found '\(name)'"
        case .unknownKey(let key, let entity, _): "expected a key of \(entity), found '\(key)'"
        case .subentityKey(let key, let entity, let names):
            "expected a key of \(entity), found '\(key)', which \(SubentityKey.owners(names))"
        case .unboundVariable(let name): "no value for $\(name)"
        case .incomparable(let left, let right):
            "expected two values with an order, found \(left.words) and \(right.words)"
        case .expected(let expectation, let found): "expected \(expectation.text), found \(found.words)"
        case .nilOperand: "expected a number, found nil"
        case .toManyWithoutModifier(let key): "expected one value, found the collection \(key)"
        case .notExpressible: "SQL cannot express this exactly"
        case .subpredicateCount(let found): "expected one predicate after NOT, found \(found)"
        case .nestingTooDeep(let limit): "expected at most \(limit) levels of nesting"
        case .exceeds(let name, let limit): "expected at most \(limit) \(name.unit)"
        case .tooManyParameters(let limit, let found): "expected at most \(limit) values in a statement, found \(found)"
        case .unusableName(let name): "the database cannot hold the name '\(name)'"
        case .residualInChange: "SQL expresses the predicate only in part"
        case .valueKind(let key, let expected, let found): "'\(key)' takes \(expected), not \(found)"
        case .notAColumn(let key): "'\(key)' has no column"
        case .nothingToUpdate: "there are no values to update"
        case .keysNotReturned(let change, let dialect): "\(change.rawValue) returns no keys on \(dialect)"
        case .noKey(let entity): "the rows of \(entity) have no key by which a statement can find them"
        case .nothingToSelect: "there are no results to select"
        case .duplicateResult(let name): "two results have the name '\(name)'"
        case .aggregateWithoutGroups(let name): "the aggregate '\(name)' needs groups"
        case .notGrouped(let path): "'\(path)' is neither an aggregate nor a key path of the groups"
        }
    }

    /// The words next to the caret.
    package var label: String? {
        switch self {
        case .notExpressible(let obstacle): obstacle.reason
        case .incomparable, .expected: "this is an error for every row"
        case .exceeds: "this exceeds the limit"
        case .nilOperand: "arithmetic on nil is an error for every row"
        case .toManyWithoutModifier: "more than one value"
        case .unknownEntity, .unknownKey, .subentityKey, .unboundVariable,
            .subpredicateCount, .nestingTooDeep, .tooManyParameters, .unusableName, .residualInChange, .valueKind,
            .notAColumn,
            .nothingToUpdate, .nothingToSelect, .duplicateResult, .aggregateWithoutGroups, .notGrouped,
            .keysNotReturned, .noKey:
            nil
        }
    }

    /// Suggested remedies, each a sentence without a full stop.
    package var hints: [String] {
        switch self {
        case .unknownEntity(_, let names), .unknownKey(_, _, let names):
            names.isEmpty ? [] : ["did you mean \(names.joined(separator: ", "))?"]
        case .subentityKey(_, _, let names): [SubentityKey.hint(names)]
        case .unboundVariable: ["pass a value for every variable"]
        case .toManyWithoutModifier(let key): ["write ANY \(key) … or ALL \(key) …, or compare \(key).@count"]
        case .notExpressible(.predicateAsValue):
            ["write TERNARY(predicate, 1, 0): a predicate is not a value"]
        case .notExpressible(.unregisteredFunction):
            [
                "register it with SQLFunction.register(on: connection) of PredicateSQLite",
                "compile with mode: .residual to evaluate this part in memory",
            ]
        case .notExpressible(.storage(.array)):
            [
                "declare an array in JSON as such: string[] with the storage json",
                "compile with mode: .residual to evaluate this part in memory",
            ]
        case .notExpressible(.value("a URL")): ["pass the text of the URL as the argument: url.absoluteString"]
        case .notExpressible:
            ["compile with mode: .residual, or fetch with allowsResidual: true, to evaluate this part in memory"]
        case .exceeds(let name, _): [name.hint]
        case .incomparable(.string, .date), .incomparable(.date, .string):
            ["use CAST(x, \"NSDate\") to read a date from a string"]
        case .incomparable(.string, .integer), .incomparable(.string, .double), .incomparable(.integer, .string),
            .incomparable(.double, .string):
            ["put a number in quotes to compare it with strings, or use CAST(x, \"NSNumber\") to read it from a string"]
        case .incomparable(.double, .date), .incomparable(.integer, .date), .incomparable(.date, .double),
            .incomparable(.date, .integer):
            ["declare a column of dates stored as numbers in the schema: .date(.since1970)"]
        case .expected(_, found: .index): ["put the path before an index in parentheses: (a.b)[0]"]
        case .residualInChange: ["select the objects, and change those for which the residual is true in memory"]
        case .keysNotReturned(.insert, _):
            ["use SELECT LAST_INSERT_ID() on the same connection to read the key of the new row"]
        case .keysNotReturned: ["select the keys with FOR UPDATE first, in the same transaction"]
        case .noKey: ["declare the columns that together identify a row as keyColumns in the schema"]
        case .duplicateResult: ["use ResultKey(\"owner.name\", as: \"owner\") to give a result another name"]
        case .aggregateWithoutGroups: ["use .grouped(by: []) to make one group of all objects"]
        case .notGrouped(let path): ["group by \(path) as well, or select its minimum"]
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
        case .order: "rows have no order"
        case .nestedCollections: "this is a collection of collections"
        case .sharedElements: "an object that several rows refer to counts once"
        case .sumOfDoubles: "rounding depends on the order in which doubles are added"
        case .kindDependsOnRow: "an integer for some rows and a double for others"
        case .timeZone(let name): "databases count days, and read dates in strings, in UTC, not in \(name)"
        case .hostFunction(let name): "only the host knows what \(name) does"
        case .block(let name): "the block '\(name)' is a closure in memory"
        case .message(let selector): "the message \(selector) reaches only objects in memory"
        case .selector(let name): "the selector \(name) reaches only objects in memory"
        case .construct(let name): "\(name) has no meaning in a WHERE clause"
        case .property(let name): "\(name) is not a relationship, and as a property it exists only in memory"
        case .collectionValue: "a column cannot hold a collection"
        case .fetchArgument: "request, context and count of FETCH must be constants in SQL"
        case .fetchContext: "objects of another context are not in this database"
        case .fetchedKeys: "a key of fetched objects gives an array: test it in the predicate of the request"
        case .hostObject: "an object of the database must be an SQLObjectID"
        case .value(let kind): "no column can hold \(kind)"
        case .predicateAsValue: "no column can hold a predicate"
        case .function(let name, let dialect): "\(dialect) has no exact equivalent of \(name)"
        case .unregisteredFunction(let function): "this calls \(function.name), which the connection lacks"
        case .decimalArithmetic:
            "databases round this operation on decimal numbers differently; make one operand a double (2.0)"
        case .cast(let source, let target): "a cast from \(source) to \(target) exists only in memory"
        case .mixedKinds(let key): "the column \(key) holds values of several types"
        case .typeIdentifiers: "type conformance is known only in memory"
        case .nulInText: "the database cannot hold U+0000 in a string"
        case .storage(let kind): "the database cannot read \(kind.text) stored this way"
        case .collation(let locale): "the order of the locale '\(locale)' exists only in memory"
        case .size(let limit): "SQL repeats the operands of this, so the statement would be longer than \(limit) bytes"
        case .depth(let limit, let dialect):
            "the generated SQL is nested too deeply: \(dialect)'s parser holds \(limit) unfinished parts"
        case .joins(let limit, let dialect): "\(dialect) joins at most \(limit) tables"
        }
    }
}

extension SQLCompilationError.Expectation {
    /// The operand with its article.
    fileprivate var text: String {
        switch self {
        case .number: "a number"
        case .integer: "an integer"
        case .integerOf64Bits: "a 64-bit integer"
        case .nonzeroDivisor: "a divisor other than 0"
        case .string: "a string"
        case .regularExpression: "a regular expression"
        case .date: "a date such as \"2016-03-02\""
        case .calendarUnit: "year, quarter, month, week, day, hour, minute or second"
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

extension SQLCompilationError.Operand {
    /// The operand with its article.
    package var words: String {
        switch self {
        case .null: "nil"
        case .integer: "an integer"
        case .double: "a double"
        case .power: "a power of integers"
        case .boolean: "a Boolean"
        case .decimal: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .uuid: "a UUID"
        case .data: "data"
        case .any: "a value of any type"
        case .object(let entity): "the object \(entity)"
        case .collection: "a collection"
        case .choice: "one of two values"
        case .index: "an index"
        case .other(let words): words
        }
    }
}

extension SQLCompilationError.StoredKind {
    /// The type with its article.
    fileprivate var text: String {
        switch self {
        case .date: "a date"
        case .uuid: "a UUID"
        case .decimal: "a decimal number"
        case .array: "an array"
        }
    }
}

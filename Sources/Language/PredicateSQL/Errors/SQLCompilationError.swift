import PredicateSyntax

/// An error in a predicate that cannot be compiled to SQL: a code, and the offending node with its source range.
///
/// `wings > 2` where the entity has no key `wings`: `unknownKey("wings", entity: "Person", nearMisses: [])`
///
/// `description` shows the excerpt with a caret and hints.
public struct SQLCompilationError: PredicateDiagnostic {
    public var code: Code
    /// The number of the offending node in the tree: children before parents, left before right. nil if the error
    /// concerns the whole predicate.
    public var node: Int?
    /// The format string, or the printed offending node if there is no format string; empty if there is neither.
    public var text: String
    /// The offending range of ``text``, as UTF-8 offsets.
    public var range: Range<Int>

    /// Creates an error at a node, with the format string and the node's range in it, as far as they are known.
    package init(_ code: Code, node: Int? = nil, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.node = node
        self.text = text
        self.range = range
    }

    /// The kind of error. The comment of each case shows the shortest format that triggers it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// `compile(…, entity: "Persn")`
        case unknownEntity(String, nearMisses: [String])
        /// `wings > 2`
        case unknownKey(String, entity: String, nearMisses: [String])
        /// `activity == 1` where only some of the entities that share the table of `Event` have the key
        case subentityKey(String, entity: String, subentities: [String])
        /// `age > $limit` without a value
        case unboundVariable(String)
        /// `name < 3`: values without an order
        case incomparable(left: Operand, right: Operand)
        /// `name + 1 > 2`: a number; `ANY age == 1`: a collection; `age BETWEEN 25`: two bounds
        case expected(Expectation, found: Operand)
        /// `age + nil > 2`: an error for every row
        case nilOperand
        /// `phones.number == "1"`: a collection without ANY or ALL
        case toManyWithoutModifier(String)
        /// `FUNCTION(name, "erase") == 1`: a valid predicate that SQL cannot express exactly
        case notExpressible(Obstacle)
        /// A NOT, built by hand, that does not have exactly one predicate
        case subpredicateCount(found: Int)
        /// A tree that nests deeper than `PredicateLimits.nesting`
        case nestingTooDeep(limit: Int)
        /// A tree that exceeds another of the `PredicateLimits`, such as too many nodes in a tree built by hand
        case exceeds(PredicateLimits.Limit, limit: Int)
        /// `age IN %@` with more values than a statement may have
        case tooManyParameters(limit: Int, found: Int)
        /// A table or column whose name the database cannot quote
        case unusableName(String)
        /// An update, a deletion or a selection of results whose predicate has a residual
        case residualInChange
        /// An update with a value of the wrong type for a key
        case valueKind(key: String, expected: String, found: String)
        /// An update or a result of a key without a column
        case notAColumn(key: String)
        /// An update without values
        case nothingToUpdate
        /// `update(…, returningKeys: true)` for MariaDB
        case keysNotReturned(Change, dialect: String)
        /// `boss.age > 3` in a change of the rows of a view, which nothing identifies
        case noKey(entity: String)
        /// `select(results: [])`
        case nothingToSelect
        /// `select(results: ["name", ResultKey("boss.name", as: "name")])`
        case duplicateResult(String)
        /// `select(results: [.count(as: "n")], .all)`
        case aggregateWithoutGroups(String)
        /// `select(results: ["name"], .grouped(by: ["age"]))`
        case notGrouped(String)
    }

    /// A reason why SQL cannot express something. The comment of each case shows a format that triggers it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Obstacle: Hashable, Sendable {
        /// `phones[FIRST].number == "1"`: rows have no order of their own
        case order
        /// `depts.employees.@count > 3`: a collection of collections
        case nestedCollections
        /// `phones.owner.@sum.age > 3`: an owner of two phones counts once
        case sharedElements
        /// `orders.@sum.price > 3` of doubles: rounding depends on the order of the rows
        case sumOfDoubles
        /// `n ** m > 3`: an integer or a double, depending on the row
        case kindDependsOnRow
        /// `month:(due) == 1` with date functions in a time zone, given by its identifier: databases count days in UTC, and
        /// read dates in strings as UTC
        case timeZone(String)
        /// `mgl_round(a) == 1`: a function that only the host knows
        case hostFunction(String)
        /// `FormatPredicate(name: "adult") { … }`: a closure of the host
        case block(String)
        /// `FUNCTION(name, "uppercaseString") == "JO"`
        case message(String)
        /// `self isKindOfClass: %@`
        case selector(String)
        /// `ANYKEY == 1`, `$a := 1`, `random()`
        case construct(String)
        /// `name.capitalizedString == "Jo"`, `name.class == %@`
        case property(String)
        /// `phones == {1, 2}`: a collection as one value
        case collectionValue
        /// `SELF IN FETCH(request, %@, NO)` with a key: the request would differ from row to row
        case fetchArgument
        /// `SELF IN FETCH(%@, %@, NO)` with a context that is not the database of the statement
        case fetchContext
        /// `"jo" IN FETCH(%@, %@, NO).name`: an array, whose values may be equal or nil
        case fetchedKeys
        /// `boss == %@` with an object that is not an ``SQLObjectID``
        case hostObject
        /// `name == %@` with a value that the database has no type for
        case value(String)
        /// `FUNCTION(age == 1, "case:", 1)`: a predicate where a value is needed
        case predicateAsValue
        /// `ln(a) > 1` where the database's result differs
        case function(String, dialect: String)
        /// `name CONTAINS[c] "jo"` for `SQLiteDialect(functions: [])`
        case unregisteredFunction(SQLFunction)
        /// `price / 3 > 2` of decimal numbers
        case decimalArithmetic
        /// `CAST(name, "NSNumber") > 3`
        case cast(from: String, to: String)
        /// `note > 2` where the column of notes holds strings and numbers
        case mixedKinds(String)
        /// `type UTI-CONFORMS-TO "public.image"`: type conformance is known only in memory
        case typeIdentifiers
        /// A string with U+0000, which the database cannot hold
        case nulInText
        /// A date or a UUID whose storage the database cannot compare with the other operand
        case storage(StoredKind)
        /// `name <[l] "m"` with a locale: the order is ICU's
        case collation(String)
        /// Nested TERNARYs: SQL repeats their operands, and statements have a maximum length
        case size(limit: Int)
        /// `a == 1 OR (b == 1 AND (c == 1 OR …))`: SQL that is nested more deeply than the database's parser reads
        case depth(limit: Int, dialect: String)
        /// `a.name == b.name AND …` over more to-one relationships than the database can join
        case joins(limit: Int, dialect: String)
    }

    /// The operand that an operator needs. The comment of each case shows a format that violates it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Expectation: Hashable, Sendable {
        /// `name + 1 > 2`
        case number
        /// `age & 1.5 == 1`
        case integer
        /// `age < 9223372036854775807 + 1`
        case integerOf64Bits
        /// `age > 1 / 0`
        case nonzeroDivisor
        /// `age BEGINSWITH "a"`
        case string
        /// `name MATCHES "("`, where the database does not use ICU's regular expressions
        case regularExpression
        /// `CAST("x", "NSDate") > born`
        case date
        /// `date:truncatedTo:(due, "decade") == due`
        case calendarUnit
        /// `ANY age == 1`
        case collection
        /// `1 IN age UNION phones`
        case twoCollections
        /// `name IN 10`
        case stringOrCollection
        /// `age BETWEEN 25`
        case twoBounds
        /// `FETCH("Task", %@, YES) > 3`
        case fetchRequest
        /// `FETCH(%@, nil, YES) > 3`
        case fetchContext
        /// `FETCH(%@, %@, 2) > 3`
        case yesOrNo
        /// `phones.$key == 1` with a variable that is not a string
        case key
        /// `phones.kind[SIZE] == 1`
        case keyAfterDot
        /// A call with the wrong number of arguments, in a tree built by hand
        case arguments(Int)
    }

    /// An operand as errors describe it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Operand: Hashable, Sendable {
        /// `nil`
        case null
        /// An integer: `3`
        case integer
        /// A floating-point number: `1.5`
        case double
        /// `age ** 2`: an integer or a double, depending on the row
        case power
        /// A Boolean value
        case boolean
        /// A decimal number
        case decimal
        /// A string: `"jo"`
        case string
        /// A date
        case date
        /// A UUID
        case uuid
        /// Data
        case data
        /// A column of type ``SQLType/any``
        case any
        /// An object of an entity: `SELF`
        case object(String)
        /// A collection: `{1, 2}`, `phones`
        case collection
        /// `TERNARY(p, a, b)` of different types
        case choice
        /// `a.b[0]`
        case index
        /// Anything else, in words: `a URL`
        case other(String)
    }

    /// A statement that changes rows.
    public enum Change: String, Hashable, Sendable {
        /// INSERT
        case insert = "INSERT"
        /// UPDATE
        case update = "UPDATE"
        /// DELETE
        case delete = "DELETE"
    }

    /// A type whose storage a database may not be able to compare.
    public enum StoredKind: Hashable, Sendable {
        /// A date.
        case date
        /// A UUID.
        case uuid
        /// A decimal number.
        case decimal
        /// An array.
        case array
    }
}

extension SQLCompilationError.Code {
    /// True if the evaluator can still evaluate the predicate, so that the part may stay in a residual.
    var leavesResidual: Bool {
        switch self {
        case .incomparable, .expected, .nilOperand, .toManyWithoutModifier, .notExpressible: true
        case .unknownEntity, .unknownKey, .subentityKey, .unboundVariable,
            .subpredicateCount, .nestingTooDeep, .exceeds, .tooManyParameters, .unusableName, .residualInChange,
            .valueKind, .notAColumn,
            .nothingToUpdate, .nothingToSelect, .duplicateResult, .aggregateWithoutGroups, .notGrouped,
            .keysNotReturned, .noKey:
            false
        }
    }
}

extension SQLCompilationError.Code {
    /// True if a query can still be answered from objects in memory.
    package var leavesObjects: Bool {
        switch self {
        case .notAColumn, .notGrouped, .duplicateResult: true
        default: leavesResidual
        }
    }
}

extension SQLSchema {
    /// Returns the code for a key that is neither an attribute nor a relationship of an entity.
    package func missingKey(_ key: String, of entity: SQLEntity) -> SQLCompilationError.Code {
        let owners = subentities(of: entity, having: key)
        if !owners.isEmpty { return .subentityKey(key, entity: entity.name, subentities: owners) }
        let near = NearMiss.candidates(for: key, among: entity.keyNames)
        if !near.isEmpty { return .unknownKey(key, entity: entity.name, nearMisses: near) }
        let below = Set(subentities(of: entity).flatMap(\.keyNames))
        let further = NearMiss.candidates(for: key, among: below)
        return .unknownKey(key, entity: entity.name, nearMisses: further)
    }
}

extension SQLCompilationError {
    /// Creates the error of a node, with its range in the format string or in the printed node.
    init(_ code: Code, node number: Int, in predicate: FormatPredicate) {
        self.init(code, node: number, in: .predicate(predicate.node), predicate.source)
    }

    /// Creates the error of a node, with its range in the format string or in the printed node.
    init(_ code: Code, node number: Int, in expression: FormatExpression) {
        self.init(code, node: number, in: .expression(expression.node), expression.source)
    }

    private init(_ code: Code, node number: Int, in tree: TreeNode, _ source: PredicateSourceMap?) {
        self.init(code, node: number)
        if let source, let nodeRange = source.range(ofNode: number) {
            (text, range) = (source.text, nodeRange)
        } else if let node = tree.node(number: number) {
            text = node.printed
            range = 0..<text.utf8.count
        }
    }
}

/// An error inside the compiler: a code and the tree path of the offending node.
///
/// ``SQLCompiler`` turns it into an ``SQLCompilationError`` with the node's number, string and source range.
struct CompilationFault: Error {
    var code: SQLCompilationError.Code
    var path: TreePath

    init(_ code: SQLCompilationError.Code, at path: TreePath) {
        self.code = code
        self.path = path
    }

    /// Creates the error for something that SQL cannot express.
    init(_ obstacle: SQLCompilationError.Obstacle, at path: TreePath) {
        self.init(.notExpressible(obstacle), at: path)
    }
}

extension SQLCompilationError {
    /// Runs `body`. Its errors name the key, which is not part of a predicate.
    static func naming<Result>(
        _ key: String, _ body: () throws(CompilationFault) -> Result
    ) throws(SQLCompilationError) -> Result {
        do throws(CompilationFault) {
            return try body()
        } catch {
            throw SQLCompilationError(error.code, text: key, range: 0..<key.utf8.count)
        }
    }
}

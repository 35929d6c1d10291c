import PredicateSyntax

/// An error of a predicate that cannot be compiled to SQL: a code, and the offending node with its source range.
///
/// `wings > 2` where the entity has no key `wings`: `unknownKey("wings", entity: "Person", nearMisses: [])`
///
/// `description` shows the excerpt with a caret and hints.
public struct SQLCompilationError: PredicateDiagnostic {
    public var code: Code
    /// The number of the offending node in the tree: children before parents, left before right. Nil if the error is one
    /// of the whole predicate.
    public var node: Int?
    /// The format string, or the offending node as it prints if there was no format; empty where there is neither.
    public var text: String
    /// The offending range of ``text``, as UTF-8 offsets.
    public var range: Range<Int>

    /// An error at a node, with the format and the range of bytes where the node stands in it, as far as these are
    /// known.
    public init(_ code: Code, node: Int? = nil, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.node = node
        self.text = text
        self.range = range
    }

    /// The kind of error. Above each case stands the shortest format that triggers it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// `compile(…, entity: "Persn")`
        case unknownEntity(String, nearMisses: [String])
        /// `wings > 2`
        case unknownKey(String, entity: String, nearMisses: [String])
        /// `activity == 1` where only some entities that share the table of `Event` have the key
        case subentityKey(String, entity: String, subentities: [String])
        /// `id == 3` where `id` is the primary key and no attribute
        case primaryKeyIsNoAttribute(String, entity: String)
        /// `age > $limit` without a value
        case unboundVariable(String)
        /// `name < 3`: kinds without an order
        case incomparable(left: String, right: String)
        /// `name + 1 > 2`: a number; `ANY age == 1`: a collection; `age BETWEEN 25`: two bounds
        case expected(Expectation, found: String)
        /// `age + nil > 2`: an error for every row
        case nilOperand
        /// `phones.number == "1"`: a collection without ANY or ALL
        case toManyWithoutModifier(String)
        /// `FUNCTION(name, "erase") == 1`: a valid predicate that SQL does not express exactly
        case notExpressible(Obstacle)
        /// A NOT built by hand over none or several predicates
        case subpredicateCount(found: Int)
        /// A tree that nests deeper than `PredicateLimits.nesting`
        case nestingTooDeep(limit: Int)
        /// More of something than `PredicateLimits` allow, such as nodes of a tree built by hand
        case exceeds(PredicateLimits.Limit, limit: Int)
        /// `age IN %@` with more values than a statement may have
        case tooManyParameters(limit: Int, found: Int)
        /// A table or column whose name the database cannot hold
        case unusableName(String)
        /// An update, a delete or results with a predicate that has a residual
        case residualInChange
        /// An update that gives a key a value of another kind
        case valueKind(key: String, expected: String, found: String)
        /// An update or a result of a key that no column holds
        case notAColumn(key: String)
        /// An update that gives no key a value
        case nothingToUpdate
        /// `update(…, returningKeys: true)` for MariaDB
        case keysNotReturned(statement: String, dialect: String)
        /// `select(results: [])`
        case nothingToSelect
        /// `select(results: ["name", ResultKey("boss.name", as: "name")])`
        case duplicateResult(String)
        /// `select(results: [.count(as: "n")], .all)`
        case aggregateWithoutGroups(String)
        /// `select(results: ["name"], .grouped(by: ["age"]))`
        case notGrouped(String)
    }

    /// A reason why SQL cannot express something. Above each case stands a format that meets it.
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
        /// `orders.@sum.price > 3` of doubles: what rounding leaves depends on the order of the rows
        case sumOfDoubles
        /// `n ** m > 3`: an integer or a double, depending on the row
        case kindDependsOnRow
        /// `mgl_round(a) == 1`: only the host knows what it does
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
        /// `SELF IN FETCH(request, %@, NO)` with a key: a request of its own for every row
        case fetchArgument
        /// `SELF IN FETCH(%@, %@, NO)` with a context that is not the database of the statement
        case fetchContext
        /// `"jo" IN FETCH(%@, %@, NO).name`: an array, in which values may be equal or nil
        case fetchedKeys
        /// `boss == %@` with an object that is no ``SQLObjectID``
        case hostObject
        /// `name == %@` with a value that the database has no type for
        case value(String)
        /// `ln(a) > 1` where the database works it out otherwise
        case function(String, dialect: String)
        /// `name CONTAINS[c] "jo"` for `SQLiteDialect(functions: [])`
        case unregisteredFunction(SQLFunction)
        /// `price * 2 > 3` of decimal numbers
        case decimalArithmetic
        /// `CAST(name, "NSNumber") > 3`
        case cast(from: String, to: String)
        /// `note > 2` where the column of notes holds texts and numbers
        case mixedKinds(String)
        /// `type UTI-CONFORMS-TO "public.image"`: what conforms to what, only an evaluator knows
        case typeIdentifiers
        /// A text with U+0000, which the database cannot hold
        case nulInText
        /// A date or a UUID kept in a way that the database cannot compare with the other side
        case storage(StoredKind)
        /// `name <[l] "m"` with a locale: its order is ICU's
        case collation(String)
        /// TERNARYs beside and inside one another: SQL repeats what they choose from, and a statement has its bounds
        case size(limit: Int)
        /// `a == 1 OR (b == 1 AND (c == 1 OR …))`: SQL that stands deeper in itself than the database's parser reads
        case depth(limit: Int, dialect: String)
        /// `a.name == b.name AND …` over more to-one relationships than the database joins
        case joins(limit: Int, dialect: String)
    }

    /// A kind of operand that an operator needs. Above each case stands a format that violates it.
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
        /// `CAST("x", "NSDate") > born`
        case date
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
        /// `phones.$key == 1` with a variable that is no string
        case key
        /// `phones.kind[SIZE] == 1`
        case keyAfterDot
        /// A call with another number of arguments, in a tree built by hand
        case arguments(Int)
    }

    /// A kind of value whose storage a database may not be able to compare.
    public enum StoredKind: Hashable, Sendable {
        /// A moment.
        case date
        /// A UUID.
        case uuid
        /// A decimal number.
        case decimal
    }
}

extension SQLCompilationError.Code {
    /// True if an evaluator can still evaluate the predicate, so that the part may stay in a residual.
    var leavesResidual: Bool {
        switch self {
        case .incomparable, .expected, .nilOperand, .toManyWithoutModifier, .notExpressible: true
        case .unknownEntity, .unknownKey, .subentityKey, .primaryKeyIsNoAttribute, .unboundVariable,
            .subpredicateCount, .nestingTooDeep, .exceeds, .tooManyParameters, .unusableName, .residualInChange,
            .valueKind, .notAColumn,
            .nothingToUpdate, .nothingToSelect, .duplicateResult, .aggregateWithoutGroups, .notGrouped,
            .keysNotReturned:
            false
        }
    }
}

extension SQLSchema {
    /// The code for a key that is neither an attribute nor a relationship of an entity.
    package func missingKey(_ key: String, of entity: SQLEntity) -> SQLCompilationError.Code {
        if key.hasSameCodePoints(as: entity.primaryKey) {
            return .primaryKeyIsNoAttribute(key, entity: entity.name)
        }
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
    /// Creates the error of a node, with its range in the format string or the node as it prints.
    init(_ code: Code, node number: Int, in predicate: FormatPredicate) {
        self.init(code, node: number)
        if let source = predicate.source, let nodeRange = source.range(ofNode: number) {
            (text, range) = (source.text, nodeRange)
        } else if let node = TreeNode.predicate(predicate.node).node(number: number) {
            text = node.printed
            range = 0..<text.utf8.count
        }
    }
}

extension TreeNode {
    var printed: String {
        switch self {
        case .predicate(let node): node.predicateFormat
        case .expression(let node): node.expressionFormat
        }
    }
}

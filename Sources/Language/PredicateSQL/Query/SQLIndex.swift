public import PredicateSyntax

/// An index that serves a condition of a predicate, or an extension of the database that such an index needs, and the statement
/// that creates it.
public struct SQLIndex: Hashable, Sendable {
    /// `index(person.age)`, `prefix(predicates2_fold_cd(person.name))`: it states what is indexed, so that equal
    /// indexes have equal names. A long name ends with a hash of the whole.
    public let name: String
    /// The table that is indexed.
    public let table: String
    /// `CREATE INDEX IF NOT EXISTS "index(person.age)" ON "person" ("age")`
    public let statement: String
}

extension SQLCompiler {
    /// Returns the indexes that serve the conditions of a predicate, each once: of columns that are compared with
    /// constants, of foreign keys that join tables, and of folded strings.
    ///
    /// `ANY orders.total > 100 AND name BEGINSWITH[cd] 'jo'` on PostgreSQL:
    ///
    ///     CREATE INDEX IF NOT EXISTS "index(orders.user_id)" ON "orders" ("user_id")
    ///     CREATE INDEX IF NOT EXISTS "index(orders.total)" ON "orders" ("total")
    ///     CREATE INDEX IF NOT EXISTS "prefix(predicates2_fold_cd(users.name))" ON "users"
    ///         ((predicates2_fold_cd("name"::text)) text_pattern_ops)
    ///
    /// For CONTAINS on PostgreSQL the list begins with the extension `pg_trgm`, which the index needs.
    ///
    /// The list contains every index that a condition can use, whether or not it pays off: each index makes changes of its
    /// table slower. Primary key columns are left out. On MariaDB and MySQL no index can hold a fold, because indexes cannot
    /// call stored functions, and none serves an order of strings by code points, unless the column is declared with that
    /// collation. The list is empty for DuckDB and Spark, whose scans do not use indexes for such conditions. [NSP-440]
    /// - Throws: ``SQLCompilationError`` as ``compile(_:entity:variables:)`` does.
    public func indexes(
        for predicate: FormatPredicate, entity name: String, variables: PredicateVariables = .init()
    ) throws(SQLCompilationError) -> [SQLIndex] {
        let selection = try assumingFoldIndexes.selection(of: predicate, entity: name, variables: variables)
        var finder = IndexFinder(writing)
        finder.enter(selection.scope, selection.condition)
        return finder.terms.indexes(writing)
    }
}

/// The column or fold of an index, and the conditions that it serves.
struct IndexTerm {
    let table: QuotedName
    let column: ColumnReference
    /// The fold of the column that is indexed; nil for the column itself.
    var fold: SQLFunction?
    var use: SQLPiece.IndexUse
}

/// Finds the conditions that an index can serve.
private struct IndexFinder {
    private let dialect: CompilerDialect
    /// The tables in scope, by alias.
    private var tables: [Int: TableScope.Table] = [:]
    private(set) var terms: [IndexTerm] = []

    init(_ dialect: CompilerDialect) {
        self.dialect = dialect
    }

    /// Finds the indexes of the rows of a scope, beginning with its joins.
    mutating func enter(_ scope: TableScope, _ condition: ConditionForm) {
        for source in scope.sources where source.array == nil { tables[source.alias] = source }
        for source in scope.sources {
            guard let tie = source.tie else { continue }
            add(ColumnForm(alias: source.alias, column: tie.column, isNullable: true), .values)
            add(tie.value, .values)
        }
        find(in: condition)
    }

    private mutating func find(in condition: ConditionForm) {
        switch condition {
        case .and(let conditions), .or(let conditions): for condition in conditions { find(in: condition) }
        case .not(let inner): if inner.isServedUnderNot { find(in: inner) }
        case .isNull(let value), .truth(let value): add(value, .values)
        case .same(let left, let right): add(left, right, .values)
        case .sameText(let left, let right): add(left, right, .equality)
        case .compare(let left, let relation, let right):
            if relation != .notEqual { add(left, right, .values) }
        case .compareText(let left, let relation, let right):
            if relation != .notEqual { add(left, right, relation.isOrdering ? .order : .equality) }
        case .isIn(let value, _, let isText): add(value, isText ? .equality : .values)
        case .isInList(let value, _, let type): add(value, type == .text ? .equality : .values)
        case .search(.beginsWith, let value, .constant):
            if dialect.features.contains(.indexesFunctions) { add(value, .prefix) }
        case .like(let value, let pattern), .mayBegin(let value, let pattern):
            if pattern.hasLiteralBeginning { add(value, .prefix) } else if pattern.hasTrigram { add(value, .parts) }
        case .exists(let scope, let inner): enter(scope, inner)
        case .isAmong(let column, let sets):
            add(column, .values)
            for keys in sets {
                enter(keys.scope, keys.condition)
                add(keys.key, .values)
            }
        case .isOnPage(_, let page): enter(page.scope, page.condition)
        case .mayContain(let array, _): if array.reference.storage == .native { add(array.column, .elements) }
        case .constant, .search, .matches, .finds, .isStored, .bound, .ifUnknown: break
        }
    }

    /// Adds the index of a value that is compared with a constant.
    private mutating func add(_ left: ValueForm, _ right: ValueForm, _ use: SQLPiece.IndexUse) {
        if right.isConstant { add(left, use) }
        if left.isConstant { add(right, use) }
    }

    private mutating func add(_ value: ValueForm, _ use: SQLPiece.IndexUse) {
        if use == .equality, let column = value.bareColumn, column.column.hasOwnEquality || value.nativeColumn != nil {
            return add(column, .values)
        }
        switch value {
        case .column(let column): add(column, use)
        case .call(let function, let arguments):
            guard function.foldMode != nil, case .column(let column)? = arguments.first else { return }
            add(column, use, function)
        case .aggregate(_, let scope, let condition): enter(scope, condition)
        case .parameter, .word, .null, .guarded, .arithmetic, .checked, .cast, .conditional: break
        }
    }

    private mutating func add(_ form: ColumnForm, _ use: SQLPiece.IndexUse, _ fold: SQLFunction? = nil) {
        guard let table = tables[form.alias], !form.column.hasSign else { return }
        let isPrimaryKey = table.primaryKey.map { $0.name.text.hasSameCodePoints(as: form.column.name.text) }
        guard isPrimaryKey != true || fold != nil else { return }
        terms.append(IndexTerm(table: table.table, column: form.column, fold: fold, use: use))
    }
}

extension ConditionForm {
    /// True if an index serves the negation too: that of a comparison is a range, and related rows are found by their keys.
    fileprivate var isServedUnderNot: Bool {
        switch self {
        case .compare(_, let relation, _), .compareText(_, let relation, _): relation.isOrdering
        case .exists, .isAmong: true
        case .and, .or, .not, .constant, .isNull, .same, .sameText, .search, .like, .mayBegin, .mayContain, .matches,
            .finds, .isStored, .bound, .truth, .isIn, .isInList, .isOnPage, .ifUnknown:
            false
        }
    }
}

extension ValueForm {
    fileprivate var isConstant: Bool { isPlain && !isColumn }

    /// True for a pattern of LIKE that does not begin with a wildcard.
    fileprivate var hasLiteralBeginning: Bool {
        constantText?.first.map { $0 != "%" && $0 != "_" } ?? false
    }

    /// True for a pattern of LIKE with three letters or digits beside each other, for which an index of trigrams serves.
    fileprivate var hasTrigram: Bool {
        let words = constantText?.unicodeScalars.split {
            !$0.properties.isAlphabetic && $0.properties.numericType == nil
        }
        return words?.contains { $0.count > 2 } ?? false
    }
}

extension [IndexTerm] {
    /// The indexes of the terms. One index serves all uses that have the same statement; an index for an order or a prefix
    /// serves further uses.
    fileprivate func indexes(_ dialect: CompilerDialect) -> [SQLIndex] {
        var names: Set<String> = []
        let possible = filter { $0.index(dialect) != nil }
        let needed = possible.filter { !$0.isServed(by: possible) }
        return needed.flatMap { $0.extensions(dialect) + [$0.index(dialect)].compactMap(\.self) }
            .filter { names.insert($0.name).inserted }
    }
}

extension IndexTerm {
    /// An index for prefixes serves equality, and an index for an order serves prefixes.
    fileprivate func isServed(by others: [IndexTerm]) -> Bool {
        let uses = others.filter { hasSameValue(as: $0) }.map(\.use)
        return switch use {
        case .equality: uses.contains(.prefix) && !uses.contains(.order)
        case .prefix: uses.contains(.order)
        case .values, .order, .elements, .parts: false
        }
    }

    private func hasSameValue(as other: IndexTerm) -> Bool {
        fold == other.fold && table.isSame(as: other.table)
            && column.name.text.hasSameCodePoints(as: other.column.name.text)
    }

    fileprivate func index(_ dialect: CompilerDialect) -> SQLIndex? {
        var term = self
        // If the database needs no separate index for a use, the index is the one for equality.
        term.use = .equality
        if term.text(dialect) != text(dialect) { term.use = use }
        let name = term.name
        guard let statement = term.statement(named: name, dialect) else { return nil }
        return SQLIndex(name: name, table: table.table.words, statement: statement)
    }

    /// The extensions that the index needs in the database.
    fileprivate func extensions(_ dialect: CompilerDialect) -> [SQLIndex] {
        let statement = dialect.base.text(of: .extensions(for: use))?.text { _ in nil }
        return statement.map { [SQLIndex(name: "extension(\(use))", table: table.table.words, statement: $0)] } ?? []
    }

    /// The statement with an empty name in place of the index's own. It shows whether two indexes are the same.
    private func text(_ dialect: CompilerDialect) -> String? { statement(named: "", dialect) }

    private func statement(named name: String, _ dialect: CompilerDialect) -> String? {
        guard let value = value(dialect) else { return nil }
        // SQLite takes the schema from the name of the index, not from that of the table.
        let (plain, own) = (table.table, TableName(name, in: table.schema))
        let piece =
            dialect.features.contains(.storageClasses)
            ? SQLPiece.index(own.quoted, on: "\(name: plain.table)", value, use)
            : SQLPiece.index("\(name: name)", on: plain.quoted, value, use)
        let quoted: (String) -> String? = { $0.isEmpty ? "" : dialect.base.quoted($0) }
        return dialect.base.text(of: piece)?.text(quotedBy: quoted)
    }

    /// The value as the condition writes it, without the alias of its table; nil if no index can hold it.
    private func value(_ dialect: CompilerDialect) -> SQLText? {
        let bare: SQLText = "\(name: column.name.text)"
        let origin = SQLPiece.TextOrigin.column(collation: column.collation)
        let comparable = dialect.base.text(of: .comparable(bare, origin, ordered: use == .order))
        if use == .values || use == .elements { return bare }
        // The cast of an enumeration to a string is not immutable.
        if column.assigned != nil { return nil }
        // The condition compares the bare column, and an index follows the column's collation.
        if dialect.features.contains(.collatesConstants) {
            let isByCodePoints = comparable?.utf8(dialect.base) == bare.utf8(dialect.base)
            return fold == nil && (use != .order || isByCodePoints) ? bare : nil
        }
        guard let fold else { return comparable }
        let follows = dialect.features.contains(.functionsFollowCollations)
        let argument = follows ? dialect.base.text(of: .comparable(bare, origin, ordered: false)) : bare
        guard let argument, let call = dialect.base.text(of: .call(fold, [argument])) else { return nil }
        return dialect.base.text(of: .comparable(call, .result, ordered: use == .order))
    }

    private var name: String {
        let value = SQLIndex.name(of: fold?.name ?? "", table: table.text, column: column.name.text)
        let operand = fold == nil ? value : "(\(value))"
        return switch use {
        case .values, .equality: (fold == nil ? "index" + value : value).shortened
        case .order: ("order" + operand).shortened
        case .prefix: ("prefix" + operand).shortened
        case .elements: ("elements" + operand).shortened
        case .parts: ("parts" + operand).shortened
        }
    }
}

extension SQLIndex {
    /// `predicates2_fold_cd(person.name)`. A dot within a name is escaped as `%2E`, so that the names of indexes are
    /// unique.
    package static func name(of value: String, table: String, column: String) -> String {
        "\(value)(\(escaped(table)).\(escaped(column)))"
    }

    private static func escaped(_ name: String) -> String {
        name.replacing("%", with: "%25").replacing(".", with: "%2E")
    }
}

extension String {
    /// The name, if it has at most 60 bytes, which every database accepts; else its beginning and a hash (FNV-1a).
    fileprivate var shortened: String {
        guard utf8.count > 60 else { return self }
        let hash = utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var beginning = String.UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            if count > 43 { break }
            beginning.append(scalar)
        }
        return "\(String(beginning))~\(String(hash, radix: 16))"
    }
}

internal import CPredicateSQLite
internal import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax
import PredicateText

extension SQLFunction {
    /// Registers functions on a connection of any SQLite client, so that it can run what `SQLCompiler` compiles for
    /// `SQLiteDialect`.
    ///
    /// ```swift
    /// configuration.prepareDatabase { try SQLFunction.register(on: $0.sqliteConnection!) }     // GRDB
    /// try SQLFunction.register(on: connection.handle)                                          // SQLite.swift
    /// try SQLFunction.register(query.requiredFunctions, on: handle)                            // the functions of one query
    /// ```
    ///
    /// The functions are deterministic, so that indexes may use them and SQLite calls them once for constant arguments. They
    /// have no side effects, so that views and triggers may call them. A function that is already registered is replaced, which
    /// SQLite refuses while statements of the connection run. SQLite releases the functions with the connection.
    ///
    /// If a function fails, for example because of an invalid pattern for MATCHES, the statement fails with the
    /// function's message.
    ///
    /// The connection must belong to the SQLite library that the program is linked with, not to a copy under other
    /// names, such as SQLiteNIO's, for which there is ``SQLFunctionCaller``.
    ///
    /// - Parameters:
    ///   - functions: The functions to register; by default all that compiled SQL may call.
    ///   - limits: The limits of regular expressions: a pattern or a string that exceeds them makes the statement fail.
    ///   - connection: An open `sqlite3 *`, which no other thread uses meanwhile unless it is serialized.
    /// - Throws: ``SQLiteRegistrationError``, also for SQLite before 3.39.
    public static func register(
        _ functions: Set<SQLFunction> = Set(allCases), on connection: OpaquePointer,
        limits: PredicateLimits = .standard
    ) throws(SQLiteRegistrationError) {
        try register(functions, on: connection, FunctionSettings(limits))
    }

    /// Registers functions, keeps their errors as values, and counts their work if it is limited.
    package static func register(
        _ functions: Set<SQLFunction> = Set(allCases), on connection: OpaquePointer, _ settings: FunctionSettings
    ) throws(SQLiteRegistrationError) {
        let version = sqlite3_libversion_number()
        guard version >= SQLiteRegistrationError.oldestVersion else {
            throw SQLiteRegistrationError(.version(String(cString: sqlite3_libversion())))
        }
        for function in allCases where functions.contains(function) {
            let result = FunctionImplementation(function, settings).register(on: connection)
            guard result == SQLITE_OK else {
                let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
                throw SQLiteRegistrationError(.refused(function, result: result), message: message)
            }
        }
    }
}

/// What the functions of a connection share: their limits, their last error, and the work of the running statement.
package final class FunctionSettings {
    package let limits: PredicateLimits
    package let fault = FunctionFault()
    package let work: StatementWork

    /// Creates the settings. Steps can be counted only if the connection begins a new count with every statement.
    package init(_ limits: PredicateLimits, countingSteps: Bool = false) {
        self.limits = limits
        work = StatementWork(limit: countingSteps && limits.statementSteps < .max ? limits.statementSteps : nil)
    }
}

/// The implementation of a function, called with arguments that are not NULL.
package typealias FunctionBody = (FunctionCall) -> Void

/// A registered function: its name, its arguments and the object that SQLite passes to it.
///
/// `predicates2_fold_cd(t0."name")`
///
/// Functions return NULL if an argument is NULL. One implementation serves one connection; its caches are used under
/// the lock of that connection.
package struct FunctionImplementation {
    private let name: String
    /// The number of arguments; -1 for any number.
    private let argumentCount: Int
    private let owner: FunctionOwner
    /// The function that SQLite calls; nil for an aggregate.
    private let call: Call?

    private typealias Call =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    private init(_ name: String, _ argumentCount: Int, owner: FunctionOwner, _ call: Call?) {
        (self.name, self.argumentCount, self.owner, self.call) = (name, argumentCount, owner, call)
    }

    /// A function with any number of arguments, which only statements of this package call.
    package init(named name: String, _ settings: FunctionSettings, _ body: @escaping FunctionBody) {
        self.init(name, -1, owner: RegisteredFunction(settings, body)) { RegisteredFunction.call($0, $1, $2) }
    }

    /// True for a function over several rows.
    var isAggregate: Bool { call == nil }

    /// Registers the function and returns SQLite's result code.
    package func register(on connection: OpaquePointer) -> Int32 {
        // SQLite releases the owner even if the registration fails.
        sqlite3_create_function_v2(
            connection, name, Int32(clamping: argumentCount),
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            Unmanaged.passRetained(owner).toOpaque(), call,
            isAggregate ? { AggregateOwner.step($0, $2) } : nil, isAggregate ? { AggregateOwner.finish($0) } : nil,
            { owner in if let owner { Unmanaged<FunctionOwner>.fromOpaque(owner).release() } })
    }

    init(_ function: SQLFunction, _ settings: FunctionSettings) {
        let fault = settings.fault
        func called(with owner: FunctionOwner, _ call: @escaping Call) -> FunctionImplementation {
            FunctionImplementation(function.name, function.argumentCount, owner: owner, call)
        }
        func aggregate(_ make: @escaping () -> any GroupAggregate) -> FunctionImplementation {
            FunctionImplementation(
                function.name, function.argumentCount, owner: AggregateOwner(settings, make), nil)
        }
        func search(_ match: TextMatch) -> FunctionImplementation {
            called(with: PreparedFunction(settings) { NeedleSearch(match, $0, $1) }) {
                PreparedFunction<NeedleSearch>.call($0, $1, $2)
            }
        }
        func body(_ body: @escaping FunctionBody) -> FunctionImplementation {
            called(with: RegisteredFunction(settings, body)) { RegisteredFunction.call($0, $1, $2) }
        }
        self =
            switch function {
            case .foldCase:
                called(with: FunctionOwner(settings)) { FoldFunction.call($0, $1, $2, .caseInsensitive) }
            case .foldDiacritics:
                called(with: FunctionOwner(settings)) { FoldFunction.call($0, $1, $2, .diacriticInsensitive) }
            case .foldCaseAndDiacritics:
                called(with: FunctionOwner(settings)) { FoldFunction.call($0, $1, $2, .caseAndDiacriticInsensitive) }
            case .compare:
                called(with: PreparedFunction(settings, TextOrder.init)) {
                    PreparedFunction<TextOrder>.call($0, $1, $2)
                }
            case .begins: search(.beginsWith)
            case .ends: search(.endsWith)
            case .contains: search(.contains)
            case .like: search(.like)
            case .matches:
                called(
                    with: PreparedFunction(settings) { (pattern, mode) throws(EvaluationError) in
                        try PatternMatch(pattern, mode, settings)
                    }
                ) { PreparedFunction<PatternMatch>.call($0, $1, $2) }
            case .uppercase: body { $0.return(CaseMapping.upper.map($0.text(0))) }
            case .lowercase: body { $0.return(CaseMapping.lower.map($0.text(0))) }
            case .length: body { call in call.return(ReadableText.read(call.utf8(0), TextLength.utf16)) }
            case .date: body(ValueFunctions.date)
            case .decimalCompare: body(ValueFunctions.decimalCompare)
            case .decimalDouble: body(ValueFunctions.decimalDouble)
            case .decimalAdd: body(DecimalFunctions.binary { (a, b) throws(EvaluationError) in try a.adding(b) })
            case .decimalSubtract:
                body(DecimalFunctions.binary { (a, b) throws(EvaluationError) in try a.subtracting(b) })
            case .decimalMultiply:
                body(DecimalFunctions.binary { (a, b) throws(EvaluationError) in try a.multiplied(by: b) })
            case .decimalDivide:
                body(DecimalFunctions.binary { (a, b) throws(EvaluationError) in try a.divided(by: b) })
            case .decimalSum: aggregate { DecimalAggregate(.sum) }
            case .decimalAverage: aggregate { DecimalAggregate(.average) }
            case .decimalLeast: aggregate { DecimalAggregate(.least) }
            case .decimalGreatest: aggregate { DecimalAggregate(.greatest) }
            case .decimalOrder: body(DecimalFunctions.order)
            case .numberSum: aggregate { NumberAggregate(.sum) }
            case .numberAverage: aggregate { NumberAggregate(.average) }
            case .numberMedian: aggregate { NumberAggregate(.median) }
            case .numberDeviation: aggregate { NumberAggregate(.deviation) }
            case .numberPercentile: aggregate { NumberAggregate(.percentile) }
            case .joined: aggregate { JoinedTexts() }
            case .datePart: body(DateFunctions.part)
            case .dateStart: body(DateFunctions.start)
            case .divide: body(NumberFunctions.divide)
            case .remainder: body(NumberFunctions.remainder)
            case .power: body(NumberFunctions.power)
            case .absolute: body(NumberFunctions.absolute)
            case .floor: body(NumberFunctions.real { $0.rounded(.down) })
            case .ceiling: body(NumberFunctions.real { $0.rounded(.up) })
            case .truncate: body(NumberFunctions.real { $0.rounded(.towardZero) })
            case .squareRoot: body(NumberFunctions.real { $0.squareRoot() })
            case .naturalLogarithm: body(NumberFunctions.naturalLogarithm)
            case .decimalLogarithm: body(NumberFunctions.decimalLogarithm)
            case .exponential: body(NumberFunctions.exponential)
            case .jsonKind: body(StoredJSON.kind)
            case .jsonPathKind: body(StoredJSON.pathKind)
            case .jsonText: body(StoredJSON.text)
            case .jsonNumber: body(StoredJSON.number)
            case .jsonBoolean: body(StoredJSON.boolean)
            case .jsonElements: body(StoredJSON.elements)
            case .mixedKinds: body { ValueFunctions.mixedKinds($0, fault) }
            }
    }
}

/// The user data of a function.
class FunctionOwner {
    let settings: FunctionSettings
    /// True if the function counts what it reads.
    private let counts: Bool

    init(_ settings: FunctionSettings) {
        self.settings = settings
        counts = settings.work.limit != nil
    }

    /// Counts the strings among the arguments, if the connection limits the steps of a statement. Returns false if the
    /// statement exceeds its limit; the call then fails.
    @inline(__always)
    static func admits(
        _ context: OpaquePointer, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>
    ) -> Bool {
        guard let box = sqlite3_user_data(context) else { return false }
        return Unmanaged<FunctionOwner>.fromOpaque(box)._withUnsafeGuaranteedRef { owner in
            !owner.counts || owner.admits(FunctionCall(context, arguments), Int(count))
        }
    }

    @inline(never)
    private func admits(_ call: FunctionCall, _ count: Int) -> Bool {
        let work = settings.work
        for position in 0..<count where call.storage(position) == .text { work.addReading(call.utf8(position)) }
        if work.isExceeded { call.fail("too many steps") }
        return !work.isExceeded
    }
}

/// The user data of a function that is called with arguments that are not NULL.
private final class RegisteredFunction: FunctionOwner {
    private let body: FunctionBody

    init(_ settings: FunctionSettings, _ body: @escaping FunctionBody) {
        self.body = body
        super.init(settings)
    }

    static func call(_ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let context, let arguments, admits(context, count, arguments), let box = sqlite3_user_data(context)
        else { return }
        let call = FunctionCall(context, arguments)
        for position in 0..<Int(count) where call.isNull(position) { return call.returnNull() }
        Unmanaged<RegisteredFunction>.fromOpaque(box).takeUnretainedValue().body(call)
    }
}

/// A failure to register functions on a connection: a code, and SQLite's own message.
///
/// `.refused(.foldCase, result: 5)`: the function is already registered, and a statement of the connection is running.
public struct SQLiteRegistrationError: PredicateDiagnostic {
    /// The kind of error.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// A version of SQLite before 3.39
        case version(String)
        /// A function that SQLite refused, with the result code: 5 (`SQLITE_BUSY`) while statements run, 7
        /// (`SQLITE_NOMEM`) if out of memory
        case refused(SQLFunction, result: Int32)
    }

    public var code: Code
    /// SQLite's own message; empty if SQLite was not called.
    package var message: String

    /// Creates an error with SQLite's message.
    package init(_ code: Code, message: String = "") {
        self.code = code
        self.message = message
    }

    /// The oldest version that runs compiled SQL, in the format of `sqlite3_libversion_number()`.
    static let oldestVersion = 3_039_000
    private static let busy: Int32 = 5

    /// Empty: the error does not concern a predicate.
    public var text: String { "" }
    /// Empty: the error does not concern a predicate.
    public var range: Range<Int> { 0..<0 }
    public var label: String? { nil }

    public var title: String {
        switch code {
        case .version(let found): "compiled SQL needs SQLite 3.39 or newer, this is \(found)"
        case .refused(let function, let result):
            "SQLite refused to register \(function.name): \(message.isEmpty ? "code \(result)" : message)"
        }
    }

    public var hints: [String] {
        switch code {
        case .version: ["link the program with a newer SQLite"]
        case .refused(_, Self.busy): ["register the functions when the connection is opened, before statements run"]
        case .refused: []
        }
    }
}

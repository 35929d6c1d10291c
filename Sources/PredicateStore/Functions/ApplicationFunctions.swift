import CSQLite
import PredicateSQL

/// The implementation of a function, called with arguments that are not NULL.
typealias FunctionBody = (FunctionCall) -> Void

/// The SQL functions that compiled predicates call, registered on each connection.
///
/// `predicates2_fold_cd(t0."name")`
///
/// They are deterministic, so that SQLite can fold constant calls and use them in indexes, and free of side effects, so
/// that views and triggers of any file may call them. They return NULL if an argument is NULL.
enum ApplicationFunctions {
    static func register(on handle: OpaquePointer, reportingTo fault: FunctionFault) throws(StoreError) {
        for function in all {
            let box = Unmanaged.passRetained(RegisteredFunction(body(of: function), fault))
            let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
            // SQLite releases the box even if the registration fails.
            let result = sqlite3_create_function_v2(
                handle, function.name, Int32(clamping: function.argumentCount), flags, box.toOpaque(),
                { context, count, arguments in RegisteredFunction.call(context, Int(count), arguments) }, nil, nil,
                { box in if let box { Unmanaged<RegisteredFunction>.fromOpaque(box).release() } })
            guard result == SQLITE_OK else { throw StoreError(handle) }
        }
    }

    /// Every function that the compiler may use.
    static let all: [SQLFunction] = [
        .foldCase, .foldDiacritics, .foldCaseAndDiacritics, .begins, .ends, .contains, .like, .matches,
        .uppercase, .lowercase, .length, .date, .decimalCompare, .decimalDouble, .divide, .remainder, .power, .absolute,
        .floor, .ceiling, .truncate, .squareRoot, .naturalLogarithm, .decimalLogarithm, .exponential,
    ]

    /// Creates an implementation for one connection; its caches are used under the lock of that connection.
    private static func body(of function: SQLFunction) -> FunctionBody {
        switch function {
        case .foldCase: FoldFunction.body(.caseInsensitive)
        case .foldDiacritics: FoldFunction.body(.diacriticInsensitive)
        case .foldCaseAndDiacritics: FoldFunction.body(.caseAndDiacriticInsensitive)
        case .begins: PatternFunctions.search(.beginsWith)
        case .ends: PatternFunctions.search(.endsWith)
        case .contains: PatternFunctions.search(.contains)
        case .like: PatternFunctions.like()
        case .matches: PatternFunctions.matches()
        case .uppercase: { $0.return($0.text(0).uppercased()) }
        case .lowercase: { $0.return($0.text(0).lowercased()) }
        case .length: { $0.return(TextLength.utf16($0.utf8(0))) }
        case .date: ValueFunctions.date
        case .decimalCompare: ValueFunctions.decimalCompare
        case .decimalDouble: ValueFunctions.decimalDouble
        case .divide: NumberFunctions.divide
        case .remainder: NumberFunctions.remainder
        case .power: NumberFunctions.power
        case .absolute: NumberFunctions.absolute
        case .floor: NumberFunctions.real { $0.rounded(.down) }
        case .ceiling: NumberFunctions.real { $0.rounded(.up) }
        case .truncate: NumberFunctions.real { $0.rounded(.towardZero) }
        case .squareRoot: NumberFunctions.real { $0.squareRoot() }
        case .naturalLogarithm: NumberFunctions.naturalLogarithm
        case .decimalLogarithm: NumberFunctions.decimalLogarithm
        case .exponential: NumberFunctions.exponential
        }
    }
}

/// The user data of a registered function.
private final class RegisteredFunction {
    private let body: FunctionBody
    private let fault: FunctionFault

    init(_ body: @escaping FunctionBody, _ fault: FunctionFault) {
        self.body = body
        self.fault = fault
    }

    static func call(_ context: OpaquePointer?, _ count: Int, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let context, let arguments, let box = sqlite3_user_data(context) else { return }
        let function = Unmanaged<RegisteredFunction>.fromOpaque(box).takeUnretainedValue()
        for position in 0..<count where sqlite3_value_type(arguments[position]) == SQLITE_NULL {
            return sqlite3_result_null(context)
        }
        function.body(FunctionCall(context, arguments, function.fault))
    }
}

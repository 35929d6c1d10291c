import CSQLite
import PredicateSQL
import PredicateText

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
            let registration = registration(of: function, fault)
            let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
            // SQLite releases the owner even if the registration fails.
            let result = sqlite3_create_function_v2(
                handle, function.name, Int32(clamping: function.argumentCount), flags,
                registration.owner.map { Unmanaged.passRetained($0).toOpaque() }, registration.call, nil, nil,
                { owner in if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() } })
            guard result == SQLITE_OK else { throw StoreError(handle) }
        }
    }

    /// Every function that the compiler may use.
    static let all: [SQLFunction] = [
        .foldCase, .foldDiacritics, .foldCaseAndDiacritics, .compare, .begins, .ends, .contains, .like, .matches,
        .uppercase, .lowercase, .length, .date, .decimalCompare, .decimalDouble, .divide, .remainder, .power, .absolute,
        .floor, .ceiling, .truncate, .squareRoot, .naturalLogarithm, .decimalLogarithm, .exponential,
        .mixedKinds,
    ]

    /// What SQLite calls, and the object that it passes.
    private struct Registration {
        var owner: AnyObject?
        let call: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    }

    /// Creates an implementation for one connection; its caches are used under the lock of that connection.
    private static func registration(of function: SQLFunction, _ fault: FunctionFault) -> Registration {
        func search(_ match: TextMatch) -> Registration {
            Registration(owner: PreparedFunction(fault) { NeedleSearch(match, $0, $1) }) {
                PreparedFunction<NeedleSearch>.call($0, $2)
            }
        }
        func body(_ body: @escaping FunctionBody) -> Registration {
            Registration(owner: RegisteredFunction(body)) { RegisteredFunction.call($0, Int($1), $2) }
        }
        return switch function {
        case .foldCase: Registration { FoldFunction.call($0, $2, .caseInsensitive) }
        case .foldDiacritics: Registration { FoldFunction.call($0, $2, .diacriticInsensitive) }
        case .foldCaseAndDiacritics: Registration { FoldFunction.call($0, $2, .caseAndDiacriticInsensitive) }
        case .compare:
            Registration(owner: PreparedFunction(fault, TextOrder.init)) { PreparedFunction<TextOrder>.call($0, $2) }
        case .begins: search(.beginsWith)
        case .ends: search(.endsWith)
        case .contains: search(.contains)
        case .like: search(.like)
        case .matches:
            Registration(owner: PreparedFunction(fault, PatternMatch.init)) {
                PreparedFunction<PatternMatch>.call($0, $2)
            }
        case .uppercase: body { $0.return(CaseMapping.upper.map($0.text(0))) }
        case .lowercase: body { $0.return(CaseMapping.lower.map($0.text(0))) }
        case .length: body { call in call.return(ReadableText.read(call.utf8(0), TextLength.utf16)) }
        case .date: body(ValueFunctions.date)
        case .decimalCompare: body(ValueFunctions.decimalCompare)
        case .decimalDouble: body(ValueFunctions.decimalDouble)
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
        case .mixedKinds: body { ValueFunctions.mixedKinds($0, fault) }
        }
    }
}

/// The user data of a function that is called with arguments that are not NULL.
private final class RegisteredFunction {
    private let body: FunctionBody

    init(_ body: @escaping FunctionBody) {
        self.body = body
    }

    static func call(_ context: OpaquePointer?, _ count: Int, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let context, let arguments, let box = sqlite3_user_data(context) else { return }
        let function = Unmanaged<RegisteredFunction>.fromOpaque(box).takeUnretainedValue()
        for position in 0..<count where sqlite3_value_type(arguments[position]) == SQLITE_NULL {
            return sqlite3_result_null(context)
        }
        function.body(FunctionCall(context, arguments))
    }
}

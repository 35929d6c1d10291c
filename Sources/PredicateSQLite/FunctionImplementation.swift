internal import CPredicateSQLite
import PredicateSQL
import PredicateText

/// The implementation of a function, called with arguments that are not NULL.
typealias FunctionBody = (FunctionCall) -> Void

/// What SQLite calls for a function, and the object that it passes.
///
/// `predicates2_fold_cd(t0."name")`
///
/// Functions return NULL if an argument is NULL. One implementation serves one connection; its caches are used under the
/// lock of that connection.
struct FunctionImplementation {
    private let function: SQLFunction
    private let owner: AnyObject?
    private let call: Call

    private typealias Call =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    private init(_ function: SQLFunction, owner: AnyObject? = nil, _ call: @escaping Call) {
        self.function = function
        self.owner = owner
        self.call = call
    }

    /// Registers the function and returns SQLite's result code.
    func register(on connection: OpaquePointer) -> Int32 {
        // SQLite releases the owner even if the registration fails.
        sqlite3_create_function_v2(
            connection, function.name, Int32(clamping: function.argumentCount),
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            owner.map { Unmanaged.passRetained($0).toOpaque() }, call, nil, nil,
            { owner in if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() } })
    }

    init(_ function: SQLFunction, _ fault: FunctionFault) {
        func called(with owner: AnyObject?, _ call: @escaping Call) -> FunctionImplementation {
            FunctionImplementation(function, owner: owner, call)
        }
        func fold(_ call: @escaping Call) -> FunctionImplementation { called(with: nil, call) }
        func search(_ match: TextMatch) -> FunctionImplementation {
            called(with: PreparedFunction(fault) { NeedleSearch(match, $0, $1) }) {
                PreparedFunction<NeedleSearch>.call($0, $2)
            }
        }
        func body(_ body: @escaping FunctionBody) -> FunctionImplementation {
            called(with: RegisteredFunction(body)) { RegisteredFunction.call($0, Int($1), $2) }
        }
        self =
            switch function {
            case .foldCase: fold { FoldFunction.call($0, $2, .caseInsensitive) }
            case .foldDiacritics: fold { FoldFunction.call($0, $2, .diacriticInsensitive) }
            case .foldCaseAndDiacritics: fold { FoldFunction.call($0, $2, .caseAndDiacriticInsensitive) }
            case .compare:
                called(with: PreparedFunction(fault, TextOrder.init)) { PreparedFunction<TextOrder>.call($0, $2) }
            case .begins: search(.beginsWith)
            case .ends: search(.endsWith)
            case .contains: search(.contains)
            case .like: search(.like)
            case .matches:
                called(with: PreparedFunction(fault, PatternMatch.init)) {
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

internal import CPredicateSQLite
internal import PredicateEvaluation
import PredicateText

/// What a needle or a pattern and the option letters come to, for texts.
protocol TextOperation: AnyObject {
    /// The number of operations that are worth keeping when a statement has ended.
    static var cacheCapacity: Int { get }

    /// The result of the function: 0 or 1 for a search or a pattern, the sign for an order.
    func result(_ text: UnsafeBufferPointer<UInt8>) throws(EvaluationError) -> Int32
}

/// A function of a text, a needle or pattern, and option letters: `predicates2_contains(name, 'oh', 'cd')`.
///
/// SQLite calls it for every row. What does not depend on the row is prepared once and kept with the running statement, as
/// auxiliary data of the second argument, which SQLite drops where that argument is no constant. The text is read where it
/// lies, so that a call allocates nothing.
final class PreparedFunction<Operation: TextOperation> {
    private let fault: FunctionFault
    private let make: (String, FoldMode) throws(EvaluationError) -> Operation
    private var cache: [Key: Operation] = [:]

    private struct Key: Hashable {
        let operand: [UInt8]
        let mode: FoldMode
    }

    init(_ fault: FunctionFault, _ make: @escaping (String, FoldMode) throws(EvaluationError) -> Operation) {
        self.fault = fault
        self.make = make
    }

    @inline(__always)
    static func call(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let context, let arguments else { return }
        guard let start = sqlite3_value_text(arguments[0]) else { return sqlite3_result_null(context) }
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[0])))
        // The third argument has a mark as long as it is the same.
        guard let kept = sqlite3_get_auxdata(context, 1), sqlite3_get_auxdata(context, 2) != nil else {
            return callFirst(FunctionCall(context, arguments), text)
        }
        Unmanaged<Operation>.fromOpaque(kept)._withUnsafeGuaranteedRef { operation in
            do throws(EvaluationError) {
                sqlite3_result_int(context, try result(of: operation, text))
            } catch {
                current(context)?.fail(FunctionCall(context, arguments), error)
            }
        }
    }

    /// The first call of a statement, and every call with a needle that is no constant.
    @inline(never)
    private static func callFirst(_ call: FunctionCall, _ text: UnsafeBufferPointer<UInt8>) {
        guard let function = current(call.context) else { return }
        if call.isNull(1) || call.isNull(2) { return call.returnNull() }
        do throws(EvaluationError) {
            let operation = try function.operation(call.utf8(1), FoldMode(letters: call.utf8(2)))
            call.return(Int64(try result(of: operation, text)))
            keep(operation, call.context)
        } catch {
            function.fail(call, error)
        }
    }

    @inline(__always)
    private static func result(
        of operation: Operation, _ text: UnsafeBufferPointer<UInt8>
    ) throws(EvaluationError) -> Int32 {
        try ReadableText.read(text) { (text) throws(EvaluationError) in try operation.result(text) }
    }

    /// SQLite may release the operation at once.
    private static func keep(_ operation: Operation, _ context: OpaquePointer) {
        sqlite3_set_auxdata(context, 1, Unmanaged<AnyObject>.passRetained(operation).toOpaque()) { operation in
            if let operation { Unmanaged<AnyObject>.fromOpaque(operation).release() }
        }
        sqlite3_set_auxdata(context, 2, UnsafeMutableRawPointer(bitPattern: 1), nil)
    }

    private static func current(_ context: OpaquePointer) -> PreparedFunction? {
        sqlite3_user_data(context).map { Unmanaged<PreparedFunction>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The cached operation, or a new one. A full cache is emptied, which is simple, and fast for a few patterns.
    private func operation(
        _ operand: UnsafeBufferPointer<UInt8>, _ mode: FoldMode
    ) throws(EvaluationError) -> Operation {
        let text = String(decoding: operand, as: UTF8.self)
        guard Operation.cacheCapacity > 0 else { return try make(text, mode) }
        let key = Key(operand: Array(operand), mode: mode)
        if let operation = cache[key] { return operation }
        let operation = try make(text, mode)
        if cache.count >= Operation.cacheCapacity { cache.removeAll(keepingCapacity: true) }
        cache[key] = operation
        return operation
    }

    private func fail(_ call: FunctionCall, _ error: EvaluationError) {
        let error = FunctionError.evaluation(error)
        fault.report(error)
        call.fail(error.message)
    }
}

extension FoldMode {
    /// The mode of option letters: `c`, `d`, `cd`, or an empty text.
    fileprivate init(letters: UnsafeBufferPointer<UInt8>) {
        switch (letters.contains(UInt8(ascii: "c")), letters.contains(UInt8(ascii: "d"))) {
        case (false, false): self = .none
        case (true, false): self = .caseInsensitive
        case (false, true): self = .diacriticInsensitive
        case (true, true): self = .caseAndDiacriticInsensitive
        }
    }
}

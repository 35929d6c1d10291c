internal import CPredicateSQLite
internal import PredicateEvaluation
import PredicateText

/// A prepared search, pattern or order, made from a needle or pattern and the option letters.
protocol TextOperation: AnyObject {
    /// The number of operations that are kept after a statement has ended.
    static var cacheCapacity: Int { get }

    /// The result of the function: 0 or 1 for a search or a pattern, the sign for an order.
    func result(_ text: UnsafeBufferPointer<UInt8>) throws(EvaluationError) -> Int32
}

/// A function of a string, a needle or pattern, and option letters: `predicates2_contains(name, 'oh', 'cd')`.
///
/// SQLite calls it for every row. Whatever does not depend on the row is prepared once and kept with the running statement, as
/// auxiliary data of the second argument. SQLite discards this data if the argument is not constant. The string is read in
/// place, so a call allocates nothing.
final class PreparedFunction<Operation: TextOperation>: FunctionOwner {
    private let make: (String, FoldMode) throws(EvaluationError) -> Operation
    private var cache: [Key: Operation] = [:]

    private struct Key: Hashable {
        let operand: [UInt8]
        let mode: FoldMode
    }

    init(_ settings: FunctionSettings, _ make: @escaping (String, FoldMode) throws(EvaluationError) -> Operation) {
        self.make = make
        super.init(settings)
    }

    @inline(__always)
    static func call(_ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let context, let arguments, admits(context, count, arguments) else { return }
        guard let start = sqlite3_value_text(arguments[0]) else { return sqlite3_result_null(context) }
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[0])))
        // The third argument carries auxiliary data as long as it stays the same.
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

    /// Serves the first call of a statement, and every call with a needle that is not constant.
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

    /// Returns the cached operation, or a new one. A full cache is emptied instead of evicting single entries, which
    /// is simple, and fast for a few patterns.
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
        settings.fault.report(error)
        call.fail(error.message)
    }
}

extension FoldMode {
    /// The mode of option letters: `c`, `d`, `cd`, or an empty string.
    fileprivate init(letters: UnsafeBufferPointer<UInt8>) {
        switch (letters.contains(UInt8(ascii: "c")), letters.contains(UInt8(ascii: "d"))) {
        case (false, false): self = .none
        case (true, false): self = .caseInsensitive
        case (false, true): self = .diacriticInsensitive
        case (true, true): self = .caseAndDiacriticInsensitive
        }
    }
}

/// `predicates2_compare(name, 'john', 'c')`: the order of a string and a folded needle.
final class TextOrder: TextOperation {
    /// Keeps the needle alive for the pointers to it.
    private let needle: PreparedNeedle
    private let flat: FlatNeedle

    static var cacheCapacity: Int { 0 }

    init(_ needle: String, _ mode: FoldMode) {
        self.needle = PreparedNeedle(needle, mode)
        flat = self.needle.flat
    }

    @inline(__always)
    func result(_ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        Int32(truncatingIfNeeded: flat.order(of: text))
    }
}

/// `predicates2_contains(name, 'oh', 'cd')`: a search for a folded needle; `predicates2_like(name, 'j?h*n', 'cd')`: a
/// pattern for the whole string.
///
/// An empty needle is never found.
final class NeedleSearch: TextOperation {
    /// Keeps the needle alive for the pointers to it.
    private let needle: PreparedNeedle
    private let flat: FlatNeedle
    private let match: TextMatch
    /// The result if it is the same for every string, as for the pattern `*`.
    private let constant: Bool?

    static var cacheCapacity: Int { 0 }

    init(_ match: TextMatch, _ operand: String, _ mode: FoldMode) {
        let shape = match == .like ? LikePattern(operand, mode).shape : .match(match, PreparedNeedle(operand, mode))
        switch shape {
        case .constant(let result): (self.match, needle, constant) = (match, PreparedNeedle("", mode), result)
        case .match(let match, let needle): (self.match, self.needle, constant) = (match, needle, nil)
        }
        flat = needle.flat
    }

    @inline(__always)
    func result(_ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        constant ?? match.holds(text, flat) ? 1 : 0
    }
}

/// `predicates_matches(name, 'j.*n', 'c')`: a regular expression that matches the whole string.
///
/// The regular expressions are the evaluator's, with the limits of the connection. An invalid pattern, or one that exceeds a
/// limit, is an error.
final class PatternMatch: TextOperation {
    private let expression: TextPattern
    private let work: StatementWork

    static var cacheCapacity: Int { 64 }

    init(_ operand: String, _ mode: FoldMode, _ settings: FunctionSettings) throws(EvaluationError) {
        expression = try TextPattern(operand, mode, limits: settings.limits)
        work = settings.work
    }

    @inline(__always)
    func result(_ text: UnsafeBufferPointer<UInt8>) throws(EvaluationError) -> Int32 {
        try expression.matches(text, steps: &work.steps) ? 1 : 0
    }
}

/// `predicates2_fold_cd(name)`: the string folded for `[c]` and `[d]`, with the evaluator's table.
///
/// The number in the name is the version of the fold: an index on a folded column is valid for one version only.
enum FoldFunction {
    @inline(__always)
    static func call(
        _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ mode: FoldMode
    ) {
        guard let context, let arguments, FunctionOwner.admits(context, count, arguments) else { return }
        guard let start = sqlite3_value_text(arguments[0]) else { return sqlite3_result_null(context) }
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[0])))
        ReadableText.read(text) { text in
            Folding.withFolded(text, mode) { FunctionCall(context, arguments).returnText($0) }
        }
    }
}

/// `predicates_length(name)`
enum TextLength {
    /// Returns the length in UTF-16 code units: one for each code point, two for a code point of four bytes in UTF-8.
    static func utf16(_ text: UnsafeBufferPointer<UInt8>) -> Int64 {
        var count: Int64 = 0
        for byte in text { count += byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }
        return count
    }
}

internal import CPredicateSQLite
package import Foundation
package import PredicateEvaluation
import PredicateSyntax

/// One call of a registered function: its arguments and its result.
///
/// `predicates2_fold_c(name)`
package struct FunctionCall {
    let context: OpaquePointer
    private let arguments: UnsafeMutablePointer<OpaquePointer?>

    init(_ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>) {
        self.context = context
        self.arguments = arguments
    }

    // MARK: Arguments, by position

    /// The value itself, valid during the call.
    package func argument(_ position: Int) -> OpaquePointer? { arguments[position] }

    func storage(_ position: Int) -> StorageClass {
        StorageClass(code: sqlite3_value_type(arguments[position]))
    }

    func isNull(_ position: Int) -> Bool {
        storage(position) == .null
    }

    /// Returns the UTF-8 of a string, valid during the call.
    func utf8(_ position: Int) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_value_text(arguments[position])
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[position])))
    }

    func text(_ position: Int) -> String {
        String(decoding: utf8(position), as: UTF8.self)
    }

    func integer(_ position: Int) -> Int64 {
        sqlite3_value_int64(arguments[position])
    }

    func double(_ position: Int) -> Double {
        sqlite3_value_double(arguments[position])
    }

    // MARK: Results

    package func returnNull() {
        sqlite3_result_null(context)
    }

    package func `return`(_ value: Int64) {
        sqlite3_result_int64(context, value)
    }

    func `return`(_ value: Bool) {
        sqlite3_result_int64(context, value ? 1 : 0)
    }

    package func `return`(_ value: Double) {
        sqlite3_result_double(context, value)
    }

    func `return`(_ text: String) {
        var copy = text
        copy.withUTF8 { returnText($0) }
    }

    /// Makes the statement fail with an error.
    package func fail(_ message: String) {
        var message = message
        message.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_error(context, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
    }

    /// Returns a string as the result, which SQLite copies.
    package func returnText(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_result_text(context, "", 0, nil) }
        sqlite3_result_text64(
            context, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), sqlite3_uint64(bytes.count),
            transientMemory, UInt8(SQLITE_UTF8))
    }

    /// Returns data as the result, which SQLite copies.
    package func returnData(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, start, sqlite3_uint64(bytes.count), transientMemory)
    }
}

/// The error of a registered function. SQLite keeps only its message.
package enum FunctionError: Hashable, Sendable {
    /// `predicates_matches(name, '(', '')`
    case evaluation(EvaluationError)
    /// `predicates_mixed_kinds(age, 'age')`: a column whose rows hold values of several types
    case mixedKinds(column: String, found: String)

    /// The message that SQLite reports.
    package var message: String {
        switch self {
        case .evaluation(let error): "\(error)"
        case .mixedKinds(let column, let found): Self.mixedKinds(column, found)
        }
    }

    /// `the column 'age' holds values of several types: found a string`
    package static func mixedKinds(_ column: String, _ found: String) -> String {
        "the column '\(column)' holds values of several types: found \(found)"
    }
}

/// The last error of a registered function in the running statement. SQLite keeps only its message, so the error is stored here
/// until the statement has failed.
///
/// There is one object per connection, used under the connection's lock.
package final class FunctionFault {
    private var error: FunctionError?

    package init() {}

    func report(_ error: FunctionError) {
        self.error = error
    }

    /// Removes the error of the previous statement.
    package func clear() {
        error = nil
    }

    package func take() -> FunctionError? {
        defer { error = nil }
        return error
    }
}

/// The storage class of a value, which does not depend on the declared type of its column.
package enum StorageClass: Hashable, Sendable {
    case null
    case integer
    case double
    case text
    case blob

    /// The storage class of a code such as `SQLITE_TEXT`.
    @inlinable
    package init(code: Int32) {
        switch code {
        case SQLITE_INTEGER: self = .integer
        case SQLITE_FLOAT: self = .double
        case SQLITE_TEXT: self = .text
        case SQLITE_BLOB: self = .blob
        default: self = .null
        }
    }
}

/// `SQLITE_TRANSIENT`: SQLite copies the bytes.
var transientMemory: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// A stored string as objects return it: invalid UTF-8, such as the Latin-1 in an old file, becomes U+FFFD.
///
/// `CAST(x'4DFC6C6C6572' AS TEXT) LIKE "M?ller"`
enum ReadableText {
    /// Calls a closure with the UTF-8 of a string: the stored bytes themselves if they are ASCII, else a repaired copy.
    @inline(__always)
    static func read<Result, Failure: Error>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        isASCII(bytes) ? try body(bytes) : try readRepaired(bytes, body)
    }

    @inline(never)
    private static func readRepaired<Result, Failure: Error>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var text = String(decoding: bytes, as: UTF8.self)
        var outcome: Swift.Result<Result, Failure>?
        text.withUTF8 { bytes in
            do throws(Failure) { outcome = .success(try body(bytes)) } catch { outcome = .failure(error) }
        }
        guard let outcome else { return try body(bytes) }
        return try outcome.get()
    }

    /// Tests eight bytes at a time.
    @inline(__always)
    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = UnsafeRawPointer(bytes.baseAddress) else { return true }
        var index = 0
        while index + 8 <= bytes.count {
            if start.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            index += 8
        }
        while index < bytes.count {
            if bytes[index] >= 0x80 { return false }
            index += 1
        }
        return true
    }
}

/// Values stored as strings, read as the evaluator's CAST reads them, so that SQL and memory agree.
///
/// `2016-03-02T00:00:00Z`, `2016-03-02 00:00:00`; `1.10`
package enum StoredText {
    /// Returns the date of a string in ISO 8601; nil for any other string. A date without an offset is in `zone`, or in UTC if
    /// that is nil.
    package static func date(_ text: String, in zone: LocalZone? = nil) -> Date? {
        ISO8601.date(from: text, in: zone)
    }

    /// Returns the date of a string in ISO 8601, given in UTF-8; nil for any other string.
    package static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? { ISO8601.date(from: text) }

    /// Returns the number of a string in decimal notation; nil for any other string.
    package static func decimal(_ text: String) -> Decimal? {
        let value = try? decimalCast?.value(.value(.string(text)))
        guard case .value(.decimal(let decimal))? = value else { return nil }
        return decimal
    }

    /// Returns the decimal number with the digits of a double; nil outside the range of decimal numbers.
    package static func decimal(_ number: Double) -> Decimal? {
        guard number.isFinite, let decimal = Decimal(string: "\(number)"), !decimal.isNaN else { return nil }
        return decimal
    }

    private static let decimalCast = try? ExpressionEvaluator(
        FormatExpression(.cast(CastExpression(.evaluatedObject, type: "NSDecimalNumber"))))
}

internal import CPredicateSQLite

/// One call of a registered function: its arguments and its result.
///
/// `predicates2_fold_c(name)`
struct FunctionCall {
    let context: OpaquePointer
    private let arguments: UnsafeMutablePointer<OpaquePointer?>

    init(_ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>) {
        self.context = context
        self.arguments = arguments
    }

    // MARK: Arguments, by position

    func storage(_ position: Int) -> StorageClass {
        StorageClass(code: sqlite3_value_type(arguments[position]))
    }

    func isNull(_ position: Int) -> Bool {
        storage(position) == .null
    }

    /// The UTF-8 of a text, valid during the call.
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

    func returnNull() {
        sqlite3_result_null(context)
    }

    func `return`(_ value: Int64) {
        sqlite3_result_int64(context, value)
    }

    func `return`(_ value: Bool) {
        sqlite3_result_int64(context, value ? 1 : 0)
    }

    func `return`(_ value: Double) {
        sqlite3_result_double(context, value)
    }

    func `return`(_ text: String) {
        var copy = text
        copy.withUTF8 { returnText($0) }
    }

    /// Ends the statement with an error.
    func fail(_ message: String) {
        var message = message
        message.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_error(context, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
    }

    /// Returns a text, which SQLite copies.
    func returnText(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_result_text(context, "", 0, nil) }
        sqlite3_result_text64(
            context, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), sqlite3_uint64(bytes.count),
            transientMemory, UInt8(SQLITE_UTF8))
    }
}

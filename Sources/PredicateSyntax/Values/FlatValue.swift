/// A value of a record that still lies in the input, for loops in which nothing may be counted or copied.
///
///     {"name": "jo", "age": 21}
///
/// gives `text` with the place of two bytes, and `integer`. A trivial value: whoever made it keeps the bytes in place
/// for as long as it is used.
package enum FlatValue: BitwiseCopyable {
    /// nil, or no such key
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    /// Seconds since the first of January 2001
    case date(Double)
    /// UTF-8, checked and without escapes
    case text(UnsafeBufferPointer<UInt8>)
    case list(UnsafeBufferPointer<FlatValue>)
    /// Something else: only the value itself says what.
    case opaque
}

/// A value of a record that refers to the input, for loops without reference counting and copies.
///
///     {"name": "jo", "age": 21}
///
/// gives `text` with the address of two bytes, and `integer`. A trivial value: its maker keeps the bytes alive for as
/// long as it is used.
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
    /// Any other value.
    case opaque
}

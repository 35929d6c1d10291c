/// A value that is never copied as a whole, so that the compiler reads it where it lies.
private struct Held<Value>: ~Copyable {
    private let value: Value

    @inline(__always)
    borrowing func with<Result>(_ body: (Value) -> Result) -> Result { body(value) }
}

extension UnsafePointer {
    /// Calls `body` with the value where it lies: `pointee` would copy it first, which counts references.
    @inline(__always)
    func withValue<Result>(_ body: (Pointee) -> Result) -> Result {
        // A struct of one property lies as the property does.
        UnsafeRawPointer(self).assumingMemoryBound(to: Held<Pointee>.self).pointee.with(body)
    }
}

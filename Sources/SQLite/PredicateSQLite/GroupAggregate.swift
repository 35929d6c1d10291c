internal import CPredicateSQLite

/// An aggregate over the rows of a group. SQLite keeps one object for each group.
protocol GroupAggregate: AnyObject {
    associatedtype Operation

    init(_ operation: Operation)

    /// Adds the argument of a row.
    func add(_ call: FunctionCall)

    /// Returns the result for the rows that were added.
    func finish(_ call: FunctionCall)
}

/// The functions that SQLite calls.
extension GroupAggregate {
    static func step(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ operation: Operation
    ) {
        guard let context, let arguments, let slot = slot(context, create: true) else { return }
        let kept = slot.pointee ?? Unmanaged.passRetained(Self(operation)).toOpaque()
        slot.pointee = kept
        Unmanaged<Self>.fromOpaque(kept)._withUnsafeGuaranteedRef { $0.add(FunctionCall(context, arguments)) }
    }

    /// SQLite also calls this function if the statement ends with an error.
    static func finish(_ context: OpaquePointer?, _ operation: Operation) {
        guard let context else { return }
        let slot = slot(context, create: false)
        let aggregate = slot?.pointee.map { Unmanaged<Self>.fromOpaque($0).takeRetainedValue() } ?? Self(operation)
        slot?.pointee = nil
        var arguments: OpaquePointer?
        aggregate.finish(FunctionCall(context, &arguments))
    }

    /// Returns the memory of a group, which is zero at first; nil if out of memory. A group without rows has memory only if
    /// `create` is true.
    private static func slot(_ context: OpaquePointer, create: Bool) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    {
        let size = create ? MemoryLayout<UnsafeMutableRawPointer?>.size : 0
        return sqlite3_aggregate_context(context, Int32(size))?
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }
}

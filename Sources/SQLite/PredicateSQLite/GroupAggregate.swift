internal import CPredicateSQLite

/// An aggregate over the rows of a group. SQLite keeps one object for each group.
protocol GroupAggregate: AnyObject {
    /// Adds the argument of a row.
    func add(_ call: FunctionCall)

    /// Returns the result for the rows that were added.
    func finish(_ call: FunctionCall)
}

/// The user data of an aggregate, with the functions that SQLite calls.
final class AggregateOwner: FunctionOwner {
    private let make: () -> any GroupAggregate

    init(_ settings: FunctionSettings, _ make: @escaping () -> any GroupAggregate) {
        self.make = make
        super.init(settings)
    }

    /// The object of a group.
    private final class Group {
        let aggregate: any GroupAggregate

        init(_ aggregate: any GroupAggregate) { self.aggregate = aggregate }
    }

    static func step(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let context, let arguments, let slot = slot(context, create: true) else { return }
        let kept = slot.pointee ?? Unmanaged.passRetained(Group(new(context))).toOpaque()
        slot.pointee = kept
        Unmanaged<Group>.fromOpaque(kept)._withUnsafeGuaranteedRef {
            $0.aggregate.add(FunctionCall(context, arguments))
        }
    }

    /// SQLite also calls this function if the statement ends with an error.
    static func finish(_ context: OpaquePointer?) {
        guard let context else { return }
        let slot = slot(context, create: false)
        let group = slot?.pointee.map { Unmanaged<Group>.fromOpaque($0).takeRetainedValue() }
        slot?.pointee = nil
        var arguments: OpaquePointer?
        (group?.aggregate ?? new(context)).finish(FunctionCall(context, &arguments))
    }

    private static func new(_ context: OpaquePointer) -> any GroupAggregate {
        Unmanaged<AggregateOwner>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue().make()
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

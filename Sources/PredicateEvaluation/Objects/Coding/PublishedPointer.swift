#if canImport(Darwin)
    import Foundation
#else
    import Synchronization
#endif

/// A pointer that one thread publishes and all threads read, without a lock where there are atomics.
///
/// `@unchecked`: every access to the pointer is atomic.
struct PublishedPointer: ~Copyable, @unchecked Sendable {
    #if canImport(Darwin)
        /// `@unchecked`: every access to the pointer is under the lock.
        private final class Guarded: @unchecked Sendable {
            let lock = NSLock()
            var pointer: UnsafeRawPointer?
        }

        private let guarded = Guarded()

        var pointer: UnsafeRawPointer? { guarded.lock.withLock { guarded.pointer } }

        /// Publishes a pointer in place of another; false if some other thread was first.
        func publish(_ pointer: UnsafeRawPointer, replacing expected: UnsafeRawPointer?) -> Bool {
            guarded.lock.withLock {
                guard guarded.pointer == expected else { return false }
                guarded.pointer = pointer
                return true
            }
        }
    #else
        private let atomic = Atomic<UnsafeRawPointer?>(nil)

        @inline(__always)
        var pointer: UnsafeRawPointer? { atomic.load(ordering: .acquiring) }

        /// Publishes a pointer in place of another; false if some other thread was first.
        func publish(_ pointer: UnsafeRawPointer, replacing expected: UnsafeRawPointer?) -> Bool {
            atomic.compareExchange(expected: expected, desired: pointer, ordering: .acquiringAndReleasing).exchanged
        }
    #endif
}

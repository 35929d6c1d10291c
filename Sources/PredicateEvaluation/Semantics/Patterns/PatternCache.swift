import Foundation
import PredicateSyntax

/// A cache of compiled patterns that are values of objects: `name LIKE pattern`.
///
/// Holds a bounded number; when it is full it starts anew, which keeps the common case of a few patterns quick and
/// the worst case no worse than compiling each time. Safe to use from several threads.
///
/// `@unchecked`: every access to the store is under the lock.
final class PatternCache<Compiled: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private let capacity: Int
    private var store: [ExactName: Compiled] = [:]

    init(capacity: Int = 64) {
        self.capacity = capacity
    }

    /// The cached pattern, or a newly compiled one, which is then cached.
    func value<Failure: Error>(
        for pattern: String, compile: (String) throws(Failure) -> Compiled
    ) throws(Failure) -> Compiled {
        // By code points, since two strings that Swift calls equal may be two different patterns.
        let key = ExactName(pattern)
        if let found = lock.withLock({ store[key] }) { return found }
        let compiled = try compile(pattern)
        lock.withLock {
            if store.count >= capacity { store.removeAll(keepingCapacity: true) }
            store[key] = compiled
        }
        return compiled
    }
}

import Foundation
import Observation
import PredicateSyntax

/// The closure of `withObservationTracking` that the current thread runs.
///
/// Only the getter of an `@Observable` property reports a read, and reflection cannot call getters.
enum ObservationScope {
    /// True if reads of observable properties are tracked.
    static var isTracking: Bool {
        probe.withLock { probe in
            if !probe.isTracked { return false }
            // A closure that has ended may still refer to the key path.
            probe = Probe()
            return probe.isTracked
        }
    }

    private static let probe = Locked(Probe())

    /// An object whose registrar keeps the key path of a read only while reads are tracked.
    private final class Probe: Observable {
        private let registrar = ObservationRegistrar()
        private var keyPath = (\Probe.part).appending(path: \.isRead)

        private var part: Part { Part() }

        private struct Part {
            let isRead = true
        }

        var isTracked: Bool {
            registrar.access(self, keyPath: keyPath)
            return !isKnownUniquelyReferenced(&keyPath)
        }
    }
}

#if compiler(<6.3) && (os(Linux) || os(Android))
    /// `swift::threading::fatal`. The Observation library of Swift 6.2 and earlier calls it when a mutex fails, but no library
    /// of those toolchains exports it. Without this definition no program with Observation links (swiftlang/swift#75670).
    @_cdecl("_ZN5swift9threading5fatalEPKcz")
    @usableFromInline func threadingFailed(_: UnsafePointer<CChar>) { abort() }
#endif

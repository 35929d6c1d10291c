import Synchronization

/// Holds an object that is made from a value once and that all copies of the value share.
///
/// A predicate keeps its evaluator here: the first evaluation makes it, and later ones find it with one atomic load.
///
/// `@unchecked`: only objects that are Sendable are kept.
package final class KeptObject: @unchecked Sendable {
    private let published = Atomic<Unmanaged<AnyObject>?>(nil)

    package init() {}

    deinit {
        published.load(ordering: .acquiring)?.release()
    }

    /// The object, unretained; nil until one is kept. It is never replaced.
    package var object: Unmanaged<AnyObject>? { published.load(ordering: .acquiring) }

    /// Keeps an object, unless another thread is first.
    package func keep(_ object: any AnyObject & Sendable) {
        let kept = Unmanaged<AnyObject>.passRetained(object)
        let exchange = published.compareExchange(expected: nil, desired: kept, ordering: .acquiringAndReleasing)
        if !exchange.exchanged { kept.release() }
    }
}

import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Whether Ctrl-C was pressed, and whether the terminal has changed its size, since somebody last asked.
enum Interruption {
    private static let wasInterrupted = Atomic<Bool>(false)
    private static let wasResized = Atomic<Bool>(false)

    /// From now on Ctrl-C no longer ends the process.
    static func install() {
        // What a handler touches must have been made before it runs.
        wasInterrupted.store(false, ordering: .relaxed)
        wasResized.store(false, ordering: .relaxed)
        handle(SIGINT) { _ in Interruption.wasInterrupted.store(true, ordering: .relaxed) }
        handle(SIGWINCH) { _ in Interruption.wasResized.store(true, ordering: .relaxed) }
    }

    /// Without SA_RESTART, so that waiting for a key ends.
    private static func handle(_ number: Int32, _ body: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = body
        #elseif canImport(Musl)
            action.__sa_handler.sa_handler = body
        #else
            action.__sigaction_u.__sa_handler = body
        #endif
        sigaction(number, &action, nil)
    }

    /// Whether Ctrl-C was pressed; it stays known until ``forget()``.
    static var isRequested: Bool { wasInterrupted.load(ordering: .relaxed) }

    /// Whether Ctrl-C was pressed; asking forgets it.
    static func take() -> Bool { wasInterrupted.exchange(false, ordering: .relaxed) }

    static func forget() { _ = take() }

    /// Whether the terminal has another size; asking forgets it.
    static func takeResize() -> Bool { wasResized.exchange(false, ordering: .relaxed) }
}

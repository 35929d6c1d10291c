import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Flags for Ctrl-C and for a change of the terminal's size.
enum Interruption {
    private static let wasInterrupted = Atomic<Bool>(false)
    private static let wasResized = Atomic<Bool>(false)

    /// Installs the signal handlers: Ctrl-C no longer ends the process.
    static func install() {
        // The flags must be initialized before a handler runs.
        wasInterrupted.store(false, ordering: .relaxed)
        wasResized.store(false, ordering: .relaxed)
        handle(SIGINT) { _ in Interruption.wasInterrupted.store(true, ordering: .relaxed) }
        handle(SIGWINCH) { _ in Interruption.wasResized.store(true, ordering: .relaxed) }
    }

    /// Installs a handler without SA_RESTART, so that waiting for a key is interrupted.
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

    /// True after Ctrl-C, until ``forget()``.
    static var isRequested: Bool { wasInterrupted.load(ordering: .relaxed) }

    /// Returns true after Ctrl-C, and resets the flag.
    static func take() -> Bool { wasInterrupted.exchange(false, ordering: .relaxed) }

    static func forget() { _ = take() }

    /// Returns true after a change of the terminal's size, and resets the flag.
    static func takeResize() -> Bool { wasResized.exchange(false, ordering: .relaxed) }
}

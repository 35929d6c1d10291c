#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif os(Windows)
    import WinSDK
#endif

/// The system's lock, in memory that does not move: a mutex of the C library, a lock of Windows, or nothing on WebAssembly,
/// which has no threads.
enum SystemLock {
    #if os(Windows)
        typealias Word = SRWLOCK

        static func initialize(_ word: UnsafeMutablePointer<Word>) {
            word.initialize(to: SRWLOCK())
            InitializeSRWLock(word)
        }
        static func destroy(_ word: UnsafeMutablePointer<Word>) {}
        static func lock(_ word: UnsafeMutablePointer<Word>) { AcquireSRWLockExclusive(word) }
        static func unlock(_ word: UnsafeMutablePointer<Word>) { ReleaseSRWLockExclusive(word) }
    #elseif os(WASI)
        typealias Word = Void

        static func initialize(_ word: UnsafeMutablePointer<Word>) {}
        static func destroy(_ word: UnsafeMutablePointer<Word>) {}
        static func lock(_ word: UnsafeMutablePointer<Word>) {}
        static func unlock(_ word: UnsafeMutablePointer<Word>) {}
    #else
        typealias Word = pthread_mutex_t

        static func initialize(_ word: UnsafeMutablePointer<Word>) {
            word.initialize(to: pthread_mutex_t())
            pthread_mutex_init(word, nil)
        }
        static func destroy(_ word: UnsafeMutablePointer<Word>) { pthread_mutex_destroy(word) }
        static func lock(_ word: UnsafeMutablePointer<Word>) { pthread_mutex_lock(word) }
        static func unlock(_ word: UnsafeMutablePointer<Word>) { pthread_mutex_unlock(word) }
    #endif
}

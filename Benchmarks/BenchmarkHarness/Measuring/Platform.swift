#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

func logarithm(_ value: Double) -> Double { log(value) }

func exponential(_ value: Double) -> Double { exp(value) }

/// A clock of the operating system.
public enum Clock: Sendable {
    /// The processor time of this thread: what other programs on the machine take does not count.
    case thread
    /// Time on the wall, for work that several threads share.
    case wall

    /// Nanoseconds since some moment.
    public var now: UInt64 {
        var time = timespec()
        switch self {
        case .thread: clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        case .wall: clock_gettime(CLOCK_MONOTONIC, &time)
        }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// The mean number of runnable processes in the last minute.
public var loadAverage: Double {
    var load = [0.0]
    return getloadavg(&load, 1) == 1 ? load[0] : 0
}

/// The C library and its version: `glibc 2.36`.
var libraryVersion: String {
    #if canImport(Glibc)
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress, confstr(Int32(_CS_GNU_LIBC_VERSION), start, 63) > 0 else {
                return "glibc"
            }
            return String(cString: start)
        }
    #else
        "another C library"
    #endif
}

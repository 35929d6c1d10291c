import Foundation

/// Processor time of this thread: unlike the time of day it does not depend on what else the machine does.
struct ProcessorWatch {
    /// Seconds that one input may take; code that is not optimized and counts its lines takes several times as long.
    #if DEBUG
        static let limit = 5.0
    #else
        static let limit = 1.0
    #endif
    private let start = ProcessorWatch.now

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func check() throws(FuzzFinding) {
        let seconds = Self.now - start
        try FuzzFinding.unless(seconds < Self.limit, "took \(seconds) seconds of processor time")
    }
}

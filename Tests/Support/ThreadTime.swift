import Foundation

/// The seconds of processor time that work takes in this thread. Other threads and programs do not count.
package func threadTime(_ work: () throws -> Void) rethrows -> Double {
    let start = threadSeconds()
    try work()
    return threadSeconds() - start
}

private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

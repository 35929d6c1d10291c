import Foundation

/// The seconds of processor time that work takes in this thread. Other threads and programs do not count.
package func threadTime(_ work: () throws -> Void) rethrows -> Double {
    let start = threadSeconds()
    try work()
    return threadSeconds() - start
}

/// How many times as long work takes for eight times the size: the least of several attempts. The work is repeated for the
/// smaller size, so that both take about as long.
package func growth(_ small: () throws -> Void, _ large: () throws -> Void) rethrows -> Double {
    var (least, most) = (Double.infinity, Double.infinity)
    for _ in 0..<3 {
        least = min(least, try threadTime { for _ in 0..<4 { try small() } } / 4)
        most = min(most, try threadTime(large))
        if most < 12 * least { break }
    }
    return most / least
}

private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Which objects were made of which: pairs of primary keys, both ascending, in runs of neighbours.
///
/// Objects that are read in the order of their keys and made one after another are one run, whatever their number; in the worst
/// case a pair takes 24 bytes.
struct KeyRuns: Sendable {
    /// `count` keys from `source` on, of which those from `made` on were made.
    private struct Run: Sendable {
        let source: Int64
        let made: Int64
        var count: Int64
    }

    private var runs: [Run] = []

    /// The number of pairs.
    var count: Int64 { runs.reduce(0) { $0 + $1.count } }

    /// Adds a pair, whose keys are both above those that were added before.
    mutating func add(source: Int64, made: Int64) {
        if let last = runs.last, source == last.source + last.count, made == last.made + last.count {
            runs[runs.count - 1].count += 1
        } else {
            runs.append(Run(source: source, made: made, count: 1))
        }
    }

    /// The key of what was made of an object.
    func made(of source: Int64) -> Int64? { counterpart(of: source, \.source, \.made) }

    /// The key of the object of which another was made.
    func source(of made: Int64) -> Int64? { counterpart(of: made, \.made, \.source) }

    private func counterpart(of key: Int64, _ from: (Run) -> Int64, _ to: (Run) -> Int64) -> Int64? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if from(runs[middle]) <= key { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let run = runs[low - 1]
        let distance = key - from(run)
        return distance < run.count ? to(run) + distance : nil
    }

    /// Runs work for all pairs in their order, some at a time.
    func forEachChunk<Failure: Error>(
        of size: Int, _ work: ([(source: Int64, made: Int64)]) throws(Failure) -> Void
    ) throws(Failure) {
        var chunk: [(source: Int64, made: Int64)] = []
        for run in runs {
            for index in 0..<run.count {
                chunk.append((run.source + index, run.made + index))
                guard chunk.count == size else { continue }
                try work(chunk)
                chunk.removeAll(keepingCapacity: true)
            }
        }
        if !chunk.isEmpty { try work(chunk) }
    }
}

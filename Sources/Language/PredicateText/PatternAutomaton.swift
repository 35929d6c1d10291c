import Synchronization

/// A regular expression that matches whole strings in linear time.
///
/// It runs on states that all strings share. A string that needs more states than are kept continues on states of its own,
/// which start over whenever there are too many.
package final class PatternAutomaton: Sendable {
    /// The result for a string.
    package enum Outcome: Sendable {
        case matches
        case fails
        /// The string is not valid UTF-8.
        case malformed
        /// More positions were visited than are allowed.
        case tooCostly
    }

    private let program: PatternProgram
    private let alphabet: PatternAlphabet
    private let shared: PatternStates
    private let idle = Mutex<[PatternStates]>([])
    private let mostEntries: Int

    /// Nil for a pattern that distinguishes too many code points. `mostEntries` bounds the memory of the states.
    package init?(_ program: PatternProgram, mostEntries: Int = 1 << 16) {
        guard let alphabet = PatternAlphabet(program) else { return nil }
        (self.program, self.alphabet, self.mostEntries) = (program, alphabet, mostEntries)
        shared = PatternStates(program, alphabet, atMost: mostEntries)
    }

    /// The ASCII characters that may begin a matching string, one bit for each.
    package var beginnings: SIMD2<UInt64> {
        var (bits, work) = (SIMD2<UInt64>(), 0)
        for byte in 0..<128 {
            let entry = shared.entry(shared.start, Int(alphabet.direct[byte]), &work)
            if entry != PatternStates.fails { bits[byte / 64] |= 1 << UInt64(byte % 64) }
        }
        return bits
    }

    /// Returns whether the pattern matches the whole string.
    package func outcome(of text: String, _ work: inout Int, atMost most: Int) -> Outcome {
        text.withText(.none) { outcome(of: $0.bytes, &work, atMost: most) }
    }

    /// Returns whether the pattern matches the whole string. Adds to `work` the number of positions visited while making
    /// states; `work` must not exceed `most`.
    package func outcome(of text: UnsafeBufferPointer<UInt8>, _ work: inout Int, atMost most: Int) -> Outcome {
        var scan = PatternScan(text: text, row: shared.start)
        if let outcome = run(&scan, shared, &work, most) { return outcome }
        return finish(&scan, &work, most)
    }

    /// Continues on states that no other string uses.
    @inline(never)
    private func finish(_ scan: inout PatternScan, _ work: inout Int, _ most: Int) -> Outcome {
        let own = idle.withLock { $0.popLast() } ?? PatternStates(program, alphabet, atMost: mostEntries)
        defer { idle.withLock { $0.append(own) } }
        scan.row = own.restart(with: shared.state(scan.row))
        while true {
            if let outcome = run(&scan, own, &work, most) { return outcome }
            scan.row = own.restart(with: own.state(scan.row))
        }
    }

    /// Runs to the end of the string; returns nil when there is no room for the next state.
    private func run(_ scan: inout PatternScan, _ states: PatternStates, _ work: inout Int, _ most: Int) -> Outcome? {
        alphabet.direct.withUnsafeBufferPointer { direct in
            var (table, next, row) = (states.table, scan.next, scan.row)
            let text = scan.text
            while true {
                let place = next
                let column: Int
                if next >= text.count {
                    column = states.endColumn
                } else if text[next] < 0x80 {
                    column = Int(direct[Int(text[next])])
                    next &+= 1
                } else {
                    guard let value = Self.codePoint(text, &next) else { return .malformed }
                    column = value < PatternAlphabet.directCount ? Int(direct[Int(value)]) : alphabet.find(value)
                }
                var entry = table[Int(row) &+ column].load(ordering: .relaxed)
                if entry == PatternStates.unknown {
                    guard let added = states.entry(row, column, &work) else {
                        scan = PatternScan(text: text, next: place, row: row)
                        return nil
                    }
                    if work > most { return .tooCostly }
                    (entry, table) = (added, states.table)
                }
                // All but rows: results, and the row of a state with a loop.
                if entry &- PatternStates.firstRow >= PatternStates.loops &- PatternStates.firstRow {
                    if entry == PatternStates.fails { return .fails }
                    if entry == PatternStates.matches { return .matches }
                    if text.count &- next >= PatternLoop.step {
                        next = states.loop(of: row, in: table).end(in: text, from: next)
                    }
                    continue
                }
                row = entry
            }
        }
    }

    /// Reads a code point beyond ASCII; nil for malformed UTF-8.
    @inline(__always)
    private static func codePoint(_ text: UnsafeBufferPointer<UInt8>, _ next: inout Int) -> UInt32? {
        let lead = text[next]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard lead >= 0xC2, lead < 0xF5, next &+ length <= text.count else { return nil }
        var value = UInt32(lead) & (0x7F &>> UInt32(truncatingIfNeeded: length))
        for offset in 1..<length {
            let byte = text[next &+ offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value &<< 6 | UInt32(byte & 0x3F)
        }
        switch length {
        case 2: break
        case 3: guard value >= 0x800, value & ~0x7FF != 0xD800 else { return nil }
        default: guard value >= 0x10000, value <= 0x10FFFF else { return nil }
        }
        next &+= length
        return value
    }
}

/// The place in a string that is being matched, and its state.
private struct PatternScan {
    let text: UnsafeBufferPointer<UInt8>
    var next = 0
    var row: PatternStates.Entry
}

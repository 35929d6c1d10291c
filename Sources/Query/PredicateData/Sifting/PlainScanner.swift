import PredicateJSON
import PredicateSyntax

/// Puts each line of text into the only slot.
struct PlainScanner: SiftingScanner {
    private let text: UnsafeBufferPointer<UInt8>
    private let slots: UnsafeMutablePointer<FlatValue>
    /// True if all lines are UTF-8, so that none has to be checked.
    private let isUTF8: Bool

    init(_ memory: SieveMemory, _ text: UnsafeBufferPointer<UInt8>) {
        (slots, self.text) = (memory.slots, text)
        isUTF8 = UTF8Validation.firstFault(in: text, 0..<text.count) == nil
    }

    /// Returns true if some lines are UTF-8.
    func areUTF8(_ lines: Range<Int>) -> Bool { isUTF8 || UTF8Validation.firstFault(in: text, lines) == nil }

    /// Returns the line feed of the line at a pointer if the line is UTF-8.
    @inline(__always)
    func line(_ start: UnsafePointer<UInt8>, _ holdsLineEnds: inout Bool) -> UnsafePointer<UInt8>? {
        guard let lineFeed = lineFeed(after: start) else { return nil }
        let textEnd = lineFeed > start && lineFeed[-1] == Byte.carriageReturn ? lineFeed - 1 : lineFeed
        let line = UnsafeBufferPointer(start: start, count: textEnd - start)
        guard isUTF8 || UTF8Validation.firstFault(in: line, 0..<line.count) == nil else { return nil }
        slots[0] = .text(line)
        return lineFeed
    }

    func lineFeed(after start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard let first = text.baseAddress else { return nil }
        return text.firstIndex(of: Byte.lineFeed, from: start - first).map { first + $0 }
    }

    func isSkipped(_ text: UnsafeBufferPointer<UInt8>) -> Bool { false }
}

import PredicateJSON
import PredicateSyntax

/// Puts each line of text into the only slot.
struct PlainScanner: SiftingScanner {
    private let end: UnsafePointer<UInt8>
    private let slots: UnsafeMutablePointer<FlatValue>

    init(_ memory: SieveMemory, end: UnsafePointer<UInt8>) {
        (slots, self.end) = (memory.slots, end)
    }

    /// Returns the line feed of the line at a pointer if the line is UTF-8.
    @inline(__always)
    func line(_ start: UnsafePointer<UInt8>, _ holdsLineEnds: inout Bool) -> UnsafePointer<UInt8>? {
        guard let lineFeed = lineFeed(after: start) else { return nil }
        let textEnd = lineFeed > start && lineFeed[-1] == Byte.carriageReturn ? lineFeed - 1 : lineFeed
        let text = UnsafeBufferPointer(start: start, count: textEnd - start)
        guard UTF8Validation.firstFault(in: text, 0..<text.count) == nil else { return nil }
        slots[0] = .text(text)
        return lineFeed
    }

    func lineFeed(after start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        let rest = UnsafeBufferPointer(start: start, count: end - start)
        return rest.firstIndex(of: Byte.lineFeed, from: 0).map { start + $0 }
    }

    func isSkipped(_ text: UnsafeBufferPointer<UInt8>) -> Bool { false }
}

/// Memory that lasts as long as its owner: what lies in it is read by pointer, and no references are counted.
///
/// Filled while its owner is made, and only read from then on.
final class Arena: @unchecked Sendable {
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A copy of plain values, of which none owns memory.
    func keep<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        copy.initialize(from: elements, count: elements.count)
        blocks.append(UnsafeMutableRawPointer(copy))
        return copy
    }

    func keep(text: [UInt8]) -> KeptText {
        KeptText(start: keep(text + [UInt8](repeating: 0, count: KeptText.step)), count: text.count)
    }
}

/// A piece of text that an ``Arena`` keeps.
struct KeptText: @unchecked Sendable {
    /// Pieces are copied so many bytes at a time: there is as much memory behind each.
    static let step = 16

    let start: UnsafePointer<UInt8>
    let count: Int

    fileprivate init(start: UnsafeMutablePointer<UInt8>, count: Int) {
        self.start = UnsafePointer(start)
        self.count = count
    }

    private init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        self.start = start
        self.count = count
    }

    /// A part of the piece.
    @inline(__always)
    subscript(_ part: Range<Int>) -> KeptText { KeptText(start + part.lowerBound, part.count) }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}

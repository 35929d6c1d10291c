/// Memory that lasts as long as its owner: what lies in it is read by pointer, and no references are counted.
///
/// Filled while its owner is made, and only read from then on.
package final class Arena: @unchecked Sendable {
    private var blocks: [UnsafeMutableRawPointer] = []

    package init() {}

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A copy of trivial values, which own no memory.
    func keep<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        copy.initialize(from: elements, count: elements.count)
        blocks.append(UnsafeMutableRawPointer(copy))
        return copy
    }

    /// A copy of bytes.
    func keep(text: [UInt8]) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: keep(text), count: text.count)
    }
}

/// A source that calls a function before each read, and counts the bytes for the progress of a file.
package final class AnnouncingSource: ByteSource {
    private let base: any ByteSource
    private let willRead: () throws(DataError) -> Void
    private let didRead: (Int) -> Void
    private var count = 0

    package init(
        _ base: any ByteSource, willRead: @escaping () throws(DataError) -> Void, didRead: @escaping (Int) -> Void
    ) {
        (self.base, self.willRead, self.didRead) = (base, willRead, didRead)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        try willRead()
        let length = try base.read(into: buffer)
        count += length
        didRead(count)
        return length
    }

    package var canRestart: Bool { base.canRestart }

    package func restart() throws(DataError) {
        try base.restart()
        count = 0
    }
}

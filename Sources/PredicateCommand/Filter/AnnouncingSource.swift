import PredicateData

/// A source that calls a function before each read.
final class AnnouncingSource: ByteSource {
    private let base: any ByteSource
    private let willRead: () throws(DataError) -> Void

    init(_ base: any ByteSource, willRead: @escaping () throws(DataError) -> Void) {
        self.base = base
        self.willRead = willRead
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        try willRead()
        return try base.read(into: buffer)
    }

    var canRestart: Bool { base.canRestart }

    func restart() throws(DataError) { try base.restart() }
}

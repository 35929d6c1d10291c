import PredicateData
import PredicateStore

/// A file that is open for reading.
package struct OpenedFile {
    package var source: any ByteSource
    /// In bytes; nil for a pipe.
    package var size: Int?

    package init(source: any ByteSource, size: Int? = nil) {
        self.source = source
        self.size = size
    }

    /// Returns true if the file is a SQLite database, by its header. Nothing is read from a pipe, since it could not be
    /// read again.
    package func isDatabase() throws(DataError) -> Bool {
        guard size != nil else { return false }
        var bytes = [UInt8](repeating: 0, count: SQLiteHeader.count)
        let count = try source.read(into: &bytes)
        return SQLiteHeader.begins(bytes.prefix(count))
    }
}

/// The access of a session to files, progress and cancellation, which tests replace.
package struct SessionEnvironment {
    /// Opens a file of data for reading.
    package var open: (_ path: String) throws(DataError) -> OpenedFile
    /// Creates a file. Returns false if it exists.
    package var create: (_ path: String, _ text: String) throws(DataError) -> Bool
    /// Shows the progress of a long task.
    package var progress: (Progress) -> Void
    /// Removes the progress display.
    package var finishProgress: () -> Void
    /// Returns true if the user has cancelled the current task.
    package var isCancelled: @Sendable () -> Bool

    package init(
        open: @escaping (String) throws(DataError) -> OpenedFile = { (path) throws(DataError) in
            throw DataError(.openFailed(path: path, errno: 2))
        },
        create: @escaping (String, String) throws(DataError) -> Bool = { (_, _) throws(DataError) in false },
        progress: @escaping (Progress) -> Void = { _ in }, finishProgress: @escaping () -> Void = {},
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.open = open
        self.create = create
        self.progress = progress
        self.finishProgress = finishProgress
        self.isCancelled = isCancelled
    }
}

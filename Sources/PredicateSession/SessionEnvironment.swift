import PredicateData

/// A file that is open for reading.
package struct OpenedFile {
    package var source: any ByteSource
    /// In bytes; nil for a pipe.
    package var size: Int?

    package init(source: any ByteSource, size: Int? = nil) {
        self.source = source
        self.size = size
    }
}

/// What a session reaches of the world outside: all of it, so that tests can put another one in its place.
package struct SessionEnvironment {
    /// Opens a file of data for reading.
    package var open: (_ path: String) throws(DataError) -> OpenedFile
    /// Writes a file that is not there yet. False: there is one of that name.
    package var create: (_ path: String, _ text: String) throws(DataError) -> Bool
    /// Shows how far a long piece of work has come.
    package var progress: (Progress) -> Void
    /// Takes what shows the progress away.
    package var finishProgress: () -> Void
    /// Whether the user wants the work under way to end.
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

import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

/// An open file in the temporary directory.
///
/// On POSIX systems it is unlinked as soon as it is open, so it does not outlive the process, however the process ends.
/// Elsewhere it is removed with this object.
final class SpillFile {
    let handle: FileHandle

    #if os(Windows) || os(WASI)
        private let url: URL

        init() throws {
            url = URL(fileURLWithPath: NSTemporaryDirectory() + "/predicate-sort-" + UUID().uuidString)
            try Data().write(to: url, options: .withoutOverwriting)
            handle = try FileHandle(forUpdating: url)
        }

        deinit {
            try? handle.close()
            try? FileManager.default.removeItem(at: url)
        }
    #else
        init() throws {
            var path = Array((NSTemporaryDirectory() + "/predicate-sort-XXXXXX").utf8CString)
            let descriptor = mkstemp(&path)
            if descriptor < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            unlink(path)
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
    #endif
}

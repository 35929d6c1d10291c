import Foundation

/// Writes models and mapping models, which are files or folders of files.
package enum ModelFiles {
    /// Writes a new folder of files with their paths in it, or one file with an empty path. It has its name when it is
    /// complete.
    ///
    /// Throws `fileExists`, and `file` as on a full disk.
    package static func write(_ files: [(path: String, bytes: [UInt8])], to path: String) throws(CoreDataError) {
        let url = URL(fileURLWithPath: path)
        let parent = url.deletingLastPathComponent().path
        try makeFolder(parent, path)
        let new = try NewFile(url.path)
        try new.write { () throws(CoreDataError) in
            for file in files {
                let name = file.path.isEmpty ? new.temporary : "\(new.temporary)/\(file.path)"
                if !file.path.isEmpty {
                    try makeFolder(URL(fileURLWithPath: name).deletingLastPathComponent().path, path)
                }
                try OutputFile(name, named: path).write { (output) throws(CoreDataError) in
                    output.bytes += file.bytes
                }
            }
        }
    }

    private static func makeFolder(_ folder: String, _ path: String) throws(CoreDataError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CoreDataError(.file(path, reason: (error as NSError).localizedDescription))
        }
    }
}

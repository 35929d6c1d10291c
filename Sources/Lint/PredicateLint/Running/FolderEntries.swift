import Foundation

/// The entries of a folder with their types, which most file systems provide without an additional call.
enum FolderEntries {
    enum FileType {
        case file
        case directory
    }

    struct Entry {
        var name: String
        /// Nil for anything other than files and directories. A link to a directory is not followed.
        var type: FileType?
    }

    /// The entries sorted by name, without those for which `skips` returns true; nil if the folder cannot be read.
    static func all(in folder: String, skipping skips: (String) -> Bool) -> [Entry]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let next = readdir(stream) {
            let name = name(of: next)
            guard name != ".", name != "..", !skips(name) else { continue }
            entries.append(Entry(name: name, type: type(next.pointee.d_type, path(name, in: folder))))
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// The path of an entry; in the current directory, this is only its name.
    static func path(_ name: String, in folder: String) -> String {
        folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func type(_ type: UInt8, _ path: @autoclosure () -> String) -> FileType? {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .directory
        case Int(DT_LNK), Int(DT_UNKNOWN): self.type(of: path())
        default: nil
        }
    }

    private static func type(of path: String) -> FileType? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file
        case S_IFLNK: return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? .file : nil
        default: return nil
        }
    }
}

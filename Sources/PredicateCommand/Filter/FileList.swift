import Foundation
import PredicateData

/// The files of a command line: those that are named, and for a directory all files of data below it.
enum FileList {
    /// Returns the files; `-` is standard input. Hidden files and those with other extensions than JSON, JSON Lines, CSV
    /// and TSV have, before that of a compression, are left out of directories. Throws for a directory without files.
    static func expanded(_ names: [String]) throws(CommandFailure) -> [String] {
        var files: [String] = []
        for name in names {
            guard name != "-", isDirectory(name) else {
                files.append(name)
                continue
            }
            let found = Self.files(below: name, depth: 0)
            if found.isEmpty {
                let hint = "names end in .json, .jsonl, .ndjson, .csv or .tsv, and .gz or .zst after that"
                throw .message("\(name): there are no files of data in this directory", hints: [hint])
            }
            files += found
        }
        return files
    }

    private static let maximumDepth = 64

    private static func files(below directory: String, depth: Int) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name in
            let path = directory.hasSuffix("/") ? directory + name : directory + "/" + name
            if isDirectory(path, followsLinks: false) {
                return depth < maximumDepth ? files(below: path, depth: depth + 1) : []
            }
            return DataFormat(fileName: name) != nil ? [path] : []
        }
    }

    private static func isDirectory(_ path: String, followsLinks: Bool = true) -> Bool {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}

import Foundation

/// Bytes and names of files, with the errors of models.
enum FileBytes {
    enum Kind { case file, directory }

    static func kind(of path: String) -> Kind? {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
        return isDirectory.boolValue ? .directory : .file
    }

    static func read(_ path: String, limits: ModelLimits) throws(ModelError) -> [UInt8] {
        let place = ModelPlace(file: path)
        guard kind(of: path) != nil else { throw ModelError(.noSuchFile, at: place) }
        let handle: FileHandle
        let data: Data?
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            data = try handle.read(upToCount: limits.fileSize + 1)
        } catch {
            throw ModelError(.unreadable((error as NSError).localizedDescription), at: place)
        }
        guard (data?.count ?? 0) <= limits.fileSize else {
            throw ModelError(.exceeds(.fileSize, limit: limits.fileSize), at: place)
        }
        return Array(data ?? Data())
    }

    /// The names in a folder, those that begin with a dot left out, in natural order.
    static func names(in path: String) throws(ModelError) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return names.filter { !$0.hasPrefix(".") }.sorted(by: NaturalOrder.precedes)
        } catch {
            throw ModelError(.unreadable((error as NSError).localizedDescription), at: ModelPlace(file: path))
        }
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// The last part of a path without its extension.
    static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    static func fileExtension(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? ""
    }
}

/// The order of names in which numbers count as such: `Model`, `Model 2`, `Model 10`.
enum NaturalOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        let (left, right) = (pieces(left), pieces(right))
        for (one, other) in zip(left, right) where one != other { return one < other }
        return left.count < right.count
    }

    /// A run of digits, or of other characters.
    private enum Piece: Comparable {
        case number(digits: Int, text: String)
        case text(folded: String, text: String)

        static func < (left: Piece, right: Piece) -> Bool {
            switch (left, right) {
            case (.number(let count, let text), .number(let otherCount, let other)): (count, text) < (otherCount, other)
            case (.text(let folded, let text), .text(let otherFolded, let other)):
                (folded, text) < (otherFolded, other)
            case (.number, .text): true
            case (.text, .number): false
            }
        }
    }

    private static func pieces(_ name: String) -> [Piece] {
        var found: [Piece] = []
        var rest = name[...]
        while let first = rest.first {
            let isDigit = first.isASCII && first.isNumber
            let run = rest.prefix { ($0.isASCII && $0.isNumber) == isDigit }
            rest = rest[run.endIndex...]
            let digits = String(run.drop { $0 == "0" })
            found.append(
                isDigit
                    ? .number(digits: digits.count, text: digits) : .text(folded: run.lowercased(), text: String(run)))
        }
        return found
    }
}

import Foundation

/// The parts of a callgrind profile, one for each call of a counted region.
public enum CallgrindParts {
    /// The instructions of each part in a folder, in the order in which they were written: `callgrind.out.123.1`, …
    public static func counts(in folder: String) throws -> [Double] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let parts = names.compactMap { name -> (number: Int, name: String)? in
            guard name.hasPrefix("callgrind.out."), name.split(separator: ".").count == 4 else { return nil }
            return name.split(separator: ".").last.flatMap { Int($0) }.map { ($0, name) }
        }
        return try parts.sorted { $0.number < $1.number }.map { try total(inFile: "\(folder)/\($0.name)") }
    }

    private static func total(inFile path: String) throws -> Double {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let total = lines.last { $0.hasPrefix("totals: ") } ?? lines.last { $0.hasPrefix("summary: ") }
        guard let word = total?.split(separator: " ").last, let count = Double(word) else {
            throw BenchmarkError.usage("\(path) has no total")
        }
        return count
    }
}

import Foundation
import PredicateGenerators
import PredicateLint

/// Real sources with something broken, put to lint: no trap, ranges within the source, no second of processor time.
package struct SourceMutants {
    /// Sources are at most this long, so that a second is a limit for what lint does with them.
    private static let longest = 1 << 16
    private static let words = [
        "{", "}", "(", ")", "\"", "'", "<", ">", "?.", "#Predicate<A> {", "@Model class A {", "\\(", "in ",
        "if let a = ",
        "[", "]", ".", ",", "\n", "\r", "%@", "\"\"\"", "matchingPredicate:[", "case ", "var a: ", "=", "+", "#\"",
        "/*",
        "//", "predicate:disable", "```swift\n", "</string>", "&", "\0", "\u{FEFF}", "🎈", "NSPredicate(format: \"a",
    ].map { Array($0.utf8) }

    private struct Source {
        var path: String
        var kind: SourceKind
        var bytes: [UInt8]
    }

    private let sources: [Source]
    private var random: RandomSource

    /// The sources in a folder that have something to do with predicates.
    package init(folder: String, seed: UInt64) {
        random = RandomSource(seed: seed)
        let paths = (FileManager.default.subpaths(atPath: folder) ?? []).sorted()
        sources = paths.compactMap { path in
            guard let kind = SourceKind(path: path) else { return nil }
            guard let data = FileManager.default.contents(atPath: folder + "/" + path), data.count <= Self.longest,
                data.range(of: Data("redicate".utf8)) != nil
            else { return nil }
            return Source(path: path, kind: kind, bytes: Array(data))
        }
    }

    package var count: Int { sources.count }

    /// One mutant. Throws what does not hold.
    package mutating func step() throws(FuzzFinding) {
        let source = random.one(of: sources)
        let mutant = encoded(damaged(source.bytes))
        let watch = ProcessorWatch()
        do throws(FuzzFinding) {
            try LintCheck(mutant, source.kind).run()
            try watch.check()
        } catch {
            let file = FileManager.default.temporaryDirectory.appending(path: "mutant-of-\(source.kind.rawValue)")
            try? Data(mutant).write(to: file)
            throw FuzzFinding("a mutant of \(source.path), which is in \(file.path): \(error)")
        }
    }

    /// One to six changes: bytes lost, changed or doubled, a word put in, the end cut off.
    private mutating func damaged(_ source: [UInt8]) -> [UInt8] {
        var bytes = source
        for _ in 0...random.below(6) {
            let place = random.below(bytes.count + 1)
            let end = min(bytes.count, place + random.below(30))
            switch random.below(12) {
            case 0...4: bytes.insert(contentsOf: random.one(of: Self.words), at: place)
            case 5...7: bytes.removeSubrange(place..<end)
            case 8: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 9: bytes.removeSubrange(place...)
            default: if place < bytes.count { bytes[place] = UInt8(random.below(256)) }
            }
        }
        return bytes
    }

    /// Often the bytes as they are, else in another encoding or with other line ends.
    private mutating func encoded(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        switch random.below(12) {
        case 0: return Array(text.data(using: .isoLatin1, allowLossyConversion: true) ?? Data())
        case 1: return Array(text.data(using: .utf16LittleEndian) ?? Data())
        case 2: return Array(text.data(using: .utf16) ?? Data())
        case 3: return bytes.map { $0 == 0x0A ? 0x0D : $0 }
        case 4: return [0xEF, 0xBB, 0xBF] + bytes
        case 5: return bytes.map { $0 >= 0x20 && random.oneIn(20) ? $0 | 0x80 : $0 }
        default: return bytes
        }
    }
}

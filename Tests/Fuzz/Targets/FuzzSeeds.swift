import Foundation
import PredicateAgreement
import PredicateData
import PredicateGenerators
import PredicateJSON
import PredicateSyntax

/// The first corpus of a target: the formats of the conformance data, and bytes that look random for generators.
package struct FuzzSeeds {
    private let folder: URL

    /// `folder` is the one of the conformance data, `Tests/Conformance`.
    package init(folder: String) {
        self.folder = URL(fileURLWithPath: folder)
    }

    package func write(_ name: String, to path: String) throws {
        guard let target = FuzzTarget(rawValue: name) else { return }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (number, bytes) in try inputs(of: target).enumerated() {
            try Data(bytes).write(to: URL(fileURLWithPath: path).appendingPathComponent("seed-\(number)"))
        }
    }

    package func inputs(of target: FuzzTarget) throws -> [[UInt8]] {
        switch target {
        case .parse: try formats().map { Array($0.utf8) + [0xFE, 1, 2, 3, 4, 5, 6, 7] }
        case .command: try commands()
        case .languageServer: try documents()
        case .store: [[0], [200], [0, 16, 1, 0xFF, 32, 7, 0]] + noise(lengths: [4, 16, 64], count: 40)
        case .xmlStore: XMLStoreCheck.seeds + noise(lengths: [4, 16, 64], count: 40).map { [200] + $0 }
        case .rules: rules() + noise(lengths: [16, 64, 200], count: 40)
        case .model: try models()
        case .propertyList: propertyLists() + noise(lengths: [16, 64, 200], count: 40)
        case .roundTrip, .evaluate, .agreement, .like, .fold, .archive: noise(lengths: [16, 64, 200], count: 40)
        case .lint: LintCheck.seeds(try formats())
        }
    }

    /// A set that holds a dictionary, and lists that hold the next one twice, as objects of a binary list; an XML one.
    private func propertyLists() -> [[UInt8]] {
        let objects: [[[UInt8]]] = [
            [[0xD1, 1, 2], [0x51, 0x61], [0xC1, 3], [0xD0]],
            [[0xD1, 1, 2], [0x51, 0x61]] + (3..<28).map { [0xA2, $0, $0] } + [[0xA0]],
        ]
        let text = "<?xml version=\"1.0\"?><plist><dict><key>a</key><array><integer>1</integer></array></dict></plist>"
        return objects.map { [1] + $0.joined(separator: [0xFE]) } + [[0] + Array(text.utf8)]
    }

    private func rules() -> [[UInt8]] {
        [
            "# a\nItem, name == \"a,\", due = now()\nItem, TRUEPREDICATE, DELETE",
            "Item, TRUEPREDICATE, list = FIND List(name = $source.list) OR MAKE(a = 1, b = {1, 2}) FOR $x IN {'a', 'b'}",
            "Item, a IN {1, 2}, MAKE Note(text = name)\nMESSAGE icon = 1\nMESSAGE iconFor: $a size: $b = $a + $b",
        ].map { Array($0.utf8) }
    }

    private func noise(lengths: [Int], count: Int) -> [[UInt8]] {
        var random = RandomSource(seed: 1)
        return lengths.flatMap { length in
            (0..<count).map { _ in (0..<length).map { _ in UInt8(random.below(256)) } }
        }
    }

    /// Sources of each kind with a few formats, and messages that are cut off.
    private func documents() throws -> [[UInt8]] {
        let formats = try formats()
        return stride(from: 0, to: formats.count, by: 8).enumerated().map { number, start in
            let lines = formats[start...].prefix(4)
            let text =
                switch number % 4 {
                case 0: lines.map { "NSPredicate(format: \"\($0)\", x)" }.joined(separator: "\n")
                case 1: lines.map { "[NSPredicate predicateWithFormat:@\"\($0)\", x];" }.joined(separator: "\n")
                case 2: lines.joined(separator: "\n")
                default:
                    "Content-Length: \(lines.joined().utf8.count)\r\n\r\n{\"id\": 1, \"method\": \"\(lines[start])\"}"
                }
            return [UInt8(truncatingIfNeeded: number % 4)] + Array(text.utf8)
        }
    }

    /// A few formats at a time, over records of each kind.
    private func commands() throws -> [[UInt8]] {
        let files = [
            "[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2.5, \"b\": null}]",
            "{\"a\": 1, \"tags\": [\"x\"]}\n{\"a\": {\"b\": []}}\n",
            "a,b\n1,\"x\"\"y\"\n2,\n", "a\tb\n1\tx\n",
        ]
        let formats = try formats()
        return databases()
            + stride(from: 0, to: formats.count, by: 6).enumerated().map { number, start in
                let lines = formats[start...].prefix(6) + [":explain", ":keys", ":sql", ":check"]
                let file = files[number % files.count]
                return [UInt8(truncatingIfNeeded: number)] + Array(lines.joined(separator: "\n").utf8) + [0xFE]
                    + file.utf8
            }
    }

    /// Predicates about the tables of the databases that ``CommandCheck`` opens.
    private func databases() -> [[UInt8]] {
        (0..<UInt8(8)).map { number in
            let choices = CommandCheck.opensDatabase | number
            let world = CommandCheck.world(choices)
            var predicates = PredicateGenerator(random: RandomSource(seed: UInt64(number)), world: world)
            let lines = world.entityNames.flatMap { name in
                [":table \(name)", predicates.predicate(about: name).predicateFormat, ":sql", ":explain"]
            }
            return [choices] + Array(lines.joined(separator: "\n").utf8)
        }
    }

    /// Model files with a format each, as predicate, derivation and condition of an index.
    private func models() throws -> [[UInt8]] {
        let head = "<model><entity name=\"A\" parentEntity=\"B\"><attribute name=\"a\" attributeType=\"Integer 16\" "
        let tail =
            "</entity><entity name=\"B\"><relationship name=\"b\" toMany=\"YES\" destinationEntity=\"A\"/></entity>"
        return try formats().map { format in
            let text = format.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
            let index = "<fetchIndex name=\"i\" partialIndexPredicate=\"\(text)\"/>"
            let request = "<fetchRequest name=\"f\" entity=\"A\" predicateString=\"\(text)\"/>"
            return Array("\(head)derivationExpression=\"\(text)\"/>\(index)\(tail)\(request)</model>".utf8)
        }
    }

    // MARK: - Formats

    /// Every format of the conformance data, once.
    package func formats() throws -> [String] {
        let facts = try files("Facts", ending: "jsonl").flatMap { text in
            text.split(separator: "\n").compactMap { Self.format(inFact: String($0)) }
        }
        let cases = try files("Cases", ending: "cases").flatMap { text in
            text.split(separator: "\n").compactMap { line in
                line.hasPrefix("format ") ? line.dropFirst("format ".count).trimmingCharacters(in: .whitespaces) : nil
            }
        }
        return Array(Set(facts + cases)).sorted()
    }

    private func files(_ name: String, ending: String) throws -> [String] {
        let path = folder.appendingPathComponent(name)
        return try FileManager.default.contentsOfDirectory(atPath: path.path).sorted()
            .filter { $0.hasSuffix("." + ending) }
            .map { try String(contentsOf: path.appendingPathComponent($0), encoding: .utf8) }
    }

    private static func format(inFact line: String) -> String? {
        guard case .dictionary(let fact)? = try? JSONReader.parse(line), case .string(let format)? = fact["format"]
        else { return nil }
        return format
    }
}

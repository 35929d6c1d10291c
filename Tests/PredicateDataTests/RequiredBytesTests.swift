import Testing

@testable import PredicateData

/// Lines that contain one string of each list.
@Suite struct RequiredBytesTests {
    private static let words = [
        "reset", "retry", "lost", "failed", "a", "e", "ab", "\u{1F600}", "é", "tt", "ttt", "r", "\0",
    ]

    /// The lines of a text that are found, read without the search.
    private func expected(_ lists: [[String]], _ lines: [String]) -> [String] {
        lines.filter { line in
            lists.allSatisfy { list in list.contains { Array(line.utf8).contains(slice: Array($0.utf8)) } }
        }
    }

    /// The search, without a beginning of the input that could show how frequent the lists are.
    private func required(_ lists: [[String]]) -> RequiredBytes? {
        RequiredBytes(lists, beginning: UnsafeBufferPointer(start: nil, count: 0))
    }

    private func found(_ lists: [[String]], _ lines: [String]) throws -> [String] {
        let required = try #require(self.required(lists))
        let text: [UInt8] = lines.flatMap { Array($0.utf8) + [0x0A] }
        let padded = text + [UInt8](repeating: 0x72, count: 16)
        return padded.withUnsafeBufferPointer { bytes in
            let bytes = UnsafeBufferPointer(rebasing: bytes[..<text.count])
            var (found, start): ([String], Int) = ([], 0)
            while let line = required.line(in: bytes, from: start) {
                found.append(String(decoding: bytes[line.lowerBound..<line.upperBound - 1], as: UTF8.self))
                start = line.upperBound
            }
            return found
        }
    }

    @Test func sameAsReadingEveryLine() throws {
        var numbers = SystemNumbers(state: 3)
        var count = 0
        for _ in 0..<2_000 {
            let lists = (0..<1 + numbers.below(2)).map { _ in
                (0..<1 + numbers.below(4)).map { _ in Self.words[numbers.below(Self.words.count)] }
            }
            let lines = (0..<numbers.below(6)).map { _ in
                (0..<numbers.below(8)).map { _ in
                    let word = Self.words[numbers.below(Self.words.count)]
                    let filler = String(repeating: "-", count: numbers.below(4) == 0 ? numbers.below(200) : 0)
                    let isCut = numbers.below(3) == 0
                    return filler + (isCut ? String(word.dropLast()) : word + ["", " ", "xy"][numbers.below(3)])
                }.joined()
            }
            let expected = expected(lists, lines)
            #expect(try found(lists, lines) == expected, "\(lists) in \(lines)")
            count += expected.count
        }
        #expect(count > 1_000)
    }

    /// The list that is rarest at the beginning of the input is searched for first.
    @Test func theBeginningShowsWhatIsFrequent() throws {
        let lines = (0..<20).map { "id=\($0)\($0 == 7 ? " x77" : "")\n" }.joined() + "id=77 without a line feed"
        let bytes = Array(lines.utf8) + [UInt8](repeating: 0, count: 16)
        func required(_ lists: [[String]]) -> RequiredBytes? {
            bytes.withUnsafeBufferPointer { bytes in
                RequiredBytes(lists, beginning: UnsafeBufferPointer(rebasing: bytes.dropLast(16)))
            }
        }
        #expect(required([["id="]]) != nil)
        let lists = required([["id="], ["77", "none"]])?.lists.map(\.strings)
        #expect(lists == [[Array("77".utf8), Array("none".utf8)], [Array("id=".utf8)]])
        // However many lists there are, all of them are required, and only some are counted.
        #expect(required(Array(repeating: ["ab"], count: 20_000))?.lists.count == 20_000)
        #expect(required([["none"]]) != nil)
    }

    /// A list with a string that no line contains, or with none, is left out.
    @Test func listsThatCannotBeSearchedFor() throws {
        for lists in [[], [[]], [[""]], [["a", ""]], [["a\nb"]], [["\r"]], [(0..<9).map { "a\($0)" }]] {
            #expect(required(lists) == nil, "\(lists)")
        }
        #expect(try found([["a\n"], ["b"]], ["a", "b", "ab"]) == ["b", "ab"])
    }
}

/// Numbers that are the same in every run.
private struct SystemNumbers {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}

extension [UInt8] {
    fileprivate func contains(slice: [UInt8]) -> Bool {
        slice.count <= count && (0...count - slice.count).contains { Array(self[$0..<$0 + slice.count]) == slice }
    }
}

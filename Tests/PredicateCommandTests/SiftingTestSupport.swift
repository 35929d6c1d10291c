/// A generator of random lines of JSON, with all sorts of unusual constructs.
struct LineMaker {
    private var random: any RandomNumberGenerator

    init(seed: UInt64) {
        random = Seeded(state: seed &* 2 &+ 1)
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state &* 0x2545_F491_4F6C_DD1D
        }
    }

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    private mutating func happens(_ times: Int, in count: Int) -> Bool { below(count) < times }

    /// Returns some lines with their line ends.
    mutating func lines(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in 0..<count {
            bytes += line()
            if number + 1 < count || happens(2, in: 3) { bytes += happens(1, in: 6) ? [13, 10] : [10] }
        }
        return bytes
    }

    private mutating func line() -> [UInt8] {
        if happens(1, in: 15) { return Array(pick(["", " ", "\t ", "\r", "3", "[1]", "null", "{}", " {} "]).utf8) }
        var bytes = Array((gap() + record() + gap()).utf8)
        if happens(1, in: 5) { damage(&bytes) }
        return bytes
    }

    /// Returns a header and some rows with their line ends.
    mutating func rows(_ count: Int, isCommaSeparated: Bool) -> [UInt8] {
        let columns = happens(1, in: 10) ? ["age"] : Self.usual.filter { _ in happens(9, in: 10) } + ["é"]
        let delimiter = isCommaSeparated ? "," : "\t"
        var bytes = Array((columns.joined(separator: delimiter) + "\n").utf8)
        for number in 0..<count {
            let fields = columns.map { field($0, mayBeQuoted: isCommaSeparated) }
            var row = happens(1, in: 20) ? [] : Array(fields.joined(separator: delimiter).utf8)
            if happens(1, in: 6), !row.isEmpty { damage(&row) }
            bytes += row
            if number + 1 < count || happens(2, in: 3) { bytes += happens(1, in: 6) ? [13, 10] : [10] }
        }
        return bytes
    }

    private mutating func field(_ column: String, mayBeQuoted: Bool) -> String {
        let text: String
        switch column {
        case "age", "score": text = number()
        case "active": text = pick(["true", "FALSE", "yes", "0", "t", ""])
        case "created": text = pick(["2020-01-01T00:00:00Z", "2024-05-06", "", "soon"])
        default: text = pick(["John Smith", "Jo", "José García", "Ann", "", "swift", "Sales", " x ", "1e2x", "null"])
        }
        guard mayBeQuoted, happens(1, in: 5) else { return text }
        return pick(["\"\(text)\"", "\"\(text),\(text)\"", "\"\(text)\n\"", "\"a\"\"\(text)\"", "\"\r\n\""])
    }

    /// Removes, doubles or replaces one byte.
    private mutating func damage(_ bytes: inout [UInt8]) {
        let place = below(bytes.count)
        switch below(4) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(bytes[place], at: place)
        case 2: bytes[place] = pick([0xFF, 0xC0, 0x80, 0xED, 0x00, 0x1F])
        default: bytes[place] = pick(Array("\"\\{}[],:0-.e \tnt\r\n".utf8))
        }
    }

    private mutating func gap() -> String {
        happens(1, in: 6) ? pick([" ", "  ", "\t", "\r", " \t"]) : ""
    }

    private static let usual = ["name", "age", "email", "score", "tags", "active", "created", "dept"]
    private static let keys = usual + ["note", "é", "e\u{301}", "a key that is longer than others", "", "na\\u006de"]

    private mutating func record() -> String {
        if happens(2, in: 3) { return object(Self.usual.filter { _ in happens(9, in: 10) }) }
        return object((0..<below(7)).map { _ in pick(Self.keys) })
    }

    private mutating func object(_ keys: [String]) -> String {
        let members = keys.map { key in
            "\"\(key)\"" + gap() + ":" + (happens(1, in: 2) ? " " : gap()) + value(of: key)
        }
        return "{" + gap() + members.joined(separator: gap() + "," + gap()) + gap() + "}"
    }

    /// Returns mostly a typical value of the key, sometimes any value.
    private mutating func value(of key: String) -> String {
        if happens(1, in: 8) { return value(depth: 0) }
        switch key {
        case "name": return pick(["\"John Smith\"", "\"Jo\"", "\"José García\"", "\"Ann\"", text()])
        case "age", "score": return number()
        case "email": return pick(["\"jo@example.com\"", "\"al@b.org\"", "\"al@B.ORG\""])
        case "tags": return list(["\"swift\"", "\"sql\"", "\"server\"", text(), number()])
        case "active": return pick(["true", "false", "null", "1"])
        case "created": return pick(["\"2020-01-01T00:00:00Z\"", "\"2024-05-06\"", "\"\"", "\"soon\"", "5"])
        case "dept": return department()
        default: return value(depth: 0)
        }
    }

    private mutating func department() -> String {
        let keys = (0..<below(4)).map { _ in pick(["name", "head", "n\u{212A}", "NAME", "name"]) }
        let members = keys.map { key in
            let head = happens(1, in: 2) ? "{\"name\": \"Ann\"}" : value(depth: 1)
            return "\"\(key)\":" + gap() + (key == "head" ? head : pick(["\"Sales\"", "\"Legal\"", "null", number()]))
        }
        return happens(1, in: 8) ? pick(["null", "[]", "7"]) : "{" + members.joined(separator: ",") + "}"
    }

    private mutating func list(_ elements: [String]) -> String {
        "[" + gap() + (0..<below(5)).map { _ in pick(elements) }.joined(separator: gap() + ",") + "]"
    }

    private mutating func value(depth: Int) -> String {
        switch below(depth > 2 ? 5 : 8) {
        case 0: number()
        case 1, 2: text()
        case 3: pick(["true", "false", "null", "True", "nul"])
        case 4: pick(["\"x\"", "\"\""])
        case 5: "[" + (0..<below(3)).map { _ in value(depth: depth + 1) }.joined(separator: ", ") + "]"
        case 6:
            "{" + (0..<below(3)).map { "\"k\($0)\": " + value(depth: depth + 1) }.joined(separator: ",") + "}"
        default: String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        }
    }

    private mutating func number() -> String {
        if happens(1, in: 2) { return String(below(100)) }
        return pick([
            "0", "-0", "-0.0", "22", "21.0", "21.00000000000000000001", "1e2", "1E+2", "2.5e-1", "1e999", "-1e400",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "123456789012345678",
            "1234567890123456789012345678901234567890123456789", "0.1234567890123456789", "12.345678901234", "01", "1.",
            ".5", "-", "+1", "1e", "0x10", "NaN", "50.5", "49.999",
        ])
    }

    private mutating func text() -> String {
        "\""
            + pick([
                "a\\nb", "a\\\"b", "\\\\", "\\u0041nn", "\\ud83d\\ude00", "\\ud83d", "\\udc00x", "\\x", "tab\tin",
                "über", "日本語のとても長い文字列です", "e\u{301}", "plain text that is longer than sixteen", "J\\u006f", "",
                "\\u00e9", "J\u{F6}hn S", "\\/", "swift",
            ]) + "\""
    }
}

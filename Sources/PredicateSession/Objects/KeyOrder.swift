/// The keys of a JSON object in source order, which a dictionary does not keep.
enum KeyOrder {
    /// Returns the keys of the outermost object, except keys with escapes; empty for other values.
    static func keys(ofJSON bytes: [UInt8]) -> [String] {
        var keys: [String] = []
        var depth = 0
        var index = 0
        var lastString = 0..<0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let end = stringEnd(bytes, from: index + 1)
                lastString = index + 1..<end
                index = end
            case UInt8(ascii: ":") where depth == 1: keys.append(String(decoding: bytes[lastString], as: UTF8.self))
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        return keys.filter { !$0.contains("\\") }
    }

    private static func stringEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }
}

/// The cases of an enum that does not list them itself, found by its memory layout.
///
/// A case of an enum without payloads is stored as its number, from 0 on, and nil of the optional as the first number that no case
/// has. Enums that differ, as those of C do, have no list.
enum EnumCases {
    /// All cases; nil where the layout does not tell.
    static func all<Value: RawRepresentable>(of type: Value.Type) -> [Value]? {
        guard isEnum(type) else { return nil }
        if let type = type as? any CaseIterable.Type { return list(of: type) }
        guard let count = count(of: type) else { return nil }
        var cases: [Value] = []
        for number in 0..<count { cases.append(stored(as: number)) }
        return cases.allSatisfy({ isItself($0) }) ? cases : nil
    }

    /// The case of a number.
    private static func stored<Value>(as number: Int) -> Value {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { room in
            let bytes = UnsafeMutableRawBufferPointer(room)
            if !bytes.isEmpty { bytes[0] = UInt8(number) }
            return room[0]
        }
    }

    private static func list<Value: CaseIterable, Element>(of type: Value.Type) -> [Element]? {
        Array(Value.allCases) as? [Element]
    }

    /// The number of cases: of one case no byte is stored, of up to 255 one.
    private static func count<Value>(of type: Value.Type) -> Int? {
        switch MemoryLayout<Value>.size {
        case 0: 1
        case 1 where MemoryLayout<Value?>.size == 1: Int(unsafeBitCast(Value?.none, to: UInt8.self))
        default: nil
        }
    }

    /// True for a case that its own raw value leads back to.
    private static func isItself<Value: RawRepresentable>(_ value: Value) -> Bool {
        guard let same = Value(rawValue: value.rawValue) else { return false }
        return withUnsafeBytes(of: value) { bytes in withUnsafeBytes(of: same) { bytes.elementsEqual($0) } }
    }

    /// Metadata begin with their kind, which is 0x201 for enums.
    private static func isEnum(_ type: any Any.Type) -> Bool {
        unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self) == 0x201
    }
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A piece of SQL: text in which every value is a bound parameter, and the values.
///
/// `t0."age" >= ?1` with `[21]`
public struct SQLFragment: Hashable, Sendable {
    /// The text, with placeholders as the dialect writes them.
    public var text: String
    /// The values, in the order of their placeholders.
    public var bindings: [SQLBinding]

    public init(_ text: String, bindings: [SQLBinding] = []) {
        self.text = text
        self.bindings = bindings
    }
}

/// A value as a database takes it.
public enum SQLBinding: Hashable, Sendable {
    case null
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case text(String)
    case blob(Data)
}

extension SQLFragment {
    /// Gives the parameters of a piece their placeholders: each parameter one number, however often it stands there,
    /// where the dialect numbers them.
    init(_ piece: SQLText, _ dialect: any SQLDialect) {
        var writer = FragmentWriter(dialect)
        writer.write(piece.part)
        self.init(String(decoding: writer.bytes, as: UTF8.self), bindings: writer.bindings)
    }
}

/// Writes pieces out.
private struct FragmentWriter {
    private let dialect: any SQLDialect
    private(set) var bytes: [UInt8] = []
    private(set) var bindings: [SQLBinding] = []
    /// The numbers of the placeholders that stand already, by their parameters; 0 where there is none.
    private var numbers: [Int] = []
    private let isNumbered: Bool

    init(_ dialect: any SQLDialect) {
        self.dialect = dialect
        isNumbered = dialect.numbersPlaceholders
        bytes.reserveCapacity(256)
    }

    mutating func write(_ part: SQLText.Part) {
        switch part {
        case .literal(let literal): literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
        case .name(let name): bytes.append(contentsOf: name.utf8)
        case .parameter(let parameter): bytes.append(contentsOf: placeholder(parameter).utf8)
        case .sequence(let parts): for part in parts { write(part) }
        }
    }

    private mutating func placeholder(_ parameter: SQLParameter) -> String {
        guard isNumbered else {
            bindings.append(parameter.binding)
            return dialect.placeholder(bindings.count, for: parameter.type)
        }
        while numbers.count <= parameter.number { numbers.append(0) }
        if numbers[parameter.number] == 0 {
            bindings.append(parameter.binding)
            numbers[parameter.number] = bindings.count
        }
        return dialect.placeholder(numbers[parameter.number], for: parameter.type)
    }
}

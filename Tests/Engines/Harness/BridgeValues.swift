import Foundation
@_spi(Dialect) import PredicateSQL
import PredicateSyntax

extension SQLFragment {
    /// A statement of a request: `{"text": "SELECT …", "values": [["integer", 21]]}`
    package var request: PredicateValue {
        [
            "text": .string(text),
            "values": .array(zip(parameterTypes, bindings).map { $1.request(as: $0) }),
        ]
    }
}

extension SQLBinding {
    /// A value of a request: `["integer", 21]`
    func request(as type: ParameterType) -> PredicateValue {
        switch self {
        case .null: .null
        case .integer(let value): [.string(type == .timestamp ? type.name : "integer"), .integer(value)]
        case .double(let value): ["double", .string(value.hexadecimal)]
        case .boolean(let value): ["boolean", .bool(value)]
        case .text(let value): [.string(type.name), .string(value)]
        case .blob(let value): ["blob", .data(value)]
        }
    }

    /// A value of a row: `["text", "key 1"]`
    package init?(answer value: PredicateValue) {
        guard case .array(let parts) = value, parts.count == 2, case .string(let kind) = parts[0] else {
            guard value == .null else { return nil }
            self = .null
            return
        }
        switch (kind, parts[1]) {
        case ("integer", .integer(let value)): self = .integer(value)
        case ("boolean", .bool(let value)): self = .boolean(value)
        case ("double", .string(let text)): self = .double(Double(text) ?? .nan)
        case ("blob", .string(let text)): self = .blob(Data(base64Encoded: text) ?? Data())
        case (_, .string(let text)): self = .text(text)
        default: return nil
        }
    }
}

extension SQLBinding.ParameterType {
    /// `integer`
    var name: String { "\(self)" }
}

extension Double {
    /// `0x1.8p+1`
    fileprivate var hexadecimal: String { isFinite ? String(format: "%a", self) : "\(self)" }
}

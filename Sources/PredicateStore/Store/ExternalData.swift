package import Foundation
package import PredicateSyntax

/// Data of a column that are kept there or, if they are large, in a file of their own.
///
/// The first byte of the column is 1 before the data, 2 before the name of a file and a zero byte.
package enum ExternalData {
    /// The data that a column stands for; what is no such column, and the name of a missing file, as the column has it.
    package static func value(of stored: PredicateValue, in folder: String) -> PredicateValue {
        guard case .data(let bytes) = stored, let tag = bytes.first else { return stored }
        let rest = bytes.dropFirst()
        switch tag {
        case 1: return .data(Data(rest))
        case 2: return name(in: rest).flatMap { contents(of: $0, in: folder) }.map(PredicateValue.data) ?? stored
        default: return stored
        }
    }

    /// A name of a file in the folder itself, not of one elsewhere.
    package static func name(in bytes: Data) -> String? {
        let text = bytes.prefix { $0 != 0 }
        guard text.allSatisfy(plain.contains), !text.isEmpty, text.count <= 255 else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static let plain = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-abcdefghijklmnopqrstuvwxyz".utf8)

    private static func contents(of name: String, in folder: String) -> Data? {
        try? Data(contentsOf: URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name))
    }
}

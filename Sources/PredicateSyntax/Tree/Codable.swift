/// Trees are encoded as text: the format string that they print, and the arguments that have no literal in it.
///
///     {"format": "age >= 21 AND id IN %@", "arguments": [{"set": [{"int": 1}]}]}
///
/// So an archive stays readable, and decoding has the limits and the errors of parsing. A closure of the host has no text.
private struct EncodedFormat: Codable {
    var format: String
    var arguments: [PredicateValue]?

    /// Throws ``PredicateArchiveError`` for a tree with a block.
    init(_ print: (inout Printer) -> Void) throws(PredicateArchiveError) {
        var printer = Printer(constants: .drawnOut)
        print(&printer)
        format = printer.text
        if let block = printer.block {
            throw PredicateArchiveError(.block(block.name), text: format, range: block.range)
        }
        arguments = printer.arguments.isEmpty ? nil : printer.arguments
    }
}

extension FormatPredicate: Codable {
    public init(from decoder: any Decoder) throws {
        let encoded = try EncodedFormat(from: decoder)
        self.init(try FormatPredicate(format: encoded.format, arguments: encoded.arguments ?? []).node)
    }

    public func encode(to encoder: any Encoder) throws {
        try EncodedFormat { $0.print(node) }.encode(to: encoder)
    }
}

extension FormatExpression: Codable {
    public init(from decoder: any Decoder) throws {
        let encoded = try EncodedFormat(from: decoder)
        self.init(try FormatExpression(format: encoded.format, arguments: encoded.arguments ?? []).node)
    }

    public func encode(to encoder: any Encoder) throws {
        try EncodedFormat { $0.printFormat(node) }.encode(to: encoder)
    }
}

extension PredicateNode: Codable {
    public init(from decoder: any Decoder) throws {
        self = try FormatPredicate(from: decoder).node
    }

    public func encode(to encoder: any Encoder) throws {
        try FormatPredicate(self).encode(to: encoder)
    }
}

extension ExpressionNode: Codable {
    public init(from decoder: any Decoder) throws {
        self = try FormatExpression(from: decoder).node
    }

    public func encode(to encoder: any Encoder) throws {
        try FormatExpression(self).encode(to: encoder)
    }
}

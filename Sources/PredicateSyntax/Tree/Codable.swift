/// Trees are encoded as text: the format string that they print, and the arguments that have no literal in it.
///
///     {"format": "age >= 21 AND id IN %@", "arguments": [{"set": [{"int": 1}]}]}
///
/// So an archive stays readable, and decoding has the limits and the errors of parsing. A text alone, as clients send it, is a
/// format. A closure of the host has no text.
///
/// What is decoded must pass a policy: ``PredicatePolicy/untrusted``, or the one under `CodingUserInfoKey.predicatePolicy`.
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

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            format = text
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        format = try container.decode(String.self, forKey: .format)
        arguments = try container.decodeIfPresent([PredicateValue].self, forKey: .arguments)
    }
}

extension FormatPredicate: Codable {
    public init(from decoder: any Decoder) throws {
        let encoded = try EncodedFormat(from: decoder)
        let (arguments, policy) = (encoded.arguments ?? [], decoder.predicatePolicy)
        self.init(try FormatPredicate(format: encoded.format, arguments: arguments, policy: policy).node)
    }

    public func encode(to encoder: any Encoder) throws {
        try EncodedFormat { $0.print(node) }.encode(to: encoder)
    }
}

extension FormatExpression: Codable {
    public init(from decoder: any Decoder) throws {
        let encoded = try EncodedFormat(from: decoder)
        let policy = decoder.predicatePolicy
        let options = FormatOptions(limits: policy.limits)
        let expression = try FormatExpression(
            format: encoded.format, arguments: encoded.arguments ?? [], options: options)
        try policy.check(expression)
        self.init(expression.node)
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

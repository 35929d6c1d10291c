public import PredicateSyntax

extension FormatQuery {
    /// Parses the text of a query.
    ///
    /// `try FormatQuery("city, count() WHERE age > %@ GROUP BY city ORDER BY count DESC LIMIT 10", 20)`
    ///
    /// Arguments replace the specifiers of the whole text, from left to right; an argument is never parsed as text.
    /// - Throws: ``QueryFormatError`` for a clause, and `PredicateFormatError` for an expression or a predicate, both with
    ///   the range in the text and a hint.
    public init(
        _ format: String, _ arguments: (any PredicateValueConvertible)?..., options: FormatOptions = .standard
    ) throws {
        try self.init(format: format, arguments: arguments.map { $0?.predicateValue ?? .null }, options: options)
    }

    /// Parses the text of a query with an array of arguments.
    public init(format: String, arguments: [PredicateValue] = [], options: FormatOptions = .standard) throws {
        var parser = QueryParser(format, arguments, options)
        self = try parser.parse()
    }

    /// Parses an untrusted text and checks the whole query against a policy.
    ///
    /// `try FormatQuery(text, policy: policy)`
    /// - Throws: ``QueryFormatError`` or `PredicateFormatError`; the code is `refused` for anything that the policy does not
    ///   allow.
    public init(_ format: String, _ arguments: (any PredicateValueConvertible)?..., policy: PredicatePolicy) throws {
        try self.init(format: format, arguments: arguments.map { $0?.predicateValue ?? .null }, policy: policy)
    }

    /// Parses an untrusted text with an array of arguments and checks the whole query against a policy.
    public init(format: String, arguments: [PredicateValue], policy: PredicatePolicy) throws {
        var parser = QueryParser(format, arguments, FormatOptions(limits: policy.limits))
        self = try parser.parse()
        try QueryPolicyCheck(policy, self, parser.places).check()
    }
}

// MARK: - Printing and archives

extension FormatQuery: CustomStringConvertible {
    /// The text of the query, in canonical spelling: `city, count() GROUP BY city ORDER BY count DESC`
    public var description: String { QueryPrinter(self).text }
}

/// As with a predicate, a query is encoded as its text, and as arguments for the constants that have no literal. A decoded
/// query must pass the policy under `CodingUserInfoKey.predicatePolicy`.
extension FormatQuery: Codable {
    public init(from decoder: any Decoder) throws {
        let encoded = try EncodedFormat(from: decoder)
        try self.init(format: encoded.format, arguments: encoded.arguments ?? [], policy: decoder.predicatePolicy)
    }

    public func encode(to encoder: any Encoder) throws {
        let printer = QueryPrinter(self, drawsOut: true)
        if let failure = printer.failure { throw failure }
        try EncodedFormat(format: printer.text, arguments: printer.arguments).encode(to: encoder)
    }
}

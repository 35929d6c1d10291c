import PredicateSyntax

/// An error with which a request is answered.
struct ResponseError: Error, Hashable {
    /// The numbers of JSON-RPC and of the language server protocol.
    enum Code: Int64 {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case serverNotInitialized = -32002
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func missing(_ member: String) -> ResponseError {
        ResponseError(.invalidParams, "expected the member \(member) in params")
    }

    var value: PredicateValue {
        .object(["code": .integer(code.rawValue), "message": .string(message)])
    }
}

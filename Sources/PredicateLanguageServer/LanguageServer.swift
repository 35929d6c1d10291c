import PredicateData
import PredicateLint
import PredicateSyntax

/// A server of the language server protocol (3.17) for predicates in Swift, Objective-C and files of their own.
///
///     var server = LanguageServer()
///     while server.exitStatus == nil, let bytes = read() { write(server.receive(bytes)) }
///
/// Bytes of the client go in, bytes for it come out; nothing else happens, but that models and settings of the project are
/// read through ``Project``. Any bytes are answered: what is malformed with a typed error, and the server goes on.
/// Positions count UTF-16 code units. Headers, messages and documents have limits.
package struct LanguageServer {
    /// Documents that are open at one time.
    static let mostDocuments = 1_000

    enum Phase {
        case new
        case running
        case shutDown
    }

    var phase = Phase.new
    var documents: [String: OpenDocument] = [:]
    var project = Project()
    let version: String
    private let openProject: @Sendable (String) -> Project
    private var reader = MessageReader()
    private var output: [UInt8] = []
    /// The status with which the process ends: 0 if the client shut the server down before; nil while it runs.
    package internal(set) var exitStatus: Int32?

    /// Makes a server; `openProject` returns what is known of the project in a folder.
    package init(
        version: String = "0", openProject: @escaping @Sendable (String) -> Project = { Project(folder: $0) }
    ) {
        self.version = version
        self.openProject = openProject
    }

    /// Takes bytes of the client, and returns the bytes that answer them.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> [UInt8] {
        reader.append(bytes)
        while exitStatus == nil, let event = reader.next() {
            switch event {
            case .body(let body): receive(body: body)
            case .failure(let error): respond(to: nil, with: ResponseError(.parseError, error.message))
            }
        }
        defer { output = [] }
        return output
    }

    private mutating func receive(body: [UInt8]) {
        let message: PredicateValue
        do throws(DataError) {
            message = try JSONReader.parse(body)
        } catch {
            return respond(to: nil, with: ResponseError(.parseError, error.message))
        }
        guard message.isObject else {
            return respond(to: nil, with: ResponseError(.invalidRequest, "expected a JSON object"))
        }
        let id = message["id"]
        guard let method = message["method"]?.text else {
            // A response: this server asks nothing, so that there is nothing to do.
            if message["result"] != nil || message["error"] != nil || id != nil && message["method"] == nil { return }
            return respond(to: id, with: ResponseError(.invalidRequest, "expected the member method"))
        }
        let params = message["params"] ?? .dictionary([:])
        guard let id else { return notify(method, params) }
        do throws(ResponseError) {
            send(.object(["jsonrpc": .string("2.0"), "id": id, "result": try result(of: method, params)]))
        } catch {
            respond(to: id, with: error)
        }
    }

    mutating func openProject(in folder: String) { project = openProject(folder) }

    // MARK: Sending

    private mutating func send(_ message: PredicateValue) { output += MessageWriter.bytes(of: message) }

    private mutating func respond(to id: PredicateValue?, with error: ResponseError) {
        send(.object(["jsonrpc": .string("2.0"), "id": id ?? .null, "error": error.value]))
    }

    mutating func sendNotification(_ method: String, _ params: PredicateValue) {
        send(.object(["jsonrpc": .string("2.0"), "method": .string(method), "params": params]))
    }

    /// Tells the user of something that cannot be answered, since it came as a notification.
    mutating func log(_ error: ResponseError) {
        sendNotification("window/logMessage", .object(["type": .integer(1), "message": .string(error.message)]))
    }

    mutating func publish(_ uri: String) {
        let document = documents[uri]
        sendNotification(
            "textDocument/publishDiagnostics",
            .object([
                "uri": .string(uri), "version": document?.version,
                "diagnostics": .array(document?.diagnostics ?? []),
            ]))
    }
}

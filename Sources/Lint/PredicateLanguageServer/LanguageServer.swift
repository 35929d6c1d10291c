import PredicateJSON
import PredicateLint
import PredicateSyntax

/// A language server (protocol version 3.17) for predicates in Swift, in Objective-C and in files of predicates.
///
///     var server = LanguageServer()
///     while server.exitStatus == nil, let bytes = read() { write(server.receive(bytes)) }
///
/// The server maps bytes of the client to bytes for the client. Its only other effect is that it reads models and
/// settings of the project through ``Project``. It answers any bytes: malformed ones with a typed error, after which
/// it continues. Positions count UTF-16 code units. Headers, messages and documents have limits.
package struct LanguageServer {
    /// The maximum number of open documents.
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
    /// The requests that a later message in the same input cancels.
    private var cancelled: Set<PredicateValue> = []
    /// The configuration mistakes in inner folders that are shown, by file.
    private var shownProblems: [String: Set<NestedConfigurationError>] = [:]
    /// The exit status of the process: 0 if the client requested a shutdown first. Nil while the server runs.
    package internal(set) var exitStatus: Int32?

    /// Creates a server; `openProject` reads the project in a folder.
    package init(
        version: String = "0", openProject: @escaping @Sendable (String) -> Project = { Project(folder: $0) }
    ) {
        self.version = version
        self.openProject = openProject
    }

    /// Takes bytes from the client and returns the bytes to send.
    ///
    /// All messages are read before the first is handled, so that edits are analyzed once, and cancelled requests are not
    /// computed.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> [UInt8] {
        reader.append(bytes)
        let events = messages()
        for event in events where exitStatus == nil {
            switch event {
            case .success(let message): receive(message)
            case .failure(let error): respond(to: nil, with: error)
            }
        }
        analyzeChanges()
        cancelled = []
        defer { output = [] }
        return output
    }

    private mutating func messages() -> [Result<PredicateValue, ResponseError>] {
        var messages: [Result<PredicateValue, ResponseError>] = []
        while let event = reader.next() {
            switch event {
            case .body(let body): messages.append(message(body))
            case .failure(let error): messages.append(.failure(ResponseError(.parseError, error.message)))
            }
        }
        return messages
    }

    private mutating func message(_ body: [UInt8]) -> Result<PredicateValue, ResponseError> {
        do throws(JSONError) {
            let message = try JSONReader.parse(body)
            if message["method"]?.text == "$/cancelRequest", let id = message["params"]?["id"] { cancelled.insert(id) }
            return .success(message)
        } catch {
            return .failure(ResponseError(.parseError, error.message))
        }
    }

    /// Analyzes the documents that changed, and publishes their findings.
    private mutating func analyzeChanges() {
        let stale = documents.keys.filter { documents[$0]?.isStale == true }.sorted()
        for uri in stale {
            documents[uri]?.analyze(project.scope(of: Project.path(uri)))
            publish(uri)
        }
        if !stale.isEmpty { publishConfigurations() }
    }

    /// Publishes the configuration mistakes of inner folders, as long as an open document is affected by them.
    private mutating func publishConfigurations() {
        let problems = Dictionary(grouping: documents.values.flatMap(\.scope.problems), by: \.file).mapValues(Set.init)
        for file in Set(problems.keys).union(shownProblems.keys).sorted() where problems[file] != shownProblems[file] {
            let diagnostics = (problems[file] ?? []).sorted { $0.line < $1.line }.map(\.diagnostic)
            publish(Project.uri(file), diagnostics)
        }
        shownProblems = problems
    }

    private mutating func receive(_ message: PredicateValue) {
        guard message.isObject else {
            return respond(to: nil, with: ResponseError(.invalidRequest, "expected a JSON object"))
        }
        let id = message["id"]
        guard let method = message["method"]?.text else {
            // A response. This server sends no requests, so it is ignored.
            if message["result"] != nil || message["error"] != nil || id != nil && message["method"] == nil { return }
            return respond(to: id, with: ResponseError(.invalidRequest, "expected the member method"))
        }
        let params = message["params"] ?? .dictionary([:])
        guard let id else { return notify(method, params) }
        guard !cancelled.contains(id) || phase != .running || method == "shutdown" else {
            return respond(to: id, with: ResponseError(.requestCancelled, "the request was cancelled"))
        }
        analyzeChanges()
        do throws(ResponseError) {
            send(.object(["jsonrpc": .string("2.0"), "id": id, "result": try result(of: method, params)]))
        } catch {
            respond(to: id, with: error)
        }
    }

    mutating func openProject(in folder: String) { project = openProject(folder) }

    /// Shows the mistakes in the configuration.
    mutating func showProblems() {
        for problem in project.problems {
            sendNotification("window/showMessage", .object(["type": .integer(1), "message": .string(problem)]))
        }
    }

    // MARK: Sending

    private mutating func send(_ message: PredicateValue) { output += MessageWriter.bytes(of: message) }

    private mutating func respond(to id: PredicateValue?, with error: ResponseError) {
        send(.object(["jsonrpc": .string("2.0"), "id": id ?? .null, "error": error.value]))
    }

    mutating func sendNotification(_ method: String, _ params: PredicateValue) {
        send(.object(["jsonrpc": .string("2.0"), "method": .string(method), "params": params]))
    }

    /// Logs an error in a notification, to which there is no response.
    mutating func log(_ error: ResponseError) {
        sendNotification("window/logMessage", .object(["type": .integer(1), "message": .string(error.message)]))
    }

    mutating func publish(_ uri: String) { publish(uri, documents[uri]?.diagnostics ?? [], documents[uri]?.version) }

    private mutating func publish(_ uri: String, _ diagnostics: [PredicateValue], _ version: PredicateValue? = nil) {
        sendNotification(
            "textDocument/publishDiagnostics",
            .object(["uri": .string(uri), "version": version, "diagnostics": .array(diagnostics)]))
    }
}

// Notifications are not answered; errors in them are logged.

extension LanguageServer {
    mutating func notify(_ method: String, _ params: PredicateValue) {
        if method == "exit" {
            exitStatus = phase == .shutDown ? 0 : 1
            return
        }
        guard phase == .running else { return }
        do throws(ResponseError) {
            switch method {
            case "initialized": showProblems()
            case "textDocument/didOpen": try open(params)
            case "textDocument/didChange": try change(params)
            case "textDocument/didClose": try close(params)
            case "workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration", "textDocument/didSave": reload()
            default: break
            }
        } catch {
            log(ResponseError(error.code, "\(method): \(error.message)"))
        }
    }

    private mutating func open(_ params: PredicateValue) throws(ResponseError) {
        guard let item = params["textDocument"], let uri = item["uri"]?.text, let text = item["text"]?.text else {
            throw .missing("textDocument with uri and text")
        }
        guard let kind = DocumentKind(language: item["languageId"]?.text ?? "", path: Project.path(uri) ?? uri) else {
            return
        }
        guard documents.count < Self.mostDocuments || documents[uri] != nil else {
            throw ResponseError(.invalidRequest, "more than \(Self.mostDocuments) documents are open")
        }
        var document = OpenDocument(text, kind)
        document.version = item["version"]
        documents[uri] = document
    }

    private mutating func change(_ params: PredicateValue) throws(ResponseError) {
        guard let item = params["textDocument"], let uri = item["uri"]?.text else { throw .missing("textDocument.uri") }
        guard let list = params["contentChanges"]?.list else { throw .missing("contentChanges") }
        // A document without predicates is not kept.
        guard documents[uri] != nil else { return }
        var changes: [TextChange] = []
        for value in list {
            guard let text = value["text"]?.text else { throw .missing("contentChanges.text") }
            let range = try value["range"].map { (range) throws(ResponseError) in try Self.range(range) }
            changes.append(TextChange(range: range, text: text))
        }
        documents[uri]?.version = item["version"]
        documents[uri]?.apply(changes)
    }

    private mutating func close(_ params: PredicateValue) throws(ResponseError) {
        guard let uri = params["textDocument"]?["uri"]?.text else { throw .missing("textDocument.uri") }
        guard documents.removeValue(forKey: uri) != nil else { return }
        publish(uri)
    }

    /// Reads models and settings again. Open documents for which they have changed are analyzed again.
    private mutating func reload() {
        guard let folder = project.folder else { return }
        let (stamp, digest, problems) = (project.stamp, project.digest, project.problems)
        openProject(in: folder)
        let isOther = project.stamp != stamp || project.digest != digest
        if project.stamp != stamp || project.problems != problems { showProblems() }
        for (uri, document) in documents {
            let scope = project.scope(of: Project.path(uri))
            if isOther || scope.stamp != document.scope.stamp { documents[uri]?.isStale = true }
        }
    }
}

// Requests: each has a result.

extension LanguageServer {
    mutating func result(of method: String, _ params: PredicateValue) throws(ResponseError) -> PredicateValue {
        switch (method, phase) {
        case ("initialize", .new): return initialize(params)
        case (_, .new):
            throw ResponseError(
                .serverNotInitialized, "the server is not initialized: send initialize before \(method)")
        case ("initialize", _): throw ResponseError(.invalidRequest, "the server is already initialized")
        case (_, .shutDown): throw ResponseError(.invalidRequest, "the server is shut down")
        case ("shutdown", .running):
            phase = .shutDown
            return .null
        case ("textDocument/hover", .running): return try hover(params)
        case ("textDocument/completion", .running): return try completion(params)
        case ("textDocument/codeAction", .running): return try codeAction(params)
        case (_, .running): throw ResponseError(.methodNotFound, "unknown method \(method)")
        }
    }

    private mutating func initialize(_ params: PredicateValue) -> PredicateValue {
        phase = .running
        let folder = params["workspaceFolders"]?.list?.first?["uri"]?.text ?? params["rootUri"]?.text
        if let path = folder.flatMap(Project.path) ?? params["rootPath"]?.text { openProject(in: path) }
        return .object([
            "capabilities": Self.capabilities,
            "serverInfo": .object(["name": .string("predicate"), "version": .string(version)]),
        ])
    }

    private static let capabilities: PredicateValue = .object([
        "positionEncoding": .string("utf-16"),
        "textDocumentSync": .object(["openClose": .bool(true), "change": .integer(2)]),
        "hoverProvider": .bool(true),
        "completionProvider": .object([
            "triggerCharacters": .array(["\"", ".", "@", "$", " "].map(PredicateValue.string))
        ]),
        "codeActionProvider": .object(["codeActionKinds": .array([.string("quickfix")])]),
    ])

    private func hover(_ params: PredicateValue) throws(ResponseError) -> PredicateValue {
        guard let (document, offset) = try place(params), let site = document.analysis.site(at: offset) else {
            return .null
        }
        let text = Hover.markdown(of: site, site.word(at: offset), keys(for: site, document.scope))
        return .object([
            "contents": .object(["kind": .string("markdown"), "value": .string(text)]),
            "range": document.value(of: site.range),
        ])
    }

    private func completion(_ params: PredicateValue) throws(ResponseError) -> PredicateValue {
        guard let (document, offset) = try place(params) else { return .null }
        guard let site = document.analysis.site(at: offset), let prefix = site.prefix(upTo: offset) else {
            return .array([])
        }
        let names = document.names(except: site.range)
        let found = Completions(
            after: prefix, keys: keys(for: site, document.scope), used: names.keys, variables: names.variables)
        let range = document.value(of: max(offset - found.length, 0)..<offset)
        return .array(
            found.items.map { item in
                .object([
                    "label": .string(item.label), "kind": .integer(item.kind.rawValue),
                    "detail": item.detail.map(PredicateValue.string),
                    "textEdit": .object(["range": range, "newText": .string(item.label)]),
                ])
            })
    }

    private func keys(for site: FormatSite, _ scope: FileScope) -> SchemaKeys? {
        scope.linter.keySchema(ofEntity: site.entity).map {
            SchemaKeys($0, names: scope.entityNames, entity: site.entity)
        }
    }

    private func codeAction(_ params: PredicateValue) throws(ResponseError) -> PredicateValue {
        guard let (document, uri) = try document(params) else { return .null }
        guard let range = params["range"] else { throw .missing("range") }
        let places = try Self.range(range)
        let lower = document.text.offset(of: places.lowerBound)
        let upper = max(lower, document.text.offset(of: places.upperBound))
        return .array(document.codeActions(lower..<upper, uri: uri))
    }

    // MARK: Parameters

    /// Returns nil for a document that is not open, or that cannot contain predicates.
    private func document(_ params: PredicateValue) throws(ResponseError) -> (OpenDocument, uri: String)? {
        guard let uri = params["textDocument"]?["uri"]?.text else { throw .missing("textDocument.uri") }
        return documents[uri].map { ($0, uri) }
    }

    private func place(_ params: PredicateValue) throws(ResponseError) -> (OpenDocument, offset: Int)? {
        guard let (document, _) = try document(params) else { return nil }
        guard let position = params["position"] else { throw .missing("position") }
        return (document, document.text.offset(of: try Self.position(position)))
    }

    static func position(_ value: PredicateValue) throws(ResponseError) -> TextPosition {
        guard let line = value["line"]?.count, let character = value["character"]?.count else {
            throw ResponseError(.invalidParams, "expected a position with line and character, each from 0")
        }
        return TextPosition(line: line, character: character)
    }

    /// Reads a range. If its end is before its start, the range is empty.
    static func range(_ value: PredicateValue) throws(ResponseError) -> Range<TextPosition> {
        guard let start = value["start"], let end = value["end"] else {
            throw ResponseError(.invalidParams, "expected a range with start and end")
        }
        let (lower, upper) = (try position(start), try position(end))
        return lower..<max(lower, upper)
    }
}

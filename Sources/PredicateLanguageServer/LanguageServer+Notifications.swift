import PredicateLint
import PredicateSyntax

// Notifications: none is answered; what is wrong with one is logged.

extension LanguageServer {
    mutating func notify(_ method: String, _ params: PredicateValue) {
        if method == "exit" {
            exitStatus = phase == .shutDown ? 0 : 1
            return
        }
        guard phase == .running else { return }
        do throws(ResponseError) {
            switch method {
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
            throw ResponseError(.invalidRequest, "expected at most \(Self.mostDocuments) open documents")
        }
        var document = OpenDocument(text, kind, project.linter)
        document.version = item["version"]
        documents[uri] = document
        publish(uri)
    }

    private mutating func change(_ params: PredicateValue) throws(ResponseError) {
        guard let item = params["textDocument"], let uri = item["uri"]?.text else { throw .missing("textDocument.uri") }
        guard let list = params["contentChanges"]?.list else { throw .missing("contentChanges") }
        // A document without predicates is not kept.
        guard documents[uri] != nil else { return }
        var changes: [TextChange] = []
        for value in list {
            guard let text = value["text"]?.text else { throw .missing("contentChanges.text") }
            changes.append(TextChange(range: try value["range"].map(Self.rangeOfChange) ?? nil, text: text))
        }
        documents[uri]?.version = item["version"]
        documents[uri]?.apply(changes, project.linter)
        publish(uri)
    }

    private static func rangeOfChange(_ value: PredicateValue) throws(ResponseError) -> Range<TextPosition> {
        try range(value)
    }

    private mutating func close(_ params: PredicateValue) throws(ResponseError) {
        guard let uri = params["textDocument"]?["uri"]?.text else { throw .missing("textDocument.uri") }
        guard documents.removeValue(forKey: uri) != nil else { return }
        publish(uri)
    }

    /// Reads models and settings anew; what they say of open documents is published if they have changed.
    private mutating func reload() {
        guard let folder = project.folder else { return }
        let before = project.stamp
        openProject(in: folder)
        guard project.stamp != before else { return }
        for uri in documents.keys.sorted() {
            documents[uri]?.analyze(project.linter)
            publish(uri)
        }
    }
}

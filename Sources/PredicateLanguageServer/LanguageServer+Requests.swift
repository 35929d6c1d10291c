import PredicateSyntax

// Requests: each has a result.

extension LanguageServer {
    mutating func result(of method: String, _ params: PredicateValue) throws(ResponseError) -> PredicateValue {
        switch (method, phase) {
        case ("initialize", .new): return initialize(params)
        case (_, .new): throw ResponseError(.serverNotInitialized, "expected initialize first, found \(method)")
        case ("initialize", _): throw ResponseError(.invalidRequest, "the server is initialized already")
        case (_, .shutDown): throw ResponseError(.invalidRequest, "the server is shut down")
        case ("shutdown", .running):
            phase = .shutDown
            return .null
        case ("textDocument/hover", .running): return try hover(params)
        case ("textDocument/completion", .running): return try completion(params)
        case ("textDocument/codeAction", .running): return try codeAction(params)
        case (_, .running): throw ResponseError(.methodNotFound, "there is no method \(method)")
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
        let (document, offset) = try place(params)
        guard let site = document.analysis.site(at: offset) else { return .null }
        let text = Hover.markdown(of: site, site.word(at: offset), keys(for: site))
        return .object([
            "contents": .object(["kind": .string("markdown"), "value": .string(text)]),
            "range": document.value(of: site.range),
        ])
    }

    private func completion(_ params: PredicateValue) throws(ResponseError) -> PredicateValue {
        let (document, offset) = try place(params)
        guard let site = document.analysis.site(at: offset), let prefix = site.prefix(upTo: offset) else {
            return .array([])
        }
        let names = document.names(except: site.range)
        let found = Completions(
            after: prefix, keys: keys(for: site), used: names.keys, variables: names.variables)
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

    private func keys(for site: FormatSite) -> SchemaKeys? {
        project.schema.map { SchemaKeys($0, entity: site.entity) }
    }

    private func codeAction(_ params: PredicateValue) throws(ResponseError) -> PredicateValue {
        let (document, uri) = try document(params)
        guard let range = params["range"] else { throw .missing("range") }
        let places = try Self.range(range)
        let lower = document.text.offset(of: places.lowerBound)
        let upper = max(lower, document.text.offset(of: places.upperBound))
        return .array(document.codeActions(lower..<upper, uri: uri))
    }

    // MARK: Parameters

    private func document(_ params: PredicateValue) throws(ResponseError) -> (OpenDocument, uri: String) {
        guard let uri = params["textDocument"]?["uri"]?.text else { throw .missing("textDocument.uri") }
        guard let document = documents[uri] else {
            throw ResponseError(.invalidParams, "the document \(uri) is not open, or holds no predicates")
        }
        return (document, uri)
    }

    private func place(_ params: PredicateValue) throws(ResponseError) -> (OpenDocument, offset: Int) {
        let (document, _) = try document(params)
        guard let position = params["position"] else { throw .missing("position") }
        return (document, document.text.offset(of: try Self.position(position)))
    }

    static func position(_ value: PredicateValue) throws(ResponseError) -> TextPosition {
        guard let line = value["line"]?.count, let character = value["character"]?.count else {
            throw ResponseError(.invalidParams, "expected a position with line and character, each from 0")
        }
        return TextPosition(line: line, character: character)
    }

    /// A range; one whose end is before its start is empty.
    static func range(_ value: PredicateValue) throws(ResponseError) -> Range<TextPosition> {
        guard let start = value["start"], let end = value["end"] else {
            throw ResponseError(.invalidParams, "expected a range with start and end")
        }
        let (lower, upper) = (try position(start), try position(end))
        return lower..<max(lower, upper)
    }
}

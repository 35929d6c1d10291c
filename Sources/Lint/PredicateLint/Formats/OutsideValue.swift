/// Values that come from outside the program: from a text field, a file, a URL, user defaults, another program.
enum OutsideValue {
    /// True if an expression, or a local that it names, is such a value.
    static func isOutside(_ expression: CodeExpression, _ reader: TextReader) -> Bool {
        reader.origins(of: expression).contains { isOutsideText($0, reader) }
    }

    private static func isOutsideText(_ node: CodeExpression, _ reader: TextReader) -> Bool {
        let range = node.range
        guard range.count < 4096 else { return false }
        let text = reader.bytes.text(range).filter { !$0.isWhitespace }
        if marks.contains(where: text.contains) { return true }
        let lower = text.lowercased()
        return fieldMarks.contains(where: lower.contains) || isTextOfControl(node, reader)
            || isSetting(range, reader) || reader.local(node).map(reader.isEdited) ?? false
    }

    /// `defaults.string(forKey: "filter")`, `[defaults objectForKey:@"filter"]`, where the variable holds user defaults.
    private static func isSetting(_ range: Range<Int>, _ reader: TextReader) -> Bool {
        let start = reader.bytes[range.lowerBound] == UInt8(ascii: "[") ? range.lowerBound + 1 : range.lowerBound
        let base = start..<reader.bytes.nameEnd(from: start)
        guard !base.isEmpty, base.upperBound < range.upperBound,
            getters.contains(where: { reader.bytes.matches($0, at: base.upperBound) })
        else { return false }
        if let type = reader.type(of: .name(base))?.name { return type.hasSuffix("UserDefaults") }
        return reader.origins(of: .name(base)).dropFirst().contains {
            reader.bytes.text($0.range).contains("UserDefaults")
        }
    }

    private static let getters: [StaticString] = [
        ".string(forKey:", ".object(forKey:", ".value(forKey:", " stringForKey:", " objectForKey:", " valueForKey:",
    ]

    private static let marks = [
        ".queryItems", "request.query", "req.query", "req.parameters", "readLine(", "CommandLine.arguments",
        "UIPasteboard", "NSPasteboard", "ProcessInfo.processInfo.environment", "userActivity.", "url.query",
        "String(contentsOf", "Data(contentsOf", "stringWithContentsOf", "initWithContentsOf", "dataWithContentsOf",
        "UserDefaults.standard.string(", "UserDefaults.standard.object(", "UserDefaults.standard.value(",
        "UserDefaults.standard[", "standardUserDefaults]stringForKey:", "standardUserDefaults]objectForKey:",
        "standardUserDefaults]valueForKey:",
    ]

    /// The ends of usual spellings of a field's contents, in lower case: `nameTextField.text`, `[self.searchBar text]`.
    private static let fieldMarks = [
        "field.text", "searchbar.text", "textview.text", "field.stringvalue", "textview.string", "fieldtext]",
        "searchbartext]", "textviewtext]", "fieldstringvalue]",
    ]

    /// `city.text!`, where the variable `city` has the type of a text field.
    private static func isTextOfControl(_ node: CodeExpression, _ reader: TextReader) -> Bool {
        if case .forced(let inner) = node { return isTextOfControl(inner, reader) }
        // `city.text ?? ""`
        if case .infix(let first, _, _) = node { return isTextOfControl(first, reader) }
        guard case .member(.name(let base)?, let member, _) = node,
            ["text", "stringValue"].contains(reader.bytes.text(member))
        else { return false }
        let type = reader.type(of: .name(base))?.name ?? ""
        return ["UITextField", "UISearchBar", "UITextView", "NSTextField", "NSSearchField"].contains(type)
    }
}

extension TextReader {
    /// The expressions that give a value: the expression itself and, if it names a local, the values of that local.
    func origins(of node: CodeExpression) -> [CodeExpression] {
        var (found, next) = ([node], 0)
        while next < found.count, found.count < 16 {
            defer { next += 1 }
            guard let declaration = local(found[next]), let first = declaration.value else { continue }
            let changes = declarations.assignments(to: declaration, bytes).lazy.compactMap(\.value)
            for start in [first] + changes.prefix(4) {
                let value = expression(from: start)
                if !value.range.isEmpty, !found.contains(where: { $0.range == value.range }) { found.append(value) }
            }
        }
        return found
    }

    /// The declaration of the local that an expression names, if the name is the whole expression.
    func local(_ node: CodeExpression) -> Declarations.Declaration? {
        guard case .name(let name) = node else { return nil }
        return declarations.visible(name, at: name.lowerBound, bytes)
    }
}

extension TextReader {
    /// True for a property that a control of SwiftUI edits.
    func isEdited(_ declaration: Declarations.Declaration) -> Bool {
        !edited.isEmpty && declaration.isVariable && edited.contains(bytes.text(declaration.name))
    }

    /// The names of the properties that controls of SwiftUI edit: `TextField("Search", text: $query)`.
    static func edited(in bytes: Bytes) -> Set<String> {
        let binding: StaticString = "text: $"
        var (names, offset): (Set<String>, Int) = ([], 0)
        while let found = bytes.firstOffset(of: binding, from: offset) {
            offset = bytes.nameEnd(from: found + binding.utf8CodeUnitCount)
            names.insert(bytes.text(found + binding.utf8CodeUnitCount..<offset))
        }
        return names
    }
}

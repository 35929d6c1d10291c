import PredicateSyntax

// Commands about variables and arguments.

extension Session {
    /// `:set LIMIT 18`, `:set LIMIT=18`, `:set`
    func setVariable(_ rest: String) throws(SessionError) -> String {
        guard !rest.isEmpty else { return listVariables() }
        let name = rest.prefix { !$0.isWhitespace && $0 != "=" }
        let word = String(rest.dropFirst(name.count)).trimmed
        let text = word.hasPrefix("=") ? String(word.dropFirst()).trimmed : word
        let bare = name.hasPrefix("$") ? String(name.dropFirst()) : String(name)
        guard !bare.isEmpty, !text.isEmpty else {
            throw SessionError(":set takes a name and a value", hints: [SessionCommand.set.example])
        }
        do throws(ValueError) {
            let value = try ValueWord.value(Self.unquoted(text))
            variables[bare] = value
            return "$\(bare) = \(ValueText.literal(.value(value)))"
        } catch {
            throw SessionError(error.message, hints: error.hints)
        }
    }

    /// Returns a text in single quotes without them, as in a format: `'two words'`
    private static func unquoted(_ text: String) -> String {
        let words = WordSplitter.words(of: text)
        return words.count == 1 ? words[0] : text
    }

    private func listVariables() -> String {
        if variables.isEmpty { return "no variables are set; \(SessionCommand.set.example) sets one" }
        return variables.sorted { $0.key < $1.key }.map { "$\($0.key) = \(ValueText.literal(.value($0.value)))" }
            .joined(separator: "\n")
    }

    /// `:args 18 "Jo"`, `:args --`, `:args`
    func setArguments(_ rest: String) throws(SessionError) -> String {
        if rest == "--" {
            argumentWords = []
            return "no arguments are set"
        }
        if !rest.isEmpty {
            let words = WordSplitter.words(of: rest)
            do throws(ValueError) { for word in words { _ = try ValueWord.value(word) } } catch {
                throw SessionError(error.message, hints: error.hints)
            }
            argumentWords = words
        }
        if argumentWords.isEmpty { return "no arguments are set; \(SessionCommand.args.example) sets some" }
        return argumentWords.enumerated().map { index, word in
            let value = (try? ValueWord.value(word)) ?? .string(word)
            return "\(index + 1): \(ValueText.literal(.value(value)))"
        }.joined(separator: "\n")
    }
}

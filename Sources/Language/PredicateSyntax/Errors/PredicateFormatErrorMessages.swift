extension PredicateFormatError {
    public var title: String { code.title }
    public var label: String? { code.label }
    public var hints: [String] {
        ForeignPhrase(text, at: range.lowerBound).hint(for: code).map { [$0] } ?? code.hints
    }
}

/// The wording of format errors.
extension PredicateFormatError.Code {
    /// One line that says what was expected.
    package var title: String {
        switch self {
        case .emptyFormat: "expected a predicate, found an empty string"
        case .expectedExpression: "expected a value, a key path or a function"
        case .expectedOperator: "expected an operator such as == or CONTAINS"
        case .unknownOperator(let word, _): "expected an operator, found '\(word)'"
        case .foreignOperator(let sign): "expected a predicate operator, found '\(sign)'"
        case .notBeforeOperator(let word): "expected an operator, found NOT \(word)"
        case .betweenWithAnd: "expected a collection of two bounds after BETWEEN"
        case .expectedPredicate: "expected a comparison, found a value alone"
        case .expectedLogicalOperator: "expected AND, OR or the end"
        case .chainedComparison: "expected AND, OR or the end: a comparison has two sides"
        case .expectedSymbol(let symbol): "expected '\(symbol)'"
        case .expectedKey: "expected a key after the dot"
        case .expectedVariable: "expected a variable such as $x"
        case .expectedString: "expected a quoted string"
        case .expectedOption: "expected option letters and ']'"
        case .unknownOption(let letters): "expected the options c, d, n or l, found '\(letters)'"
        case .unclosed(let symbol): "expected the bracket that closes '\(symbol)'"
        case .unmatched(let symbol): "unexpected '\(symbol)': no '\(Self.opening(of: symbol))' is open"
        case .predicateIsNotAValue: "expected AND, OR or the end: a predicate is not a value"
        case .predicateIsNotAnExpression: "expected an expression, found a predicate"
        case .reservedWord(let word): "expected a value or a key: '\(word)' is a reserved word"
        case .unterminatedString: "expected the quote that closes this string"
        case .quoteInsideString: "expected AND, OR or the end: the string ended early"
        case .wildcardOutsideString: "expected a value on both sides of '*'"
        case .loneSurrogate: "expected a character, found half of a surrogate pair"
        case .unexpectedCharacter(let character): "expected a value, a key or an operator, found \(shown(character))"
        case .nonASCIIKey(let character): "expected a key of ASCII letters, found \(shown(character))"
        case .loneMark(let mark): "expected a name after '\(mark)'"
        case .invalidNumber: "expected a number"
        case .integerTooLarge: "expected an integer of 64 bits"
        case .unknownSpecifier(let specifier): "expected a specifier such as %@ or %K, found '\(specifier)'"
        case .percentSign: "expected a specifier such as %@ or %K, found '%%'"
        case .missingArgument(let index): "expected an argument for specifier number \(index + 1)"
        case .surplusArguments(let expected, let found):
            "expected \(count(expected, "argument")), found \(found)"
        case .argumentKind(let index, let expected, let found):
            "expected \(expected.phrase) as argument number \(index + 1), found \(found.kindName)"
        case .predicateArgument: "expected a comparison, found an argument"
        case .emptyKey: "expected a key in the argument for %K"
        case .unknownFunction(let name, _): "expected a function of the language, found '\(name)'"
        case .unboundVariable(let name): "expected a value for $\(name)"
        case .nestingTooDeep(let limit): "expected at most \(limit) levels of nesting"
        case .formatTooLong(let limit): "expected at most \(limit) bytes of format"
        case .exceeds(let name, let limit): "expected at most \(limit) \(name.unit)"
        case .refused(let refusal): refusal.title
        }
    }

    /// The words next to the caret.
    package var label: String? {
        switch self {
        case .expectedOperator: "a value or a key alone is not a predicate"
        case .unknownOperator(_, let suggestion): suggestion.map { "did you mean \($0)?" }
        case .foreignOperator: "this operator belongs to another language"
        case .notBeforeOperator: "NOT goes before the whole comparison"
        case .betweenWithAnd: "AND joins two predicates"
        case .expectedPredicate: "this has no operator"
        case .expectedLogicalOperator: "a second clause begins here without AND or OR"
        case .chainedComparison: "a second comparison begins here"
        case .unclosed: "opened here"
        case .predicateIsNotAValue: "this follows a predicate"
        case .quoteInsideString: "this quote ended the string"
        case .unterminatedString: "opened here"
        case .wildcardOutsideString: "outside a string this is multiplication"
        case .nonASCIIKey: "not an ASCII letter"
        case .predicateArgument: "an argument is a value, never a predicate"
        case .integerTooLarge: "below -9223372036854775808 or above 18446744073709551615"
        case .nestingTooDeep: "one level too many"
        case .exceeds: "this exceeds the limit"
        case .refused(let refusal): refusal.label
        case .emptyFormat, .expectedExpression, .expectedSymbol, .expectedKey, .expectedVariable, .expectedString,
            .expectedOption, .unknownOption, .unmatched, .predicateIsNotAnExpression, .reservedWord, .loneSurrogate,
            .unexpectedCharacter, .loneMark, .invalidNumber, .unknownSpecifier, .percentSign, .missingArgument,
            .surplusArguments, .argumentKind, .emptyKey, .unknownFunction, .unboundVariable, .formatTooLong:
            nil
        }
    }

    /// Hints that depend on the code alone.
    package var hints: [String] {
        switch self {
        case .emptyFormat: ["write TRUEPREDICATE to select everything"]
        case .expectedExpression: ["write a value on both sides of the operator: age >= 21"]
        case .expectedOperator: ["compare it with something: key == YES, collection.@count > 0"]
        case .unknownOperator(let word, let suggestion):
            if let meaning = ForeignOperator.meaning(of: word) {
                [meaning]
            } else if suggestion == nil {
                [
                    "quote a key of several words: #\"first name\"; "
                        + "end a selector with a colon: \(word):"
                ]
            } else {
                []
            }
        case .foreignOperator(let sign): ForeignOperator.cure(of: sign).map { [$0.text("key", "value")] } ?? []
        case .notBeforeOperator(let word): ["write NOT (key \(word) value)"]
        case .betweenWithAnd: ["write BETWEEN {low, high}"]
        case .expectedPredicate: ["compare it with something: key == YES, key != nil"]
        case .expectedLogicalOperator: ["join the two with AND or OR; put a string of several words in quotes"]
        case .chainedComparison: ["write a == b AND b == c"]
        case .expectedSymbol(")"): ["write a collection in braces: {1, 2}"]
        case .expectedSymbol("}"): ["write values in braces, {1, 2}, and predicates in parentheses"]
        case .expectedSymbol, .expectedKey: []
        case .expectedVariable: ["write SUBQUERY(collection, $x, $x.key == value)"]
        case .expectedString:
            ["write the name as a constant: FUNCTION(target, \"selector:\", …), CAST(value, \"NSDate\")"]
        case .expectedOption: ["write ==[cd]; write a collection in braces: IN {1, 2}"]
        case .unknownOption:
            ["use c to ignore case, d to ignore diacritics, n to compare literally, l to use the locale"]
        case .unclosed, .unmatched: []
        case .predicateIsNotAValue:
            [
                "write TERNARY(predicate, 1, 0): only a value can have keys and indexes, be compared, or be used in"
                    + " arithmetic"
            ]
        case .predicateIsNotAnExpression: ["use it as a predicate, or write TERNARY(predicate, 1, 0)"]
        case .reservedWord(let word) where word.contains("-"):
            ["to use it as a key, write #\"\(word)\"; as a string, put it in quotes"]
        case .reservedWord(let word): ["to use it as a key, write #\(word); as a string, put it in quotes"]
        case .unterminatedString: []
        case .quoteInsideString: ["write a backslash before a quote inside a string, \\', or pass the string for %@"]
        case .wildcardOutsideString: ["write the wildcard inside the string or the argument: LIKE \"jo*\""]
        case .loneSurrogate: ["write both halves, \\ud83d\\ude00, or the character itself"]
        case .unexpectedCharacter("?"): ["write the wildcard inside the string: LIKE \"a?b\""]
        case .unexpectedCharacter: []
        case .nonASCIIKey(let character):
            [ForeignCharacter.hint(character) ?? "pass the key for %K, or quote it: #\"…\"; put a string in quotes"]
        case .loneMark("@"): ["write %@ for an argument"]
        case .loneMark: []
        case .invalidNumber:
            ["write 0x2A in hexadecimal, 0o52 in octal, 0b101010 in binary, at most 1.8e308; put a string in quotes"]
        case .integerTooLarge: ["write it as a floating-point number, or pass a Decimal for %@"]
        case .unknownSpecifier("%k"): ["write %K, in upper case, for a key path"]
        case .unknownSpecifier("% "): ["write modulus:by:(a, b) for a remainder, %@ for an argument"]
        case .unknownSpecifier:
            ["use %@ for any value, %d for an integer, without a width; write modulus:by:(a, b) for a remainder"]
        case .percentSign: ["write a single percent sign inside a string; elsewhere it has no meaning"]
        case .missingArgument: ["pass as many arguments as the format has specifiers"]
        case .surplusArguments: ["write a specifier for each argument, %@ or %K"]
        case .argumentKind(_, .string, _): ["pass the name of a key for %K, a string for %s"]
        case .argumentKind: ["use %@, which takes any value"]
        case .predicateArgument: ["join predicates with &&, || and ! in the program"]
        case .emptyKey: ["pass one or more keys separated by dots"]
        case .unknownFunction(let name, let nearMisses):
            nearMisses.isEmpty
                ? ["write a colon to call a function of the host: \(name):(…)"]
                : nearMisses.map { "did you mean \($0)?" }
        case .unboundVariable: ["give a value for every variable of the template"]
        case .nestingTooDeep: ["use AND and OR without parentheses, or IN with a collection"]
        case .formatTooLong: ["pass long values as arguments for %@"]
        case .exceeds(let name, _): [name.hint]
        case .refused(let refusal): refusal.hints
        }
    }

    /// Returns the opening bracket that matches a closing one.
    private static func opening(of symbol: String) -> String { ["]": "[", "}": "{"][symbol] ?? "(" }

    /// Returns a character in quotes, or its code point if it is invisible.
    private func shown(_ character: String) -> String {
        guard let scalar = character.unicodeScalars.first, scalar.isInvisible else { return "'\(character)'" }
        return scalar.codePoint
    }

    private func count(_ number: Int, _ noun: String) -> String {
        number == 0 ? "no \(noun)s" : "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

extension PredicateFormatError.ArgumentKind {
    fileprivate var phrase: String {
        switch self {
        case .number: "a number"
        case .string: "a string"
        }
    }
}

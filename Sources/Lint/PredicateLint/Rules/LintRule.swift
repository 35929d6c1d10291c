import PredicateChecks

/// The rules. Each case shows a line that violates it.
package enum LintRule: String, Hashable, Sendable, CaseIterable {
    /// `NSPredicate(format: "age > AND name == %@", name)`
    case syntax = "predicate-syntax"
    /// `NSPredicate(format: "age == %d AND name == %@", age)`
    case argumentCount = "predicate-argument-count"
    /// `NSPredicate(format: "age == %d", "21")`
    case argumentType = "predicate-argument-type"
    /// `NSPredicate(format: "name == '%@'", name)`
    case quotedPlaceholder = "predicate-quoted-placeholder"
    /// `NSPredicate(format: "name == '\(name)'")`
    case interpolation = "predicate-interpolation"
    /// `NSPredicate(format: "name == '\(field.text)'")`
    case injection = "predicate-injection"
    /// `NSPredicate(format: "age > 5 AND age < 3")`
    case check = "predicate-check"
    /// `NSPredicate(format: "nmae == 'jo' AND age == '21'")` for an entity with a name and a numeric age
    case model = "predicate-model"
    /// `#Predicate<Trip> { $0.tags.isEmpty == false }`
    case macro = "predicate-macro"
    /// `NSPredicate(format: format)`
    case dynamic = "predicate-dynamic"
    /// `NSPredicate(format: "city == 'Zürich'")` in ISO 8859-1
    case encoding = "predicate-encoding"
    /// `// predicate:disable:next predicate-chek`
    case suppression = "predicate-suppression"

    /// The rule with a name, with or without `predicate-`.
    package init?(name: String) {
        guard let rule = Self(rawValue: name) ?? Self(rawValue: "predicate-" + name) else { return nil }
        self = rule
    }

    /// The default level of findings of this rule; nil for a rule that is off by default.
    package var standardLevel: LintLevel? {
        switch self {
        case .syntax: .error
        case .argumentCount, .argumentType, .quotedPlaceholder, .interpolation, .injection, .check, .model, .macro,
            .encoding, .suppression:
            .warning
        case .dynamic: nil
        }
    }

    /// The description of the rule in help, reports and the documentation.
    package var page: CheckPage {
        switch self {
        case .syntax:
            CheckPage(
                "The format string is not a predicate", "Such a format raises an exception, which ends the program",
                wrong: call("age >"), right: call("age > 5"), .syntax)
        case .argumentCount:
            CheckPage(
                "The format has more or fewer specifiers than the call has arguments",
                "For a missing argument, the program reads memory beyond the others; surplus arguments are ignored",
                wrong: call("a == %@ AND b == %@", "a"), right: call("a == %@ AND b == %@", "a, b"), .syntax)
        case .argumentType:
            CheckPage(
                "An argument does not fit its specifier",
                "%d takes an integer, %f a floating-point number, %K the name of a key, %@ an object",
                wrong: call("age == %d", #""21""#), right: call("age == %d", "21"), .specifiers)
        case .quotedPlaceholder:
            CheckPage(
                "A specifier in quotes is a string and takes no argument",
                "The name is compared with the string %@ itself",
                wrong: call("name == '%@'", "name"), right: call("name == %@", "name"), .syntax)
        case .interpolation:
            CheckPage(
                "A value is written into the format instead of being passed as an argument",
                "A quote or a backslash in the value changes the predicate or makes it invalid",
                wrong: call(#"name == '\(name)'"#), right: call("name == %@", "name"), .injection)
        case .injection:
            CheckPage(
                "A value from outside the program becomes part of the format",
                "Whoever sends the value can change what the predicate selects, or end the program",
                wrong: "NSPredicate(format: textField.text!)", right: call("name == %@", "textField.text!"), .injection)
        case .check:
            CheckPage(
                "The predicate is legal but probably not what was meant", "It selects other objects, or none",
                wrong: call("age > 5 AND age < 3"), right: call("age > 3 AND age < 5"), .inferred)
        case .model:
            CheckPage(
                "The data model has no such key, or its values do not fit the comparison",
                "A fetch with an unknown key path ends the program; a comparison of different kinds finds nothing",
                wrong: call("nmae == %@", "name"), right: call("name == %@", "name"), .use)
        case .macro:
            CheckPage(
                "A #Predicate compiles and then fails, or the macro refuses it",
                "Each finding names the systems on which it was seen and a report or description of it",
                wrong: "#Predicate<Trip> { $0.tags.isEmpty == false }", right: "#Predicate<Trip> { !$0.tags.isEmpty }",
                .reported(MacroFailure.emptyWithBoolean.report?.address ?? ""))
        case .dynamic:
            CheckPage(
                "The format string is not known before the program runs", "It cannot be checked",
                wrong: "NSPredicate(format: format)", right: call("%K == %@", "key, value"), .inferred)
        case .encoding:
            CheckPage(
                "The format or the file is not UTF-8", "Compilers read sources as UTF-8, so the strings differ",
                wrong: "a file in ISO 8859-1", right: "the file in UTF-8", .inferred)
        case .suppression:
            CheckPage(
                "A comment for lint names no rule, or turns nothing off",
                "The finding is still shown, or the comment is no longer needed",
                wrong: "// predicate:disable:next predicate-chek", right: "// predicate:disable:next predicate-check",
                .inferred)
        }
    }

    /// `NSPredicate(format: "age > %d", age)`
    private func call(_ format: String, _ arguments: String = "") -> String {
        "NSPredicate(format: \"\(format)\"\(arguments.isEmpty ? "" : ", \(arguments)"))"
    }

    /// The addresses of the sources for the findings of the rule, in addition to that of its page.
    var addresses: String? {
        switch self {
        case .model: "Keys, values and operators of hosts are those of their documentation: \(HostTable.sources)."
        case .macro: "The reports and descriptions: \(MacroFailure.reports)."
        case .syntax, .argumentCount, .argumentType, .quotedPlaceholder, .interpolation, .injection, .check, .dynamic,
            .encoding, .suppression:
            nil
        }
    }
}

extension CheckPage.Source {
    fileprivate static let (injection, specifiers) = (
        documented("https://cwe.mitre.org/data/definitions/943.html"),
        documented(
            "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Strings/Articles/formatSpecifiers.html"
        )
    )
}

/// The severity of a finding.
package typealias LintLevel = PredicateFinding.Level

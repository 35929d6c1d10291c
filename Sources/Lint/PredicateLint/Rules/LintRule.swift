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

    /// The level of findings of this rule unless configured otherwise; nil for a rule that is off.
    package var standardLevel: LintLevel? {
        switch self {
        case .syntax: .error
        case .argumentCount, .argumentType, .quotedPlaceholder, .interpolation, .injection, .check, .model, .macro,
            .encoding, .suppression:
            .warning
        case .dynamic: nil
        }
    }

    /// A one-line description of the rule.
    package var summary: String {
        switch self {
        case .syntax: "The format string is not a predicate"
        case .argumentCount: "The format has more or fewer specifiers than the call has arguments"
        case .argumentType: "An argument does not fit its specifier"
        case .quotedPlaceholder: "A specifier in quotes is a string and takes no argument"
        case .interpolation: "A value is written into the format instead of being passed as an argument"
        case .injection: "A value from outside the program becomes part of the format"
        case .check: "The predicate is legal but probably not what was meant"
        case .model: "The data model has no such key, or its values do not fit the comparison"
        case .macro: "A #Predicate compiles and then fails, or the macro refuses it"
        case .dynamic: "The format string is not known before the program runs"
        case .encoding: "The format or the file is not UTF-8"
        case .suppression: "A comment for lint names no rule, or turns nothing off"
        }
    }

    /// Instructions for correcting a finding, in Markdown.
    package var help: String {
        switch self {
        case .syntax:
            "On Apple's platforms, such a format raises an exception at run time, which ends the program."
                + " The message says what was expected, and where."
        case .argumentCount:
            "Each of `%@`, `%K`, `%d` … takes one argument. If there are too few, memory beyond the arguments is read;"
                + " surplus arguments are ignored."
        case .argumentType:
            "`%d` takes an integer, `%f` a floating-point number, `%K` the name of a key, `%@` an object."
        case .quotedPlaceholder: "Write `name == %@` without quotes: an argument needs none."
        case .interpolation:
            "A quote or a backslash in the value changes the predicate or makes it invalid."
                + " Write `%@` and pass the value as an argument."
        case .injection:
            "Whoever sends the value can change what the predicate selects, or end the program."
                + " Pass values for `%@`, and allow only keys from a fixed list for `%K`."
        case .check: "See `predicate help check`."
        case .model:
            "A fetch with an unknown key path, or one that compares a to-many key with a single value, ends the"
                + " program; a comparison of different kinds finds nothing. See `predicate help check`. Keys and operators"
                + " of hosts are those of their documentation: \(PredicateHosts.sources)."
        case .macro:
            "Each finding tells what fails, the systems on which it was seen, and a public report or description of it:"
                + " \(MacroFailure.reports)."
        case .dynamic: "A format that is built at run time cannot be checked; a literal with `%@` and `%K` can."
        case .encoding: "Compilers read sources as UTF-8. Save the file as UTF-8."
        case .suppression:
            "Write `// predicate:disable:next RULE`, with the name of a rule or check, and remove the comment when its"
                + " reason is gone."
        }
    }
}

/// The severity of a finding.
package enum LintLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    case note
    case warning
    case error

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    package static func < (left: LintLevel, right: LintLevel) -> Bool { left.rank < right.rank }
}

import PredicateLint

extension HelpPages {
    static var lint: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate lint [OPTION...] PATH..."],
            purpose: "Find the format strings of source code and say what is wrong with them, before they run. Reads"
                + " Swift, Objective-C, scripts and workflows that call 'log --predicate', property lists of Munki and"
                + " Jamf, and Core Data models; reads standard input for '-'. Calls of NSPredicate, NSExpression,"
                + " FormatPredicate and Realm are known; --call names others. Directories are searched; what is hidden"
                + " is left out, but for .github.")
        page.add(
            paragraph: "The file .predicate-lint of this directory has a setting in each line: 'exclude PATTERN',"
                + " 'call NAME', 'level RULE LEVEL', 'model FILE', 'baseline FILE'. In the source a comment"
                + " 'predicate:disable:next RULE' turns a rule off for the next line; disable:this, disable:previous,"
                + " disable and enable exist too.")
        page.add("Options", rows: rows(LintOption.self))
        page.add("Rules", rows: LintRule.allCases.map { ($0.rawValue, ruleText($0)) })
        page.add(
            "Exit status",
            rows: [
                ("0", "nothing found"), ("1", "something found"),
                ("2", "an error, even if only some files could not be read"),
            ])
        page.add(
            "Examples",
            lines: [
                "predicate lint Sources",
                "predicate lint --format sarif . > predicates.sarif",
                "predicate lint --model App/Model.xcdatamodeld --call 'find(where:)' App",
                "predicate lint --fix --diff Sources",
            ])
        return page
    }

    private static func ruleText(_ rule: LintRule) -> String {
        "\(rule.summary) (\(rule.standardLevel?.rawValue ?? "off"))"
    }
}

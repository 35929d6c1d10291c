import PredicateLint

/// Any bytes as a source of any kind: places lie in it, outputs are written, fixes apply.
struct LintCheck {
    private let kind: SourceKind
    private let source: [UInt8]

    /// The first byte chooses the kind.
    init(_ bytes: [UInt8]) {
        let kinds = SourceKind.allCases
        kind = kinds[Int(bytes.first ?? 0) % kinds.count]
        source = Array(bytes.dropFirst())
    }

    init(_ source: [UInt8], _ kind: SourceKind) {
        self.kind = kind
        self.source = source
    }

    func run() throws(FuzzFinding) {
        let result = try check(source)
        for format in LintFormat.allCases {
            for lists in [false, true] {
                let file = LintedFile(path: "a/b c.swift", source: source, result: result, lists: lists)
                var writer = LintWriter(format, version: "1")
                _ = writer.head + writer.text(of: file) + writer.tail
            }
        }
        let edits = LintedFile(path: "a", source: source, result: result, lists: false).edits
        try FuzzFinding.unless(areApart(edits), "edits overlap: \(edits)")
        if !edits.isEmpty { _ = try check(LintEdit.apply(edits, to: source)) }
    }

    private func check(_ source: [UInt8]) throws(FuzzFinding) -> LintResult {
        let result = Linter().lint(source, kind: kind)
        for format in result.formats {
            try check(format.text.literal, in: source, "the literal of '\(format.text.text)'")
            let count = format.text.bytes.count
            try FuzzFinding.unless(
                format.text.text.utf8.count == count, "decoding '\(format.text.text)' changes its offsets")
            for offset in stride(from: 0, to: count, by: max(1, count / 8)) {
                try check(format.text.sourceRange(of: offset..<offset + 1), in: source, "a byte of a format")
            }
        }
        for finding in result.findings {
            try check(finding.range, in: source, "'\(finding.message)'")
            try check(finding.literal, in: source, "the literal of '\(finding.message)'")
        }
        return result
    }

    private func check(_ range: Range<Int>, in source: [UInt8], _ what: String) throws(FuzzFinding) {
        try FuzzFinding.unless(
            range.lowerBound >= 0 && range.upperBound <= source.count, "\(what) stands at \(range) of \(source.count)")
    }

    private func areApart(_ edits: [LintEdit]) -> Bool {
        zip(edits, edits.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound }
    }

    /// Sources of every kind with the formats of the conformance data.
    static func seeds(_ formats: [String]) -> [[UInt8]] {
        stride(from: 0, to: formats.count, by: 8).flatMap { start -> [[UInt8]] in
            let part = Array(formats[start...].prefix(8))
            return SourceKind.allCases.enumerated().map { number, kind in
                [UInt8(number)] + Array(part.map { source($0, kind) }.joined(separator: "\n").utf8)
            }
        } + latin1
    }

    /// Sources of every kind with a byte that is not UTF-8.
    private static var latin1: [[UInt8]] {
        SourceKind.allCases.enumerated().map { number, kind in
            let source = Array(source("city == 'Z?rich' AND b NOT IN {1}", kind).utf8)
            return [UInt8(number)] + source.map { $0 == UInt8(ascii: "?") ? 0xFC : $0 }
        }
    }

    private static func source(_ format: String, _ kind: SourceKind) -> String {
        let escaped = format.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return switch kind {
        case .swift:
            "let p = NSPredicate(format: \"\(escaped)\", a, \"b\") // #if\nf(#\"\\#(x)\"#, \"\"\"\n  \(escaped)\n  \"\"\")"
                + "\n@Model class A<T> { var a: [A]?; var b: Int { 1 } }\n_ = #Predicate<A> { c in if let d = c.a?.b?.e { d.f"
                + " { $0.g == nil } ? .h : !c.b.isEmpty == false } else { c == \"\(escaped)\" as? T } }"
        case .objectiveC:
            "#define F @\"\(escaped)\"\n[NSPredicate predicateWithFormat:@\"\(escaped)\" @\"\", a ? b : c, @1];"
        case .script: "log show --predicate '\(format)' # it's\nlog stream --predicate \"$A \(escaped)\""
        case .propertyList: "<plist><key>installable_condition</key><string>\(xml(format))</string></plist>"
        case .compiledModel: format
        case .program:
            "By.iOSNsPredicateString(\"\(escaped) == '\" + name + \"'\"); `-ios predicate string:\(format) ${a}`"
        case .markdown: "```swift\nNSPredicate(format: \"\(escaped)\")\n```\n~~~sh\nlog show --predicate '\(format)'"
        case .dataModel: "<entity name=\"A\"><fetchRequest entity=\"A\" predicateString=\"\(xml(format))\"/></entity>"
        }
    }

    private static func xml(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}

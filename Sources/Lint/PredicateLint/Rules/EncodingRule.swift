/// `predicate-encoding`: bytes that are not UTF-8, in a format or in the whole file.
enum EncodingRule {
    /// The first such byte of a format.
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard let offset = WrongBytes.first(in: subject.text.literal, subject.bytes) else { return [] }
        return [
            subject.finding(
                .encoding, "the format has bytes that are not UTF-8, so the program may compare another string",
                hints: ["save the file as UTF-8"], at: offset..<offset + 1)
        ]
    }

    /// The byte order mark of UTF-16.
    static func findings(in bytes: Bytes) -> [LintFinding] {
        guard isUTF16(bytes) else { return [] }
        let text = "the file is UTF-16, so the formats in it are not checked"
        return [
            LintFinding(rule: .encoding, level: .warning, text: text, hints: ["save the file as UTF-8"], range: 0..<2)
        ]
    }

    private static func isUTF16(_ bytes: Bytes) -> Bool {
        (bytes[0], bytes[1]) == (0xFE, 0xFF) || (bytes[0], bytes[1]) == (0xFF, 0xFE)
    }
}

import PredicateText

/// Case mapping for MariaDB and MySQL, whose own follows the collation: a table in which a function looks code points up.
///
/// The digits of `blocks` say for each 128 code points which block of `records` they have. Record 0 is that of what stays; then
/// come those of what becomes several letters, which stand in `several`, and those that add a number, which stand in `sums`.
struct MySQLCaseMapping {
    /// A number of two bytes for each 128 code points, in `ucs2`.
    private let blocks: String
    /// A number of two bytes for each code point of a block, in `ucs2`.
    private let records: String
    /// Twelve bytes for each record: up to three code points, and zeros after them.
    private let several: String
    /// Four bytes for each record: what is added, and ``offset``.
    private let sums: String
    private let severalCount: Int

    /// No sum is below 0.
    private static let offset: Int64 = 0x20000
    private static let blockSize: UInt32 = 128

    init(_ mapping: CaseMapping) {
        let changes = mapping.changes
        var letters = Numbering<[UInt32]>([[]])
        for change in changes where change.to.count > 1 { _ = letters.number(of: change.to.map(\.value)) }
        severalCount = letters.values.count - 1
        var sums = Numbering<Int64>([])
        var numbers: [UInt32: Int] = [:]
        for (from, to) in changes {
            numbers[from.value] =
                to.count > 1
                ? letters.number(of: to.map(\.value))
                : severalCount + 1 + sums.number(of: Int64(to[0].value) - Int64(from.value) + Self.offset)
        }
        var distinct = Numbering<[Int]>([])
        blocks = stride(from: 0, to: CaseMapping.limit, by: Int(Self.blockSize)).map { start in
            let block = (start..<start + Self.blockSize).map { numbers[$0] ?? 0 }
            return Hexadecimal.text(UInt32(distinct.number(of: block)), 4)
        }.joined()
        records = distinct.values.joined().map { Hexadecimal.text(UInt32($0), 4) }.joined()
        several = letters.values.dropFirst().map { Hexadecimal.row($0, count: 3) }.joined()
        self.sums = sums.values.map { Hexadecimal.text(UInt32($0), 8) }.joined()
    }

    /// `predicates2_upper`
    static let upper = MySQLCaseMapping(.upper)
    /// `predicates2_lower`
    static let lower = MySQLCaseMapping(.lower)

    /// The table as declarations of a function.
    var declarations: String {
        """
        DECLARE blocks LONGTEXT CHARACTER SET ucs2 DEFAULT _ucs2 x'\(blocks)';
        DECLARE records LONGTEXT CHARACTER SET ucs2 DEFAULT _ucs2 x'\(records)';
        DECLARE several LONGBLOB DEFAULT x'\(several)';
        DECLARE sums LONGBLOB DEFAULT x'\(sums)';
        """
    }

    /// Puts what the code point `code` becomes into `part`, which is the code point.
    var mapPart: String {
        """
        IF code < \(CaseMapping.limit) THEN
        SET record = ORD(SUBSTRING(records, 128 * ORD(SUBSTRING(blocks, code DIV 128 + 1, 1)) + code % 128 + 1, 1));
        IF record > \(severalCount) THEN
        SET part = \(MySQLPrelude.bytes(of: "code + \(sum) - \(Self.offset)"));
        ELSEIF record > 0 THEN
        SET part = TRIM(TRAILING x'00000000' FROM SUBSTRING(several, 12 * record - 11, 12));
        END IF;
        END IF;
        """
    }

    private var sum: String {
        MySQLPrelude.number(of: "SUBSTRING(sums, 4 * (record - \(severalCount)) - 3, 4)")
    }
}

extension MySQLPrelude {
    /// `predicates2_lower(s)`
    func caseMapping(_ function: SQLFunction, _ mapping: CaseMapping) -> String {
        let table = mapping == .upper ? MySQLCaseMapping.upper : .lower
        return create(
            function.name, "s \(text)", text,
            """
            DECLARE source, run, result LONGBLOB DEFAULT '';
            DECLARE part VARBINARY(12);
            DECLARE place, size, code, record INT DEFAULT 0;
            \(table.declarations)
            IF s IS NULL THEN RETURN NULL; END IF;
            IF LENGTH(s) = CHAR_LENGTH(s) THEN RETURN \(mapping == .upper ? "UPPER(s)" : "LOWER(s)"); END IF;
            \(mapping == .upper ? "" : finalSigmas)
            SET source = \(Self.codePoints(of: "s")), size = CHAR_LENGTH(s);
            WHILE place < size DO
            SET part = SUBSTRING(source, 4 * place + 1, 4), place = place + 1;
            SET code = \(Self.number(of: "part"));
            \(table.mapPart)
            SET run = CONCAT(run, part);
            IF LENGTH(run) > 4096 THEN SET result = CONCAT(result, run), run = ''; END IF;
            END WHILE;
            RETURN \(Self.text(of: "CONCAT(result, run)"));
            """)
    }

    /// The pattern and the replacement stand in bytes, so that no setting decides how a backslash is read.
    private var finalSigmas: String {
        let sigma = Self.literal("\(CaseMapping.sigma)", collation)
        let pattern = Self.literal(Self.sigmaAtEnd, collation)
        let groups = server == .mariaDB ? ("\\1", "\\2") : ("$1", "$2")
        let replacement = Self.literal("\(groups.0)\(CaseMapping.finalSigma)\(groups.1)", collation)
        return "IF LOCATE(\(sigma), s) > 0 THEN SET s = REGEXP_REPLACE(s, \(pattern), \(replacement)); END IF;"
    }

    private static let sigmaAtEnd = SQLRegularExpressions.java.sigmaAtEnd

    static func literal(_ text: String, _ collation: String) -> String {
        "_utf8mb4 x'\(text.utf8.map { Hexadecimal.text(UInt32($0), 2) }.joined())' COLLATE \(collation)"
    }
}

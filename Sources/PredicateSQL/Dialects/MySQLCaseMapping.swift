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
    /// Up to three code points for each record, and zeros after them, in `utf32`.
    private let several: String
    /// A code point for each record, in `utf32`: what is added, and ``offset``.
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

    /// Puts what the code point `code` becomes into `part`, which is the code point. The tables are literals and stand once each.
    var mapPart: String {
        """
        SET record = ORD(SUBSTRING(_ucs2 x'\(records)', \
        128 * ORD(SUBSTRING(_ucs2 x'\(blocks)', code DIV 128 + 1, 1)) + code % 128 + 1, 1));
        IF record > \(severalCount) THEN
        SET part = CHAR(code + ORD(SUBSTRING(_utf32 x'\(sums)', record - \(severalCount), 1)) - \(Self.offset) USING utf32);
        ELSEIF record > 0 THEN
        SET part = TRIM(TRAILING _utf32 x'00000000' FROM SUBSTRING(_utf32 x'\(several)', 3 * record - 2, 3));
        END IF;
        """
    }
}

extension MySQLPrelude {
    /// `predicates2_lower(s)`
    func caseMapping(_ function: SQLFunction, _ mapping: CaseMapping) -> String {
        let table = mapping == .upper ? MySQLCaseMapping.upper : .lower
        return create(
            function.name, "s \(text)", text,
            """
            DECLARE source, run, result LONGTEXT CHARACTER SET utf32 COLLATE utf32_bin DEFAULT '';
            DECLARE part VARCHAR(3) CHARACTER SET utf32;
            DECLARE place, stop, size, code, record INT DEFAULT 0;
            IF s IS NULL THEN RETURN NULL; END IF;
            IF LENGTH(s) = CHAR_LENGTH(s) THEN RETURN \(mapping == .upper ? "UPPER(s)" : "LOWER(s)"); END IF;
            \(mapping == .upper ? "" : finalSigmas)
            SET source = CONVERT(s USING utf32), size = CHAR_LENGTH(s);
            WHILE place < size DO
            SET run = '', stop = LEAST(place + 1024, size);
            WHILE place < stop DO
            SET place = place + 1, part = SUBSTRING(source, place, 1), code = ORD(part);
            IF code BETWEEN 65 AND \(CaseMapping.limit - 1) THEN
            \(table.mapPart)
            END IF;
            SET run = CONCAT(run, part);
            END WHILE;
            SET result = CONCAT(result, run);
            END WHILE;
            RETURN CONVERT(result USING utf8mb4);
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

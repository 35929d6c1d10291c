// Numbers in MariaDB and MySQL, whose operators give unsigned integers for bits and an error past 64 bits.

extension MySQLFamily {
    func arithmetic(_ operation: SQLPiece.Arithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        switch operation {
        case .add, .subtract, .multiply: SQLPiece.arithmetic(operation, left, right).standard
        case .addIntegers, .subtractIntegers, .multiplyIntegers:
            SQLPiece.arithmetic(operation, wide(left), right).standard
        case .divideIntegers: quotient(left, right)
        case .remainderOfIntegers: SQLText.product(left, "%", "NULLIF(\(right), 0)")
        case .divideDoubles: SQLText.product(left, "/", right)
        case .bitAnd: signed(SQLText.bits(left, "&", right))
        case .bitOr: signed(SQLText.bits(left, "|", right))
        case .bitXor: signed(SQLText.bits(left, "^", right))
        case .shiftLeft: signed(SQLText.bits(left, "<<", right))
        case .shiftRight: shiftedRight(left, by: right)
        }
    }

    private func wide(_ value: SQLText) -> SQLText { "CAST(\(value) AS DECIMAL(20, 0))" }

    private func signed(_ value: SQLText) -> SQLText { "CAST(\(value) AS SIGNED)" }

    /// NULL for 0, and for the one quotient that is past 64 bits. An unsigned operand would make a quotient below 0 an error.
    private func quotient(_ left: SQLText, _ right: SQLText) -> SQLText {
        let least: SQLText = "\(left.operand(.bit)) = -9223372036854775808"
        let divisor: SQLText = "NULLIF(NULLIF(\(wide(right)), 0), CASE WHEN \(least) THEN -1 END)"
        return SQLText.product(wide(left), "DIV", divisor)
    }

    /// The bits of a negative number, whose sign moves in, are those of its complement, complemented.
    private func shiftedRight(_ value: SQLText, by count: SQLText) -> SQLText {
        let (value, count) = (value.operand(.atom), count.operand(.atom))
        return """
            CASE WHEN \(value) < 0 THEN -1 - CAST((-1 - \(value)) >> \(count) AS SIGNED) \
            ELSE CAST(\(value) >> \(count) AS SIGNED) END
            """
    }

    func cast(_ value: SQLText, _ cast: SQLPiece.Cast) -> SQLText? {
        switch cast {
        case .integerToDouble, .decimalToDouble: "CAST(\(value) AS DOUBLE)"
        case .integerToText: "CAST(\(value) AS CHAR)"
        case .booleanToInteger, .integerToDecimal, .notANumberToNull: value
        // The angle of a point to the left, or to the right.
        case .doubleToSign: "ATAN2(0, \(value))"
        }
    }

    /// ASCII without a call, which takes longer than anything else in a statement.
    private func folded(_ text: SQLText, by function: SQLFunction, _ short: (SQLText) -> SQLText) -> SQLText {
        let text = unicode(text)
        return """
            CASE WHEN LENGTH(\(text)) = CHAR_LENGTH(\(text)) THEN \(short("\(text) COLLATE \(collation)")) \
            ELSE \(SQLText(name: function.name))(\(text)) END
            """
    }

    func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? {
        let list = SQLText.joined(arguments, by: ", ")
        switch function {
        case .length: return SQLText.product("LENGTH(CONVERT(\(list) USING utf16))", "DIV", "2")
        case .absolute: return "ABS(\(list))"
        case .floor: return "FLOOR(\(list))"
        case .ceiling: return "CEILING(\(list))"
        case .truncate: return "TRUNCATE(\(list), 0)"
        // Of a number below 0 it is NULL, which stands for what is not a number.
        case .squareRoot: return "SQRT(\(list))"
        case .remainder:
            guard arguments.count == 2 else { return nil }
            return SQLText.product(arguments[0], "%", "NULLIF(\(arguments[1]), 0)")
        case .uppercase: return folded(list, by: function) { "UPPER(\($0))" }
        case .foldCase, .foldCaseAndDiacritics, .lowercase: return folded(list, by: function) { "LOWER(\($0))" }
        case .foldDiacritics: return folded(list, by: function) { $0 }
        case .begins, .ends, .contains, .like, .date:
            return "\(SQLText(name: function.name))(\(list))"
        case .compare, .matches, .decimalCompare, .decimalDouble, .divide, .power,
            .naturalLogarithm, .decimalLogarithm, .exponential, .mixedKinds:
            return nil
        }
    }
}

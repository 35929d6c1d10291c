import PredicateEvaluation
import PredicateSyntax

/// Reads the values of the given expressions for rows, which are elements in memory.
struct RowReader<Row> {
    private let fields: ElementFields<Row>
    private let expressions: [ExpressionEvaluator]
    private let variables: PredicateVariables
    /// The buffer for flat values; nil if a value must be read in full.
    private let flat: FlatRows?

    init(_ rows: UnsafeBufferPointer<Row>, _ expressions: [ExpressionEvaluator], _ settings: QuerySettings) {
        (self.expressions, variables) = (expressions, settings.variables)
        fields = ElementFields(rows, expressions, variables)
        flat = fields.areFlat ? FlatRows(width: expressions.count) : nil
    }

    var width: Int { expressions.count }

    /// Returns true if the values in a column can only be nil, numbers and Booleans.
    func isNumeric(_ column: Int) -> Bool { fields.isNumeric(column) }

    /// Returns the names of the values of a row that is an object or a dictionary; none for another row.
    func memberNames(of number: Int) -> [String] {
        switch fields.keyedValue(number) {
        case .object(let object): object.allKeys
        case .value(.dictionary(let members)): Array(members.keys).inCodePointOrder()
        case .value, .collection: []
        }
    }

    /// Returns all values of a row.
    func values(of number: Int) throws(EvaluationError) -> [PredicateValue] {
        var values: [PredicateValue] = []
        values.reserveCapacity(width)
        var object: KeyedValue?
        for column in 0..<width { values.append(try value(of: number, column, &object)) }
        return values
    }

    /// Returns one value of a row.
    func value(of number: Int, _ column: Int) throws(EvaluationError) -> PredicateValue {
        var object: KeyedValue?
        return try value(of: number, column, &object)
    }

    /// Returns one value of a row. The row's object is made when first needed and then reused.
    private func value(
        of number: Int, _ column: Int, _ object: inout KeyedValue?
    ) throws(EvaluationError) -> PredicateValue {
        if let value = fields.value(number, column) { return value }
        let row = object ?? fields.keyedValue(number)
        object = row
        let value = try expressions[column].keyedValueOrNil(row, variables)
        return value.predicateValue ?? value.attributeValues
    }

    /// Returns true if a condition holds for a row. It does not hold if an operand is nil.
    func satisfies(_ condition: PredicateEvaluator, _ number: Int) throws(EvaluationError) -> Bool {
        try condition.holds(fields.keyedValue(number), variables)
    }

    /// Passes the flat values of rows to a closure, several rows at a time; the values of a row follow those of the row before
    /// it. A value that must be read in full is opaque. Strings are valid until the closure returns. Returns false if rows of
    /// this kind have values that are not flat.
    func forEachFlat(
        _ numbers: [Int],
        _ body: (UnsafeBufferPointer<Int>, UnsafeMutablePointer<FlatValue>) throws(EvaluationError) -> Void
    ) throws(EvaluationError) -> Bool {
        guard let flat else { return false }
        let result = numbers.withUnsafeBufferPointer { numbers in
            Result { () throws(EvaluationError) in
                for start in stride(from: 0, to: numbers.count, by: FlatRows.most) {
                    let end = min(start + FlatRows.most, numbers.count)
                    let some = UnsafeBufferPointer(rebasing: numbers[start..<end])
                    fields.read(some, into: flat)
                    try body(some, flat.values)
                }
            }
        }
        try result.get()
        return true
    }
}

extension RowReader {
    /// Passes rows with keys to a closure, several rows at a time: the keys made from their first values, their numbers, and
    /// their flat values. A row with a value that must be read in full is passed to `inFull`; so are all rows if rows of this
    /// kind have values that are not flat, or if `areFlat` is false.
    func forEachRow(
        _ numbers: [Int], keyCount: Int, likeThoseOf other: GroupKeys, areFlat: Bool = true,
        _ body: (GroupKeys, UnsafeBufferPointer<Int>, UnsafeBufferPointer<FlatValue>) -> Void,
        inFull: (Int) throws(EvaluationError) -> Void
    ) throws(EvaluationError) {
        guard areFlat, flat != nil else {
            for number in numbers { try inFull(number) }
            return
        }
        let width = width
        var keys = GroupKeys(likeThoseOf: other)
        _ = try forEachFlat(numbers) { (numbers, values) throws(EvaluationError) in
            var start = 0
            while start < numbers.count {
                let end = keys.append(values, start..<numbers.count, keyCount, of: width)
                let some = UnsafeBufferPointer(start: values + start * width, count: (end - start) * width)
                body(keys, UnsafeBufferPointer(rebasing: numbers[start..<end]), some)
                keys.removeAll()
                if end < numbers.count { try inFull(numbers[end]) }
                start = end + 1
            }
        }
    }
}

extension GroupKeys {
    /// Appends the keys of rows up to the first row that must be read in full. Returns the index of that row, or the end.
    fileprivate mutating func append(
        _ values: UnsafeMutablePointer<FlatValue>, _ rows: Range<Int>, _ keyCount: Int, of width: Int
    ) -> Int {
        var row = values + rows.lowerBound * width
        for number in rows {
            for index in keyCount..<width { if case .opaque = row[index] { return number } }
            for index in 0..<keyCount where !append(row[index]) {
                drop()
                return number
            }
            finish()
            row += width
        }
        return rows.upperBound
    }
}

extension KeyedValue {
    /// The plain values of an object, by key. Values that are objects themselves are left out.
    fileprivate var attributeValues: PredicateValue {
        guard case .object(let object) = self else { return .null }
        let members = object.allKeys.compactMap { key in
            object.value(forKey: key)?.predicateValue.map { (key, $0) }
        }
        return .dictionary(Dictionary(members) { first, _ in first })
    }
}

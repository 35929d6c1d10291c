public import PredicateEvaluation
public import PredicateSyntax

/// Queries over elements of any type: structs, objects, dictionaries, data. [NSP-513]
///
/// An expression with an operand that is nil has the value nil; any other error ends the query.
extension Sequence {
    /// Returns the rows of a query: the values of elements or of groups.
    ///
    /// ```swift
    /// try people.results(of: FormatQuery("city, avg(age) WHERE active == YES GROUP BY city ORDER BY avg_age DESC"))
    /// ```
    ///
    /// The rows of a query for whole elements have a column for each of their keys.
    /// - Throws: ``/PredicateEvaluation/EvaluationError``; `notANumber` for an aggregate of numbers that meets another value.
    public func results(
        of query: FormatQuery, variables: PredicateVariables = [:], context: PredicateContext = .standard
    ) throws(EvaluationError) -> QueryResults {
        let settings = QuerySettings(variables: variables, context: context)
        return try withElements { (elements) throws(EvaluationError) in
            try PreparedQuery(query, settings).results(of: elements)
        }
    }

    /// Returns the elements that a query selects, in its order.
    ///
    /// ```swift
    /// try people.selected(by: FormatQuery("WHERE age > 20 ORDER BY name[c] LIMIT 3 BY city"))
    /// ```
    ///
    /// If the query names values, they count for DISTINCT, and as names in the order.
    /// - Throws: ``/PredicateEvaluation/EvaluationError``; `notEvaluable` for a query with groups.
    public func selected(
        by query: FormatQuery, variables: PredicateVariables = [:], context: PredicateContext = .standard
    ) throws(EvaluationError) -> [Element] {
        let settings = QuerySettings(variables: variables, context: context)
        return try withElements { (elements) throws(EvaluationError) in
            let numbers = try PreparedQuery(query, settings).numbers(of: elements)
            return Array(elements, inOrder: numbers)
        }
    }

    /// Returns the elements in the order of some keys. Elements that are equal under all keys keep their order. [NSP-510]
    ///
    /// `try people.sorted(using: [SortKey("age"), SortKey("name", options: .caseInsensitive)])`
    /// - Throws: ``/PredicateEvaluation/EvaluationError`` of the value of a key.
    public func sorted(
        using keys: [SortKey], variables: PredicateVariables = [:], context: PredicateContext = .standard
    ) throws(EvaluationError) -> [Element] {
        let settings = QuerySettings(variables: variables, context: context)
        return try withElements { (elements) throws(EvaluationError) in
            let order = try RowOrder(keys.map { ($0, $0.value) }, settings)
            return Array(elements, inOrder: try order.sorted(elements, Array(elements.indices)))
        }
    }

    /// Calls `work` with the elements in memory.
    private func withElements<Outcome>(
        _ work: (UnsafeBufferPointer<Element>) throws(EvaluationError) -> Outcome
    ) throws(EvaluationError) -> Outcome {
        func run(_ elements: UnsafeBufferPointer<Element>) -> Result<Outcome, EvaluationError> {
            Result { () throws(EvaluationError) in try work(elements) }
        }
        return try (withContiguousStorageIfAvailable(run) ?? Array(self).withUnsafeBufferPointer(run)).get()
    }
}

extension Array {
    /// Copies the elements with different numbers. All elements are first copied in their order, in which their memory is
    /// read fastest, and then moved.
    fileprivate init(_ elements: UnsafeBufferPointer<Element>, inOrder numbers: [Int]) {
        guard !numbers.isEmpty, numbers.count == elements.count, let start = elements.baseAddress else {
            self.init(elements, at: numbers[...])
            return
        }
        let copies = UnsafeMutablePointer<Element>.allocate(capacity: numbers.count)
        defer { copies.deallocate() }
        copies.initialize(from: start, count: numbers.count)
        self.init(unsafeUninitializedCapacity: numbers.count) { buffer, count in
            guard let target = buffer.baseAddress else { return }
            for (index, number) in numbers.enumerated() {
                (target + index).moveInitialize(from: copies + number, count: 1)
            }
            count = numbers.count
        }
    }
}

public import PredicateEvaluation
public import PredicateSyntax

/// Queries over elements of any type: structs, objects, dictionaries, data. [NSP-513]
///
/// An expression with a nil operand is nil; any other error ends the query.
extension Sequence {
    /// Returns the rows of a query: the values of elements or of groups.
    ///
    /// ```swift
    /// try people.results(of: FormatQuery("city, avg(age) WHERE active == YES GROUP BY city ORDER BY avg_age DESC"))
    /// ```
    ///
    /// A query for whole elements has a column for each of their keys.
    /// - Throws: ``/PredicateEvaluation/EvaluationError``; `notANumber` if an aggregate of numbers meets another kind of value.
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
    /// If the query lists values, DISTINCT compares these, and the order may use their names.
    /// - Throws: ``/PredicateEvaluation/EvaluationError``; `notEvaluable` for a query with groups.
    public func selected(
        by query: FormatQuery, variables: PredicateVariables = [:], context: PredicateContext = .standard
    ) throws(EvaluationError) -> [Element] {
        let settings = QuerySettings(variables: variables, context: context)
        return try withElements { (elements) throws(EvaluationError) in
            Array(elements, inOrder: try PreparedQuery(query, settings).numbers(of: elements))
        }
    }

    /// Returns the numbers of the elements that a query without groups selects, in its order. If `names` are given, the elements are
    /// records of groups with these keys.
    func numbers(
        selectedBy query: FormatQuery, _ settings: QuerySettings, names: [String]? = nil
    ) throws(EvaluationError) -> [Int] {
        try withElements { (elements) throws(EvaluationError) in
            try PreparedQuery(query, settings, names: names).numbers(of: elements)
        }
    }

    /// Returns the elements sorted by the given keys. Elements that are equal in all keys keep their order. [NSP-510]
    ///
    /// `try people.sorted(using: [SortKey("age"), SortKey("name", options: .caseInsensitive)])`
    /// - Throws: ``/PredicateEvaluation/EvaluationError`` if the value of a key cannot be computed.
    public func sorted(
        using keys: [SortKey], variables: PredicateVariables = [:], context: PredicateContext = .standard
    ) throws(EvaluationError) -> [Element] {
        try selected(by: FormatQuery(sortKeys: keys), variables: variables, context: context)
    }

    /// Calls `work` with the elements as a contiguous buffer.
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
    /// Copies the elements with these numbers, which are all different. All elements are first copied in their own order, since
    /// memory is read fastest that way, and then moved.
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

import PredicateSyntax

/// Errors that are certain before any object is evaluated.
enum PreparationChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        guard let failure = subject.judge.failure(of: subject.predicate, variables: subject.variables) else {
            return []
        }
        let node = subject.nodes.first { $0.nodeNumber == failure.node } ?? subject.root
        return subject.isUnknown(node) ? [] : [Finding(.cannotBePrepared, node, failure.message, failure.hint)]
    }
}

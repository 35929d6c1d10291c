/// A check of a regular expression for constructs that can make a matcher backtrack badly.
///
/// `j.*n[a-z]+`, `(jo|al)-\d{2,4}` are safe: at most three unbounded repetitions, none of them around a group that has
/// choices or repetitions, no back-references and no look-around.
struct BacktrackingCheck {
    typealias Construct = PredicatePolicyError.CostlyConstruct

    private var unbounded = 0
    /// True if something in the innermost open group may match in several ways.
    private var groupVaries = false
    /// True if the part that a quantifier would repeat may match in several ways itself.
    private var lastVaries = false

    private static let mostUnbounded = 3
    private static let mostRepetitions = 100

    /// The first construct of a pattern that may backtrack badly; nil if the pattern is safe.
    static func costlyConstruct(in pattern: String) -> Construct? {
        var check = BacktrackingCheck()
        return check.construct(in: PatternTree(pattern).choice)
    }

    private mutating func construct(in choice: PatternChoice) -> Construct? {
        for (index, branch) in choice.branches.enumerated() {
            if index > 0 { groupVaries = true }
            for part in branch.parts {
                if let construct = construct(in: part) { return construct }
            }
        }
        return nil
    }

    private mutating func construct(in part: PatternNode) -> Construct? {
        switch part {
        case .character, .dot, .beginning, .end, .set: lastVaries = false
        case .escape(let escape):
            lastVaries = false
            if isReference(escape) { return .backreference }
        case .group(let group): return construct(in: group)
        case .repetition(let repetition):
            return construct(in: repetition.part) ?? construct(in: repetition.quantifier)
        case .quantifier(let quantifier): return construct(in: quantifier)
        case .emptyQuotation: break
        // Perhaps the end of a group that was opened within too many others.
        case .malformed: (lastVaries, groupVaries) = (true, true)
        }
        return nil
    }

    private func isReference(_ escape: PatternEscape) -> Bool {
        guard let letter = escape.letter else { return false }
        return letter == "k" || ("0"..."9").contains(letter)
    }

    private mutating func construct(in group: PatternGroup) -> Construct? {
        guard group.kind == .capturing || group.kind == .plain else { return .specialGroup }
        let outerVaries = groupVaries
        groupVaries = false
        if let construct = construct(in: group.content) { return construct }
        lastVaries = groupVaries
        groupVaries = groupVaries || outerVaries
        return nil
    }

    private mutating func construct(in quantifier: PatternQuantifier) -> Construct? {
        guard quantifier.manner != .malformed else { return .malformedCount }
        let most = quantifier.most ?? .max
        if most != .max, most > Self.mostRepetitions { return .repetitions(most: Self.mostRepetitions) }
        if most > 1, lastVaries { return .repeatedChoice }
        if most == .max { unbounded += 1 }
        if unbounded > Self.mostUnbounded { return .unboundedRepetitions(most: Self.mostUnbounded) }
        if quantifier.isFollowedByAnother { return .repeatedRepetition }
        (lastVaries, groupVaries) = (true, true)
        return nil
    }
}

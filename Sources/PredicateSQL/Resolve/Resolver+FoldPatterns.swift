import PredicateText

/// Comparisons of texts with constants under a fold, of a database in which a regular expression is faster than a function.
///
///     name CONTAINS[c] "oh"   t0.`name` REGEXP ? AND (t0.`name` REGEXP ? IS NOT TRUE OR predicates2_contains(t0.`name`, ?, 'c'))
///
/// The first expression finds the needle in its cases, and any mark; a text without marks, which the second one finds, needs no
/// function. A comparison that an index over the fold serves has the first expression only:
///
///     name ==[c] "oh"   t0."name" ~ $1 AND predicates2_fold_c(t0."name") = $2
extension Resolver {
    /// The condition, with expressions before each call that a fold needs.
    func findingByExpressions(_ condition: ConditionForm, _ mode: FoldMode) -> ConditionForm {
        guard mode != .none, dialect.templates.finds != nil, let kind = dialect.base.regularExpressions else {
            return condition
        }
        return findingByExpressions(condition, mode, kind)
    }

    private func findingByExpressions(
        _ condition: ConditionForm, _ mode: FoldMode, _ kind: SQLRegularExpressions
    ) -> ConditionForm {
        switch condition {
        case .and(let conditions):
            if case .finds? = conditions.first { return condition }
            return .all(conditions.map { findingByExpressions($0, mode, kind) })
        case .or(let conditions): return .any(conditions.map { findingByExpressions($0, mode, kind) })
        case .not(let inner): return findingByExpressions(inner, mode, kind).negated
        case .exists(let scope, let inner): return .exists(scope, findingByExpressions(inner, mode, kind))
        case .compareText(.call(let fold, let arguments), .equal, let needle):
            guard fold.foldMode == mode, let text = arguments.first, let needle = needle.constantText else { break }
            return decided(text, kind.finding(nil, [needle], mode), others(beside: kind), condition)
        case .isIn(.call(let fold, let arguments), let elements, isText: true):
            let needles = elements.compactMap(\.constantText)
            guard fold.foldMode == mode, let text = arguments.first, needles.count == elements.count else { break }
            return decided(text, kind.finding(nil, needles, mode), others(beside: kind), condition)
        case .truth(.call(let function, let arguments)):
            guard let text = arguments.first, let needle = arguments.dropFirst().first?.constantText else { break }
            return found(text, function, needle, mode, condition, kind)
        case .constant, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin, .matches, .finds,
            .isStored,
            .bound, .isIn, .isInList, .isAmong, .isOnPage, .truth:
            break
        }
        return condition
    }

    /// The marks that leave an equality to its fold; nil where an index may hold the fold, so that it decides about every text.
    private func others(beside kind: SQLRegularExpressions) -> String? {
        dialect.features.contains(.indexesFunctions) ? nil : kind.marks
    }

    private func found(
        _ text: ValueForm, _ function: SQLFunction, _ needle: String, _ mode: FoldMode, _ condition: ConditionForm,
        _ kind: SQLRegularExpressions
    ) -> ConditionForm {
        if function == .like {
            return decided(text, kind.fitting(LikePattern(needle, mode).tokens, mode), kind.marksOrLength, condition)
        }
        guard let search = SQLPiece.Search.allCases.first(where: { SQLFunction($0, mode) == function }) else {
            return condition
        }
        return decided(text, kind.finding(search, [needle], mode), kind.marks, condition)
    }

    /// What an expression found, which the condition decides for the texts in which the other one finds something, or for all
    /// where there is no other. A text that is more than a column stays in the condition alone, which would repeat it for each
    /// expression, and so does one for which there is no expression.
    private func decided(
        _ text: ValueForm, _ pattern: String?, _ others: String?, _ condition: ConditionForm
    ) -> ConditionForm {
        guard text.isPlain, let pattern else { return condition }
        let isFound = ConditionForm.finds(text, form(.text(pattern), .text))
        guard let others else { return .and([isFound, condition]) }
        let isSimple = ConditionForm.finds(text, form(.text(others), .text)).negated
        return .and([isFound, .any([isSimple, condition])])
    }
}

extension ValueForm {
    /// The text that is bound.
    fileprivate var constantText: String? {
        guard case .parameter(let parameter) = self, case .text(let text) = parameter.binding else { return nil }
        return text
    }
}

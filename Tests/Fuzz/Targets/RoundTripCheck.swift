import Foundation
import PredicateGenerators
import PredicateSyntax

/// A tree is printed, read back, encoded and decoded, and stays the same.
struct RoundTripCheck {
    private let tree: PredicateNode

    init(_ bytes: [UInt8]) {
        var trees = RandomTree(random: RandomSource(bytes: bytes[...]))
        tree = trees.predicate(depth: 4)
    }

    func run() throws(FuzzFinding) {
        let print = tree.predicateFormat
        try FuzzFinding.unless(!TreeDump(tree).description.isEmpty, "no dump of \(print.debugDescription)")
        guard tree.isWithin(.standard), tree.readsBack else { return }
        try check(print)
        try checkArchive(print)
    }

    private func check(_ print: String) throws(FuzzFinding) {
        let parsed: PredicateNode
        do {
            parsed = try FormatPredicate(format: print, arguments: []).node
        } catch {
            throw FuzzFinding("\(print.debugDescription) is not read: \(error)")
        }
        try FuzzFinding.unless(parsed == tree, "\(print.debugDescription) reads as \(parsed.predicateFormat)")
        try FuzzFinding.unless(parsed.hashValue == tree.hashValue, "equal, with two hashes: \(print.debugDescription)")
        try FuzzFinding.unless(parsed.predicateFormat == print, "\(print.debugDescription) prints in another way")
    }

    private func checkArchive(_ print: String) throws(FuzzFinding) {
        try check(FormatPredicate(tree), print, \.node)
        try check(tree, print, \.self)
    }

    private func check<Form: Codable>(
        _ form: Form, _ print: String, _ node: (Form) -> PredicateNode
    ) throws(FuzzFinding) {
        let decoded: Form
        do {
            let decoder = JSONDecoder()
            decoder.userInfo[.predicatePolicy] = PredicatePolicy.unrestricted
            decoded = try decoder.decode(Form.self, from: JSONEncoder().encode(form))
        } catch {
            throw FuzzFinding("\(print.debugDescription) is not archived as \(Form.self): \(error)")
        }
        try FuzzFinding.unless(node(decoded) == tree, "\(print.debugDescription) is another one once decoded")
    }
}

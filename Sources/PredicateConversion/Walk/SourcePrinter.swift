import Foundation

/// Prints a predicate of Swift as source code, and finds the place of one node: `($0.age > 18) && $0.tags[0..<2] == …`.
struct SourcePrinter {
    private(set) var text = ""
    /// The range of the node that is looked for, as UTF-8 offsets; nil until it is printed.
    private(set) var range: Range<Int>?
    private var path: [Int] = []
    private let target: [Int]
    private var names: [PredicateExpressions.VariableID: String] = [:]
    private var closures = 0

    /// The levels that are printed; below them stands an ellipsis.
    private static let deepest = 120

    init(target: [Int], inputs: [PredicateExpressions.VariableID]) {
        self.target = target
        for (index, variable) in inputs.enumerated() { names[variable] = "$\(index)" }
    }

    mutating func write(_ text: String) { self.text += text }

    /// The name of a variable.
    func name(of variable: PredicateExpressions.VariableID) -> String { names[variable] ?? "?" }

    /// Prints a node, the place of which is the current path.
    mutating func print(_ node: any PredicateExpression) {
        let start = text.utf8.count
        if path.count > Self.deepest {
            write("…")
        } else if let node = node as? any ConvertibleNode {
            node.print(to: &self)
        } else {
            write("\(NodeName.of(node))(…)")
        }
        if path == target { range = start..<text.utf8.count }
    }

    /// Prints an operand of a node, in parentheses where it has an operator.
    mutating func operand(_ index: Int, of node: any ConvertibleNode) {
        let operand = node.operands[index]
        let isInfix = (operand as? any ConvertibleNode)?.isInfix ?? false
        if isInfix { write("(") }
        enter(index, operand)
        if isInfix { write(")") }
    }

    /// Prints a part of a call, where parentheses are not needed.
    mutating func argument(_ index: Int, of node: any ConvertibleNode) {
        enter(index, node.operands[index])
    }

    /// `{ v1 in v1.age > 18 }`
    mutating func closure(_ index: Int, of node: any ConvertibleNode) {
        guard let parameter = node.parameter else { return argument(index, of: node) }
        closures += 1
        names[parameter] = "v\(closures)"
        write("{ v\(closures) in ")
        argument(index, of: node)
        write(" }")
    }

    private mutating func enter(_ index: Int, _ operand: any PredicateExpression) {
        path.append(index)
        print(operand)
        path.removeLast()
    }
}

/// The name of a kind of node: `CollectionRangeSubscript`.
enum NodeName {
    static func of(_ node: any PredicateExpression) -> String {
        String(String(describing: type(of: node)).prefix { $0 != "<" })
    }
}

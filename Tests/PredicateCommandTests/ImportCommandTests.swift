import Foundation
import PredicateData
import Testing

/// `predicate store insert STORE -` of exported objects with links of every form, judged by the links that were drawn.
@Suite struct ImportCommandTests {
    private static func relationship(
        _ name: String, _ destination: String, _ inverse: String?, isToMany: Bool, _ more: String = ""
    ) -> String {
        let back = inverse.map { " inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
        return "<relationship name=\"\(name)\" optional=\"YES\" \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"")"
            + " deletionRule=\"Nullify\" destinationEntity=\"\(destination)\"\(back) \(more)/>"
    }

    /// A tree whose branches order their children, lists without an inverse, ordered tags, twins, and kin.
    private static let model = """
        <model>
        <entity name="Node" isAbstract="YES"><attribute name="n" attributeType="String"/>
        \(relationship("parent", "Branch", "children", isToMany: false))
        \(relationship("tags", "Tag", "nodes", isToMany: true, "ordered=\"YES\""))</entity>
        <entity name="Leaf" parentEntity="Node"></entity>
        <entity name="Branch" parentEntity="Node">
        \(relationship("children", "Node", "parent", isToMany: true, "ordered=\"YES\""))
        \(relationship("favorites", "Node", nil, isToMany: true))
        \(relationship("first", "Node", nil, isToMany: false))</entity>
        <entity name="Tag"><attribute name="n" attributeType="String"/>
        \(relationship("nodes", "Node", "tags", isToMany: true))
        \(relationship("twin", "Tag", "twinOf", isToMany: false))
        \(relationship("twinOf", "Tag", "twin", isToMany: false))
        \(relationship("kin", "Tag", "kin", isToMany: true))</entity>
        </model>
        """

    /// Objects by name, each with its entity, and the names in its relationships.
    private struct Graph {
        var entities: [String: String] = [:]
        var links: [String: [String: [String]]] = [:]
        static let ordered: Set<String> = ["tags", "children"]

        init(seed: UInt64) {
            var random = Steps(state: seed)
            for index in 0..<60 { entities["o\(index)"] = ["Leaf", "Branch", "Tag"][index % 3] }
            let names = entities.keys.sorted()
            let tags = names.filter { entities[$0] == "Tag" }
            let (nodes, branches) = (names.filter { entities[$0] != "Tag" }, names.filter { entities[$0] == "Branch" })
            for node in nodes.shuffled(using: &random) {
                if Bool.random(using: &random), let parent = branches.randomElement(using: &random) {
                    link(node, "parent", parent, "children")
                }
                if Bool.random(using: &random), let owner = branches.randomElement(using: &random) {
                    link(owner, "favorites", node, nil)
                }
                for tag in tags.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
                    link(node, "tags", tag, "nodes")
                }
            }
            for branch in branches { link(branch, "first", nodes.randomElement(using: &random) ?? branch, nil) }
            let mixed = tags.shuffled(using: &random)
            for index in stride(from: 0, to: mixed.count - 1, by: 2) {
                link(mixed[index], "twin", mixed[index + 1], "twinOf")
                link(mixed[index], "kin", mixed[index + 1], "kin")
            }
        }

        private mutating func link(_ one: String, _ key: String, _ other: String, _ inverse: String?) {
            links[one, default: [:]][key, default: []].append(other)
            if let inverse { links[other, default: [:]][inverse, default: []].append(one) }
        }
    }

    private struct Steps: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let store = "137DECC8-0000-4000-8000-0000000000FF"
    private static let toOne: Set<String> = ["parent", "first", "twin", "twinOf"]

    /// The lines of an export, in any order and with keys of another store. `isLeft` leaves out links.
    private static func lines(_ graph: Graph, seed: UInt64, without isLeft: (String) -> Bool = { _ in false }) throws
        -> [String]
    {
        var random = Steps(state: seed)
        let names = graph.entities.keys.sorted().shuffled(using: &random)
        func uri(_ name: String) -> String {
            "x-coredata://\(store)/\(graph.entities[name] ?? "")/p\(1000 + (names.firstIndex(of: name) ?? 0) * 7)"
        }
        return try names.shuffled(using: &random).map { name in
            var fields: [String: Any] = ["@id": uri(name), "@entity": graph.entities[name] ?? "", "n": name]
            for (key, others) in graph.links[name] ?? [:] where !isLeft(key) {
                fields[key] = toOne.contains(key) ? uri(others[0]) : others.map(uri)
            }
            return String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
        }
    }

    /// The names in the relationships of an exported store; sorted, unless the relationship is ordered.
    private static func links(_ output: String) throws -> [String: [String: [String]]] {
        var objects: [[String: Any]] = []
        for line in output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            objects.append(try #require(object))
        }
        var names: [String: String] = [:]
        for object in objects { names[object["@id"] as? String ?? ""] = object["n"] as? String }
        var found: [String: [String: [String]]] = [:]
        for object in objects {
            for (key, value) in object where key != "@id" && key != "@entity" && key != "n" && !key.contains(".") {
                let uris = (value as? [String]) ?? (value as? String).map { [$0] } ?? []
                let others = uris.map { names[$0] ?? "?" }
                guard !others.isEmpty else { continue }
                found[object["n"] as? String ?? "", default: [:]][key] =
                    Graph.ordered.contains(key) ? others : others.sorted()
            }
        }
        return found
    }

    private static func sorted(_ graph: Graph) -> [String: [String: [String]]] {
        graph.links.mapValues { links in
            Dictionary(uniqueKeysWithValues: links.map { ($0, Graph.ordered.contains($0) ? $1 : $1.sorted()) })
        }
    }

    private func withStore(_ body: (_ store: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = folder.appendingPathComponent("M.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.model.utf8).write(to: model.appendingPathComponent("contents"))
        let store = folder.path + "/M.sqlite"
        #expect(predicate("store", "create", store, "--model", model.path).status == 0)
        try body(store)
    }

    @Test(arguments: 1...8)
    func linksOfEveryFormAreTaken(_ seed: UInt64) throws {
        let graph = Graph(seed: seed)
        try withStore { store in
            let input = try Self.lines(graph, seed: seed).joined(separator: "\n")
            #expect(predicate("store", "insert", store, "-", input: input) == .success("60\n"))
            #expect(try Self.links(predicate("store", "export", store).output) == Self.sorted(graph))
        }
    }

    /// Either end of a relationship is enough.
    @Test(arguments: [["parent", "nodes", "twin"], ["twinOf", "children"], ["nodes"]])
    func oneEndIsEnough(_ left: [String]) throws {
        var graph = Graph(seed: 11)
        try withStore { store in
            let input = try Self.lines(graph, seed: 3) { left.contains($0) }.joined(separator: "\n")
            #expect(predicate("store", "insert", store, "-", input: input) == .success("60\n"))
            var found = try Self.links(predicate("store", "export", store).output)
            // Without the ordered end the order is that of the records.
            if left.contains("children") {
                for name in graph.links.keys { graph.links[name]?["children"]?.sort() }
                for name in found.keys { found[name]?["children"]?.sort() }
            }
            #expect(found == Self.sorted(graph))
        }
    }

    @Test func aLinkToNothingInsertsNothing() throws {
        let graph = Graph(seed: 5)
        try withStore { store in
            var lines = try Self.lines(graph, seed: 5)
            lines.removeLast(20)
            let refused = predicate("store", "insert", store, "-", input: lines.joined(separator: "\n"))
            #expect(refused.status == 2 && refused.error.contains("x-coredata://\(Self.store)"))
            #expect(predicate("store", "export", store).output.isEmpty)
            // What is not there yet does not hinder a second try.
            let input = try Self.lines(graph, seed: 5).joined(separator: "\n")
            #expect(predicate("store", "insert", store, "-", input: input) == .success("60\n"))
        }
    }
}

import Foundation
import PredicateModel
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Swift code and diagrams of models, whose names may be anything.
@Suite struct ModelTextTests {
    private static func code(_ entities: EntityDescription..., composites: [CompositeDescription] = []) -> String {
        ModelSwiftCode(ManagedObjectModel(entities, composites: composites)).text
    }

    /// The lines of a text that contain a word, without the spaces around them.
    private static func lines(_ text: String, _ word: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.contains(word) }
    }

    // MARK: - Swift

    @Test func typesFollowTheAttributes() {
        let types: [(AttributeType, String)] = [
            (.integer16, "Int16"), (.integer32, "Int32"), (.integer64, "Int64"), (.decimal, "Decimal"),
            (.double, "Double"), (.float, "Double"), (.string, "String"), (.boolean, "Bool"), (.date, "Date"),
            (.binaryData, "Data"), (.uuid, "UUID"), (.uri, "URL"), (.transformable, "Data"),
            (.unknown("2300"), "PredicateValue"),
        ]
        for (type, name) in types {
            let code = Self.code(
                EntityDescription(
                    "A", attributes: [.init("x", type), .init("y", type, isOptional: false)]))
            #expect(Self.lines(code, "var x") == ["var x: \(name)?"] && Self.lines(code, "var y") == ["var y: \(name)"])
        }
    }

    @Test func namesThatSwiftRefusesAreChanged() {
        let names = [
            "class", "self", "Type", "init", "first name", "1st", "", "_", "a.b", "été", "hashValue", "keys",
            "entityName", "first_name", "objectValues", "a\"b\\(c)\n",
        ]
        let code = Self.code(
            EntityDescription("Some Thing", attributes: names.map { AttributeDescription($0, .string) }))
        let found = Self.lines(code, ": String?").map { String($0.split(separator: ":")[0]) }
        let expected = [
            "var `class`", "var self_", "var Type_", "var init_", "var first_name", "var _1st", "var __", "var ___",
            "var a_b", "var été", "var hashValue_", "var keys", "var entityName", "var first_name_",
            "var objectValues_", "var a_b__c__",
        ]
        #expect(found == expected)
        #expect(Self.lines(code, "struct") == ["struct Some_Thing: KeyPathCoding, Codable, Hashable, Sendable {"])
        #expect(Self.lines(code, "case a_b__c__") == [#"case a_b__c__ = "a\"b\\(c)\n""#])
    }

    @Test func typesThatTheCodeUsesAreNotReplaced() {
        let code = Self.code(
            EntityDescription("Data"), EntityDescription("data"), EntityDescription("Set"),
            EntityDescription("Data_"), composites: [CompositeDescription("Date", attributes: [.init("x", .date)])])
        let found = Set(Self.lines(code, "struct").map { String($0.split(separator: ":")[0]) })
        #expect(found == ["struct Data_", "struct data", "struct Set_", "struct Data__", "struct Date_"])
    }

    @Test func closedValuesAreEnums() throws {
        func cases(_ attribute: AttributeDescription) -> [String] {
            Self.lines(Self.code(EntityDescription("A", attributes: [attribute])), "case ").filter { $0.contains("=") }
        }
        func valid(_ format: String) -> [ValidationRule] { [ValidationRule(ModelPredicate(format))] }
        #expect(
            cases(AttributeDescription("x", .string, regularExpression: "(draft|in progress|x-y)")) == [
                #"case draft = "draft""#, #"case inProgress = "in progress""#, #"case xY = "x-y""#,
            ])
        #expect(
            cases(
                AttributeDescription("x", .string, validations: valid("SELF == 'URL' OR SELF == '' OR SELF == 'none'")))
                == [#"case url = "URL""#, #"case empty = """#, #"case none_ = "none""#])
        #expect(
            cases(AttributeDescription("x", .integer16, maximumValue: 2, validations: valid("SELF IN {-1, 1, 2, 3}")))
                == ["case valueMinus1 = -1", "case value1 = 1", "case value2 = 2"])
        // What does not close the set, or contradicts the default, is no enum.
        let open = [
            AttributeDescription("x", .string, regularExpression: "[a-z]+"),
            AttributeDescription("x", .string, regularExpression: "a|b*"),
            AttributeDescription("x", .string, defaultValue: "z", regularExpression: "a|b"),
            AttributeDescription("x", .string, validations: valid("SELF == 'a' OR length > 3")),
            AttributeDescription("x", .string, validations: valid("SELF ==[c] 'a'")),
            AttributeDescription("x", .double, validations: valid("SELF IN {1, 2}")),
            AttributeDescription("x", .integer16, minimumValue: 0, maximumValue: 3),
        ]
        for attribute in open { #expect(cases(attribute) == [], "\(attribute)") }
    }

    @Test func defaultsAreLiterals() {
        let attributes = [
            AttributeDescription("a", .integer16, defaultValue: -3),
            AttributeDescription("b", .integer64, defaultValue: .integer(.min)),
            AttributeDescription("c", .boolean, defaultValue: true),
            AttributeDescription("d", .string, defaultValue: "say \"hi\"\u{202E}"),
            AttributeDescription("e", .decimal, defaultValue: .decimal(Decimal(string: "-1.25") ?? 0)),
            AttributeDescription("f", .double, defaultValue: .double(.infinity)),
            AttributeDescription("g", .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 1.5))),
            AttributeDescription("h", .uuid, defaultValue: .uuid(UUID())),
        ]
        let code = Self.code(EntityDescription("A", attributes: attributes))
        let found = Self.lines(code, "var ").filter { $0.contains("?") && !$0.contains("any") && !$0.contains("SQL") }
        let expected = [
            "var a: Int16? = -3", "var b: Int64? = Int64.min", "var c: Bool? = true",
            #"var d: String? = "say \"hi\"\u{202E}""#,
            "var e: Decimal? = Decimal(sign: .minus, exponent: -2, significand: 125)", "var f: Double?",
            "var g: Date? = Date(timeIntervalSinceReferenceDate: 1.5)", "var h: UUID?",
        ]
        #expect(found == expected)
    }

    @Test func transientAndDerivedAttributesAreMarked() {
        let code = Self.code(
            EntityDescription(
                "A",
                attributes: [
                    AttributeDescription("t", .string, isOptional: false, isTransient: true),
                    AttributeDescription("d", .integer64, derivation: "bs.@count"),
                ]))
        #expect(code.contains("/// Transient: not stored.\n    var t: String?\n"))
        #expect(code.contains("/// Derived: `bs.@count`. A store computes it.\n    var d: Int64?\n"))
        #expect(Self.lines(code, "\"t\"") == ["\"t\": .key(\\.t),"] && !code.contains("case t\n"))
        #expect(code.contains("case d\n") && !code.contains("\"d\": d"))
    }

    @Test func publicTypesHaveInitializersAndFilesOfTheirOwn() {
        let model = ManagedObjectModel([
            EntityDescription("A"), EntityDescription("a", attributes: [.init("x", .string)]),
        ])
        let code = ModelSwiftCode(model, access: .public)
        #expect(code.files.map(\.name) == ["A.swift", "a 2.swift"])
        #expect(
            code.text.contains("public init(\n        objectID: SQLObjectID? = nil,\n        x: String? = nil\n    ) {")
        )
        #expect(Self.lines(code.text, "struct").allSatisfy { $0.hasPrefix("public ") })
        #expect(Self.lines(code.text, "var ").allSatisfy { $0.hasPrefix("public ") })
    }

    // MARK: - Diagrams

    private static let shop = ManagedObjectModel([
        EntityDescription(
            "Shop", isAbstract: true, attributes: [.init("name", .string), .init("open", .boolean, isOptional: false)],
            relationships: [
                .toMany("items", "Item", inverse: "shop", deleteRule: .cascade, isOrdered: true),
                .toOne("owner", "Person", isOptional: false),
            ]),
        EntityDescription("Kiosk", superentity: "Shop"),
        EntityDescription("Item", relationships: [.toOne("shop", "Shop", inverse: "items", deleteRule: .deny)]),
        EntityDescription("Person", relationships: [.toMany("friends", "Person", inverse: "friends")]),
        EntityDescription("Island"),
    ])

    @Test func diagramsHaveEntitiesRelationshipsAndInheritance() {
        #expect(
            ModelDiagram(Self.shop).text == """
                classDiagram
                    class E1["Island"]
                    class E2["Item"]
                    class E3["Person"]
                    class E4["Shop"] {
                        <<abstract>>
                        name: String?
                        open: Boolean
                    }
                    class E5["Kiosk"]
                    E2 "0..*" -- "0..1" E4 : shop (Deny) / items (Cascade, ordered)
                    E3 --> "0..*" E3 : friends (Nullify)
                    E4 --> "1" E3 : owner (Nullify)
                    E4 <|-- E5

                """)
    }

    @Test func aNeighbourhoodEndsAtItsDepth() throws {
        func names(_ depth: Int) throws -> [String] {
            Self.lines(try ModelDiagram(Self.shop, around: "Item", depth: depth).text, "class E")
                .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
        }
        #expect(try names(0) == ["Item"])
        #expect(try names(1) == ["Item", "Shop"])
        #expect(try names(2) == ["Item", "Person", "Shop", "Kiosk"])
        #expect(try names(.max).count == 4)
        let error = ModelError.thrown { () throws(ModelError) in try ModelDiagram(Self.shop, around: "Itme") }
        #expect(error?.code == .unknownEntity("Itme", nearMisses: ["Item"]))
    }

    @Test func namesCannotBecomeSyntax() {
        let name = "a\"]}; direction TB\n<b>&\\N:{}~`|#35;"
        let model = ManagedObjectModel([
            EntityDescription(
                name, attributes: [.init(name, .string)], relationships: [.toOne(name + "!", name)])
        ])
        let mermaid = ModelDiagram(model).text
        #expect(mermaid.split(separator: "\n").count == 5)
        let escaped =
            "a#34;#93;#125;#59;#32;direction#32;TB#65533;#60;b#62;#38;#92;N#58;#123;#125;#126;#96;#124;#35;35#59;"
        #expect(mermaid.contains("    class E1[\"\(escaped)\"] {\n        \(escaped): String?\n    }\n"))
        #expect(mermaid.contains("E1 --> \"0..1\" E1 : \(escaped)#33; (Nullify)\n"))
    }
}

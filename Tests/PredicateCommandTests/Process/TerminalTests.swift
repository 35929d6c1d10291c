#if os(Linux)
    import Foundation
    import Testing

    /// The interactive session on a terminal.
    @Suite(.serialized) struct TerminalTests {
        @Test func linesAreEditedAndAnswered() throws {
            let child = try TerminalChild(["repl"])
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("40 + 1\u{7F}2\r")
            #expect(child.shows("\n42"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            // The previous line, with another digit at its end.
            child.type("\u{1B}[A0\r")
            #expect(child.shows("\n60"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("\u{4}")
            #expect(child.finish() == 0, "\(child.transcript)")
        }

        /// libedit would write out of bounds.
        @Test(arguments: [(24, 80), (10, 30)] as [(UInt16, UInt16)])
        func aLineThatIsTooLong(rows: UInt16, columns: UInt16) throws {
            let child = try TerminalChild(["repl"], rows: rows, columns: columns)
            #expect(child.shows("> "), "\(child.transcript)")
            child.type(String(repeating: "a == 1 OR ", count: 600) + "a == 2\r")
            #expect(child.shows("at most 2000 bytes"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("40 + 3\r")
            #expect(child.shows("\n43"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("\u{4}")
            #expect(child.finish() == 0, "\(child.transcript)")
        }

        /// Lines that come at once are entries of their own, also where one of them is wrong.
        @Test(arguments: [false, true]) func pastedLines(isMarked: Bool) throws {
            let child = try TerminalChild(["repl"])
            #expect(child.shows("> "), "\(child.transcript)")
            let lines =
                ["nmae ==== 1", "40 +", "2", "(1 +", "", "age >", ":set LIMIT 3", "$LIMIT + 50"]
                + (60..<90).map { "\($0) + 0" }
            let text = lines.joined(separator: isMarked ? "\n" : "\r") + (isMarked ? "\n7\t0" : "\r")
            child.type(isMarked ? "\u{1B}[200~\(text)\u{1B}[201~\u{8}\u{8}\u{8}71\r" : text)
            #expect(child.shows("write nmae =="), "\(child.transcript)")
            #expect(child.shows("\n42"), "\(child.transcript)")
            #expect(child.shows("error: "), "\(child.transcript)")
            #expect(child.shows("\n53"), "\(child.transcript)")
            for number in 60..<90 { #expect(child.shows("\n\(number)"), "\(child.transcript)") }
            if isMarked { #expect(child.shows("\n71"), "\(child.transcript)") }
            // Before the prompt the terminal itself reads the end of the input.
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("\u{4}")
            #expect(child.finish() == 0, "\(child.transcript)")
        }

        /// The prompt after an error is empty, and Up brings the wrong line back.
        @Test func aWrongLineIsRecalled() throws {
            let child = try TerminalChild(["repl"])
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("40 ++ 2\r")
            #expect(child.shows("error: "), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("\u{1B}[A")
            #expect(child.shows("40 ++ 2"), "\(child.transcript)")
            child.type("\u{1B}[D\u{1B}[D\u{7F}\r")
            #expect(child.shows("\n42"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("\u{4}")
            #expect(child.finish() == 0, "\(child.transcript)")
        }

        /// Records of a JSON array are indented for readers.
        @Test func jsonIsIndented() throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".json")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data("[{\"a\":1.10}]".utf8).write(to: file)
            let child = try TerminalChild(["filter", "a > 1", file.path])
            #expect(child.shows("    \"a\": 1.10"), "\(child.transcript)")
            #expect(child.finish() == 0, "\(child.transcript)")
        }

        /// Groups that are counted on a terminal have bars in the room beside them.
        @Test func countsHaveBars() throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).csv")
            try Data(("city\n" + String(repeating: "Rome\n", count: 16) + "Oslo\nOslo\nBern\n").utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let child = try TerminalChild(["--count-by", "city", file.path], columns: 21)
            #expect(
                child.shows("city  count\r\nRome     16  ████████\r\nOslo      2  █\r\nBern      1  ▌\r\n"),
                "\(child.transcript)")
            #expect(child.finish() == 0)
            let narrow = try TerminalChild(["--count-by", "city", file.path], columns: 20)
            #expect(narrow.shows("Rome     16\r\n"), "\(narrow.transcript)")
            let named = try TerminalChild(["--count-by", "city", "-o", "csv", file.path])
            #expect(named.shows("city,count\r\nRome,16\r\n"), "\(named.transcript)")
        }

        @Test func wordsAreCompleted() throws {
            let folder = NSTemporaryDirectory() + "/\(UUID().uuidString)/a-b"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data("{\"name\":\"Jo\",\"dept\":{\"floor\":3}}\n".utf8).write(
                to: URL(fileURLWithPath: folder + "/some-people.jsonl"))
            let child = try TerminalChild([folder + "/some-people.jsonl"], columns: 300)
            #expect(child.shows("1 object"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type(":loa\t\(folder.dropLast(2))\tso\t\r")
            #expect(child.shows("1 object from"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("na\tbeg\t\"J\" AND dept.fl\t== 3\r")
            #expect(child.shows("1 of 1 object matches"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("name != \"José\" AND na\t== \"J\t\r")
            #expect(child.shows("1 of 1 object matches"), "\(child.transcript)")
            #expect(child.shows("> "), "\(child.transcript)")
            child.type("\u{4}")
            #expect(child.finish() == 0, "\(child.transcript)")
        }
    }
#endif

#if os(Linux)
    import Testing

    /// The interactive session on a terminal.
    ///
    /// Input before the next prompt may be lost, since libedit changes the terminal's mode.
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
    }
#endif

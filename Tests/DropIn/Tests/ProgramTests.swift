import DropInBeside
import DropInInstead
import DropInOneFile
import Testing

/// The same programs through each door, compiled as they would be on Apple's platforms, and what they print.
@Suite struct ProgramTests {
    @Test(arguments: [DropInBeside.emailTranscript, DropInInstead.emailTranscript, DropInOneFile.emailTranscript])
    func emailCheck(_ transcript: @Sendable () -> [String]) {
        #expect(transcript() == ["fine", "email", "fine", "phone", "email"])
    }

    @Test(arguments: [DropInBeside.taskTranscript, DropInInstead.taskTranscript, DropInOneFile.taskTranscript])
    func taskList(_ transcript: @Sendable () -> [String]) {
        let lines = transcript()
        let expected = [
            "sleep, call Al, write report, Buy café filters", "sleep, call Al, write report", "write report",
            "Buy café filters", "Buy café filters", "Buy café filters", "sleep, call Al, write report",
            "sleep, call Al", "sleep, write report", "sleep, call Al", "Buy café filters", "",
            "true",
        ]
        #expect(lines == expected)
    }

    @Test(arguments: [DropInInstead.formulaTranscript, DropInOneFile.formulaTranscript])
    func formulas(_ transcript: @Sendable () -> [String]) {
        let expected = [
            "price,tax,count,discount", "120.0", #"failure(DOOR.FormulaError.unknownName("tax"))"#, "6.5", "true",
            "(or (8 name jo) (not (and (2 age 18) (4 boss nil))))",
            #"name BEGINSWITH[c] "jo" OR (NOT (age > 18 AND boss == nil))"#, "true true",
        ]
        let lines = transcript().map { line in
            line.replacing("DropInInstead", with: "DOOR").replacing("DropInOneFile", with: "DOOR")
        }
        #expect(lines == expected)
    }
}

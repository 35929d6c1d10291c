import Foundation
import PredicateConformance

exit(
    ConformanceProgram.run(Array(CommandLine.arguments.dropFirst())) { text in
        FileHandle.standardOutput.write(Data(text.utf8))
    } report: { text in
        FileHandle.standardError.write(Data(text.utf8))
    })

import Foundation
import PredicateEngines

exit(EngineProgram(CommandLine.arguments.dropFirst()).run())

import Foundation

exit(EngineBenchmark(CommandLine.arguments.dropFirst()).run())

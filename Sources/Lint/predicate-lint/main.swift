import Foundation

exit(LintTool.run(Array(CommandLine.arguments.dropFirst())))

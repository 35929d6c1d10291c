import PredicateData

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension CommandLineTool {
    /// Runs the command with the arguments and streams of this process, and returns the exit status.
    ///
    /// SIGPIPE is ignored: if the reader of the output exits, as `head` does, a failed write ends the run quietly.
    package static func runProcess() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        let console = Console(
            input: FileSource.standardInput(),
            output: DescriptorSink.standardOutput,
            errorOutput: { (bytes) throws(DataError) in try DescriptorSink.write(bytes, to: STDERR_FILENO) },
            terminal: Terminal.ofProcess())
        return run(Array(CommandLine.arguments.dropFirst()), isText: argumentsAreText(), console)
    }

    /// True for each argument of the process that is text in UTF-8: Swift repairs the others without a word.
    private static func argumentsAreText() -> [Bool] {
        (1..<max(1, Int(CommandLine.argc))).map { number in
            CommandLine.unsafeArgv[number].map { String(validatingCString: $0) != nil } ?? false
        }
    }
}

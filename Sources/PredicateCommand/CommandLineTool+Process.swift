import PredicateData

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension CommandLineTool {
    /// Runs the command with the arguments and streams of this process, and gives the status to exit with.
    ///
    /// A reader of the output that goes away, as `head` does, shows as a failed write, which ends the run quietly.
    public static func runProcess() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        let console = Console(
            input: FileSource.standardInput(),
            output: DescriptorSink.standardOutput,
            errorOutput: { (bytes) throws(DataError) in try DescriptorSink.write(bytes, to: STDERR_FILENO) },
            terminal: Terminal.ofProcess())
        return run(Array(CommandLine.arguments.dropFirst()), console)
    }
}

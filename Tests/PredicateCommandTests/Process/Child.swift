import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The built command as a process of its own.
final class Child {
    private let process = Process()
    private let input = Pipe()
    private let errors = Pipe()

    /// Starts the command; standard output goes to `output`.
    convenience init(_ arguments: [String], output: Any? = FileHandle.nullDevice) throws {
        try self.init(Self.command, arguments, output: output)
    }

    /// Starts a line of the shell in which `"$0"` is the command.
    convenience init(line: String) throws {
        try self.init(URL(fileURLWithPath: "/bin/sh"), ["-c", line, Self.command.path], output: FileHandle.nullDevice)
    }

    private static let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("predicate")

    private init(_ program: URL, _ arguments: [String], output: Any?) throws {
        // If the child has exited, a write fails; the signal is ignored.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try? input.fileHandleForReading.close()
    }

    /// Writes to standard input; returns false if the child no longer reads.
    func write(_ bytes: [UInt8]) -> Bool {
        let descriptor = input.fileHandleForWriting.fileDescriptor
        return bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                guard let start = bytes.baseAddress else { break }
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, start + sent, bytes.count - sent)
                #elseif canImport(Musl)
                    let count = Musl.write(descriptor, start + sent, bytes.count - sent)
                #else
                    let count = Darwin.write(descriptor, start + sent, bytes.count - sent)
                #endif
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }

    /// The peak memory in bytes; nil if the system does not report it.
    var peakMemory: Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let number = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return number * 1024
    }

    /// Ends the input and waits; returns the exit status, nil after a signal, and the error output.
    func finish() -> (status: Int32?, error: String) {
        try? input.fileHandleForWriting.close()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationReason == .exit ? process.terminationStatus : nil, text)
    }
}

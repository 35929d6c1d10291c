#if os(Linux)
    import Foundation
    import Testing

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The built command on a pseudo-terminal, to which a test types.
    final class TerminalChild {
        private let process = Process()
        private let keyboard: Int32
        private var shown: [UInt8] = []
        /// The number of bytes of output that were waited for.
        private var seen = 0

        init(_ arguments: [String], rows: UInt16 = 24, columns: UInt16 = 80) throws {
            var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            var (near, far) = (Int32(-1), Int32(-1))
            try #require(openpty(&near, &far, nil, nil, &size) == 0)
            keyboard = near
            _ = fcntl(keyboard, F_SETFL, O_NONBLOCK)
            let terminal = FileHandle(fileDescriptor: far, closeOnDealloc: true)
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("predicate")
            process.arguments = arguments
            process.environment = ["TERM": "xterm", "HOME": NSTemporaryDirectory() + "/no-home", "NO_COLOR": "1"]
            process.standardInput = terminal
            process.standardOutput = terminal
            process.standardError = terminal
            try process.run()
        }

        deinit {
            if process.isRunning { process.terminate() }
            close(keyboard)
        }

        /// Types as fast as the program reads.
        func type(_ keys: String) {
            var rest = Array(keys.utf8)[...]
            for _ in 0..<10_000 where !rest.isEmpty {
                let count = rest.prefix(200).withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) }
                read()
                usleep(1_000)
            }
        }

        /// Waits for a text on the screen, after the text of the previous wait; returns false on a timeout.
        func shows(_ text: String) -> Bool {
            for _ in 0..<3_000 {
                read()
                if let range = shown[seen...].firstRange(of: Array(text.utf8)) {
                    seen = range.upperBound
                    return true
                }
                usleep(10_000)
            }
            return false
        }

        /// The output so far, for failing tests.
        var transcript: String { String(decoding: shown.suffix(2_000), as: UTF8.self) }

        /// The exit status; nil after a signal, and while the command runs.
        func finish() -> Int32? {
            for _ in 0..<3_000 where process.isRunning {
                read()
                usleep(10_000)
            }
            return !process.isRunning && process.terminationReason == .exit ? process.terminationStatus : nil
        }

        private func read() {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                #if canImport(Glibc)
                    let count = Glibc.read(keyboard, &buffer, buffer.count)
                #else
                    let count = Musl.read(keyboard, &buffer, buffer.count)
                #endif
                if count <= 0 { return }
                shown += buffer[..<count]
            }
        }
    }
#endif

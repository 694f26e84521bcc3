internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// One call of a ``SSHKnownHostsCommand``.
package struct KnownHostsProgram: Sendable {
    package let words: [String]
    package let environment: [String]
    /// Seconds that it may take.
    package let limit: Double

    package init(words: [String], environment: [String], limit: Double) {
        self.words = words
        self.environment = environment
        self.limit = limit
    }

    /// More than this is no list of host keys.
    private static let longestOutput = 16 << 20
    private static let keptErrors = 4096
    /// How often a reader checks whether it is to stop, in milliseconds: a grandchild may hold the pipes open.
    private static let glance: Int32 = 50

    /// Runs it to its end.
    ///
    /// - Returns: its standard output.
    /// - Throws: `Fault` if it cannot be started, fails, takes too long or writes too much; `CancellationError`.
    package func output() async throws -> [UInt8] {
        let child: ChildProcess
        do {
            child = try ChildProcess.start(words[0], Array(words.dropFirst()), environment: environment)
        } catch {
            throw fault("cannot be started: \(error.text)")
        }
        close(child.input)
        let isOver = Mutex(false)
        let stop: @Sendable () -> Void = {
            isOver.withLock { $0 = true }
            child.kill()
        }
        // Ended with this call, by the line below it.
        let timer = Task {
            try await Task.sleep(for: .seconds(limit))
            stop()
        }
        defer { timer.cancel() }
        let (output, errors) = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<([UInt8], [UInt8]), Never>) in
                // A thread of its own, which may block.
                DispatchQueue(label: "known hosts command").async {
                    let result = Self.read(child) { isOver.withLock { $0 } }
                    child.reap()
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            stop()
        }
        try Task.checkCancellation()
        if isOver.withLock({ $0 }) { throw fault("did not end within \(limit.inSeconds)") }
        guard output.count <= Self.longestOutput else { throw fault("wrote more than 16 MiB") }
        guard child.exitStatus == 0 else {
            let words = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
            throw fault("exited with status \(child.exitStatus ?? -1)\(words)")
        }
        return output
    }

    private func fault(_ what: String) -> Fault {
        Fault(
            .configurationInvalid(file: "KnownHostsCommand", line: nil, problem: "\(words[0].oneLine()) \(what.oneLine(300))"),
            stage: .local)
    }

    /// Reads both pipes until the output ends, or it is over. What a program leaves behind may hold standard error for ever.
    private static func read(_ child: ChildProcess, isOver: () -> Bool) -> ([UInt8], [UInt8]) {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var watched = [child.output, child.errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !isOver(), output.count <= longestOutput {
            // After the end of the output, only what is there already.
            let hasEnded = watched[0].fd < 0
            if hasEnded, watched[1].fd < 0 { break }
            guard poll(&watched, nfds_t(watched.count), hasEnded ? 0 : glance) > 0 else {
                if hasEnded { break }
                continue
            }
            for index in watched.indices where watched[index].fd >= 0 && watched[index].revents != 0 {
                let count = buffer.withUnsafeMutableBytes { readBytes(watched[index].fd, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    watched[index].fd = -1
                    continue
                }
                if index == 0 {
                    output += buffer[..<count]
                } else {
                    errors = Array((errors + buffer[..<count]).suffix(keptErrors))
                }
            }
        }
        close(child.output)
        close(child.errors)
        if output.count > longestOutput { child.kill() }
        return (output, errors)
    }
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

package import BridgeSSHFleet
import Crypto
import ErrorCore
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Prints a group of hosts and its output, for `fold` and `diff`.
struct GroupPrinter: Sendable {
    let form: OutputForm
    let store: OutputStore
    let folded: @Sendable ([String]) -> String

    /// `── web[1-4] (4) · ok`, and remarks about the output.
    func heading(_ group: OutputGroups.Group, _ more: [String] = [], on stream: SSHEvidence.OutputStream) -> String {
        let parts = ["\(VisibleText.names(folded(group.hosts))) (\(group.hosts.count))", group.ending.text] + more
        let text = form.own("── " + parts.joined(separator: " · "))
        return form.painted(text, group.ending.outcome == .ok ? 1 : HostColor.failure, on: stream) + "\n"
    }

    /// Remarks on output that is not shown.
    func omissions(_ group: OutputGroups.Group) -> [String] {
        let streams = [("", group.output), ("standard error: ", group.error)]
        let cut = streams.filter { $0.1.total > $0.1.kept.count }.map { name, stream in
            "\(name)first \(Formatted.bytes(stream.kept.count)) of \(Formatted.bytes(stream.total))"
        }
        return group.isEmpty ? ["no output"] : cut
    }

    /// The whole group: heading, standard output, standard error.
    func whole(_ group: OutputGroups.Group, _ pieces: inout [RenderedPiece]) {
        let facts = omissions(group)
        pieces.append(RenderedPiece(.standardOutput, heading(group, facts, on: .standardOutput)))
        if group.output.total > 0 { pieces.append(text(group.output, .standardOutput)) }
        guard group.error.total > 0 else { return }
        if !form.isShared { pieces.append(RenderedPiece(.standardError, heading(group, facts, on: .standardError))) }
        pieces.append(text(group.error, .standardError))
    }

    private func text(_ stream: OutputGroups.Stream, _ destination: SSHEvidence.OutputStream) -> RenderedPiece {
        RenderedPiece(destination) { [form, store] in
            let bytes = try store.bytes(of: stream.kept)
            guard form.isTerminal(destination) else {
                return bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
            }
            var shown: [UInt8] = []
            var lines = LineAssembler()
            func put(_ line: LineAssembler.Line) {
                shown += VisibleText.line(line.bytes.last == UInt8(ascii: "\r") ? line.bytes.dropLast() : line.bytes).utf8
                shown.append(UInt8(ascii: "\n"))
            }
            lines.take(bytes, put)
            lines.end(put)
            return shown
        }
    }
}

/// At the end, prints equal output once, under the folded names of its hosts. The most common output comes first. The others
/// follow in full (`fold`), or as their differences from it (`diff`).
package struct FoldRenderer: FleetRenderer {
    private let printer: GroupPrinter
    private var groups: OutputGroups
    /// The work that comparing may take; nil for `fold`.
    private let budget: LineDifference.Budget?

    package let needsPieces = false

    /// - Parameters:
    ///   - comparing: whether to print differences.
    ///   - folded: folds names into one expression.
    package init(
        _ form: OutputForm, _ store: OutputStore, comparing: Bool = false, folded: @escaping @Sendable ([String]) -> String
    ) {
        printer = GroupPrinter(form: form, store: store, folded: folded)
        groups = OutputGroups(store)
        budget = comparing ? LineDifference.Budget() : nil
    }

    package mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) throws {
        switch event {
        case .ended(let result): try groups.add(result)
        case .summary:
            let sorted = groups.sorted
            for (index, group) in sorted.enumerated() {
                if let budget, index > 0 {
                    printer.compare(group, sorted[0], budget, &pieces)
                } else {
                    printer.whole(group, &pieces)
                }
            }
        default: break
        }
    }
}

/// Groups hosts with equal results and equal output. Each output is kept once.
struct OutputGroups: Sendable {
    private struct Key: Hashable {
        let ending: HostEnding
        let outputs: [[UInt8]]
    }

    /// One of a command's output streams.
    struct Stream: Sendable {
        let kept: OutputStore.StoredBytes
        /// The number of bytes that arrived, including those not kept.
        let total: Int
    }

    struct Group: Sendable {
        let ending: HostEnding
        let output: Stream
        let error: Stream
        var hosts: [String]

        var isEmpty: Bool { output.total == 0 && error.total == 0 }
    }

    let store: OutputStore
    private var index: [Key: Int] = [:]
    private var groups: [Group] = []

    init(_ store: OutputStore) { self.store = store }

    /// The groups, largest first; of equally large ones, the one whose first host ended first.
    var sorted: [Group] {
        groups.enumerated().sorted { ($1.element.hosts.count, $0.offset) < ($0.element.hosts.count, $1.offset) }.map(\.element)
    }

    /// The group of each host that wrote something and whose outcome is wanted.
    func byHost(where isWanted: (FleetHostOutcome) -> Bool = { _ in true }) -> [String: Group] {
        var found: [String: Group] = [:]
        for group in groups where !group.isEmpty && isWanted(group.ending.outcome) {
            for host in group.hosts { found[host] = group }
        }
        return found
    }

    /// Adds a host whose command ended or wrote something.
    mutating func add(_ result: FleetHostResult) throws {
        let isSilent = result.standardOutput.total == 0 && result.standardError.total == 0
        guard !isSilent || result.outcome == .ok || result.outcome == .failed else { return }
        let key = Key(
            ending: HostEnding(result), outputs: [Self.digest(result.standardOutput), Self.digest(result.standardError)])
        if let known = index[key] {
            groups[known].hosts.append(result.host)
            return
        }
        index[key] = groups.count
        groups.append(
            Group(
                ending: key.ending, output: try keep(result.standardOutput), error: try keep(result.standardError),
                hosts: [result.host]))
    }

    private func keep(_ output: FleetKeptOutput) throws -> Stream {
        Stream(kept: try store.keep(output.bytes), total: output.total)
    }

    private static func digest(_ output: FleetKeptOutput) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: output.bytes)
        withUnsafeBytes(of: UInt64(output.total)) { hash.update(bufferPointer: $0) }
        hash.update(data: output.restDigest)
        return Array(hash.finalize())
    }
}

/// How a host ended, as text for a heading or a line.
struct HostEnding: Hashable {
    let outcome: FleetHostOutcome
    let code: String?
    let termination: SSHTermination?

    init(_ result: FleetHostResult) {
        outcome = result.outcome
        code = result.error?.code.rawValue
        termination = result.termination
    }

    /// `ok`, `exit status 3`, `killed by SIGKILL`, `ssh.session.connection-lost`.
    var text: String {
        switch (outcome, termination) {
        case (.ok, _): return "ok"
        case (.skipped, _): return "skipped"
        case (_, .exited(let status)?) where status != 0: return "exit status \(status)"
        case (_, .signalled(let signal)?):
            let name = signal.name.hasPrefix("SIG") ? String(signal.name.dropFirst(3)) : signal.name
            return "killed by SIG" + VisibleText.name(name)
        default: return code ?? outcome.rawValue
        }
    }
}

/// Keeps outputs until the end of a run: in memory up to its budget, and the others in an unnamed file, which disappears
/// with the process.
package final class OutputStore: Sendable {
    /// The place of a kept output.
    package struct StoredBytes: Sendable {
        fileprivate enum Place: Sendable {
            case memory([UInt8])
            case file(offset: Int, count: Int)
        }
        fileprivate let place: Place
        /// The number of bytes.
        package let count: Int
    }

    private struct State {
        var space: Int
        var descriptor: Int32 = -1
        var end = 0
    }

    private let state: Mutex<State>
    private let directory: String

    /// - Parameters:
    ///   - memory: the most bytes kept in memory.
    ///   - directory: the directory for the file, if one is needed.
    package init(memory: Int, directory: String = "/tmp") {
        state = Mutex(State(space: memory))
        self.directory = directory
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Throws: `SSHError` if the file cannot be written.
    package func keep(_ bytes: [UInt8]) throws -> StoredBytes {
        do {
            return try state.withLock { state in
                if bytes.capacity <= state.space {
                    state.space -= bytes.capacity
                    return StoredBytes(place: .memory(bytes), count: bytes.count)
                }
                if state.descriptor < 0 { state.descriptor = try makeFile() }
                let offset = state.end
                try writeAll(bytes, to: state.descriptor, at: offset)
                state.end += bytes.count
                return StoredBytes(place: .file(offset: offset, count: bytes.count), count: bytes.count)
            }
        } catch let failure as LocalFileFailure {
            throw failure.verdict
        }
    }

    /// - Throws: `SSHError` if the file cannot be read.
    package func bytes(of kept: StoredBytes) throws -> [UInt8] {
        switch kept.place {
        case .memory(let bytes): return bytes
        case .file(let offset, let count):
            let descriptor = state.withLock { $0.descriptor }
            return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
                    let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                    if read < 0, errno == EINTR { continue }
                    guard read > 0 else { throw LocalFileFailure("read", directory, errno: read < 0 ? errno : EIO).verdict }
                    filled += read
                }
            }
        }
    }

    private func makeFile() throws -> Int32 {
        let path = "\(directory)/.bridge-ssh-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw LocalFileFailure("write a temporary file in", directory) }
        unlink(path)
        return descriptor
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws {
        try bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw LocalFileFailure("write a temporary file in", directory) }
                written += count
            }
        }
    }
}

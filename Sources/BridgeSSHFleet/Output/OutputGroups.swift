import Crypto

/// Hosts with equal end and equal output. The output is kept once.
struct OutputGroups: Sendable {
    private struct Key: Hashable {
        let ending: HostEnding
        let outputs: [[UInt8]]
    }

    /// One of a command's output streams.
    struct Stream: Sendable {
        let kept: OutputStore.Kept
        /// How many bytes came, those that were not kept included.
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

    /// The largest group first; of two equal ones that whose first host ended first.
    var sorted: [Group] {
        groups.enumerated().sorted { ($1.element.hosts.count, $0.offset) < ($0.element.hosts.count, $1.offset) }.map(\.element)
    }

    /// Takes a host whose command ended, or wrote something.
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

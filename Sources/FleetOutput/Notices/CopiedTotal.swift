import BridgeSSHFleet

/// The totals of what was copied, over all hosts.
struct CopiedTotal: Sendable {
    private var direction: HostTransfer.Direction?
    private var files = 0
    private var bytes: UInt64 = 0
    private var hosts = 0

    /// Whether anything was to be copied.
    var isWanted: Bool { direction != nil }

    mutating func add(_ result: FleetHostResult) {
        guard let transfer = result.transfer else { return }
        direction = transfer.direction
        guard let copied = result.copied, copied.files > 0 || result.outcome == .ok else { return }
        hosts += 1
        files += copied.files
        bytes &+= copied.bytes
    }

    /// `3 files, 1.2 MiB to 40 hosts`; nil if nothing was copied.
    var text: String? {
        guard let direction, hosts > 0 else { return nil }
        let way = direction == .copy ? "to" : "from"
        return "\(Formatted.files(files)), \(Formatted.bytes(Int(clamping: bytes))) \(way) \(Formatted.hosts(hosts))"
    }
}

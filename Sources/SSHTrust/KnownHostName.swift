/// The name under which known_hosts has a host: lower case, and `[host]:port` where the port is not 22 (sshd(8)).
package struct KnownHostName: Hashable {
    package static let standardPort = 22

    let bytes: [UInt8]

    package init(host: String, port: Int) {
        self.init(Array((port == Self.standardPort ? host : "[\(host)]:\(port)").utf8))
    }

    /// A name as a line spells it.
    init(_ text: some Sequence<UInt8>) { bytes = text.map(\.lowercasedASCII) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a line with this name would mean this host alone: no pattern, list, marker, hash or comment.
    package static func isWritable(_ host: String) -> Bool {
        !host.isEmpty && !host.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "*?!,|#@[]\"".utf8.contains($0) }
    }
}

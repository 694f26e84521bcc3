package import BridgeSSH
import ErrorCore
import SSHRun

/// systemd's journal: one entry a failure, with a message ID for each code, by which a message catalogue explains it.
///
/// Written in its own protocol, a datagram of fields (systemd, "Native Journal Protocol").
package struct SystemJournal: Sendable {
    private static let standard = "/run/systemd/journal/socket"
    private static let maximumLength = 4096

    private let socket: OwnedDescriptor

    /// Opens it.
    ///
    /// - Parameter choice: what the option says; nil for no journal.
    /// - Throws: `UsageProblem` where nothing listens.
    package init?(_ choice: SystemJournalChoice?) throws {
        guard let choice else { return nil }
        let path = choice.socket ?? Self.standard
        let descriptor = LocalSocket.newSocket(LocalSocket.datagrams)
        guard descriptor >= 0, LocalSocket.connectSocket(descriptor, to: path) else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw UsageProblem(
                field: "--log", problem: "systemd's journal cannot be written to: \(path): \(reason); leave --log out here")
        }
        socket = OwnedDescriptor(descriptor)
    }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - host: as it was named.
    ///   - run: the run of a fleet; nil for a run on one host.
    package func write(_ error: SSHError, host: String, run: String? = nil) {
        let entry = Self.entry(error, host: host, run: run)
        _ = entry.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, Self.sendFlags) }
    }

    #if canImport(Darwin)
        private static let sendFlags: Int32 = 0
    #else
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    private static func priority(_ severity: ErrorSeverity) -> String {
        switch severity {
        case .info: "6"
        case .warning: "4"
        case .error: "3"
        case .critical: "2"
        }
    }

    /// The fields of an entry.
    static func entry(_ error: SSHError, host: String, run: String?) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            let text = TerminalText.inert(value, limit: maximumLength, keepsLines: true)
            if !text.contains("\n") { return bytes += Array("\(name)=\(text)\n".utf8) }
            // A value of several lines has its length in 64 bits, the lowest byte first.
            let size = UInt64(text.utf8.count)
            bytes +=
                Array("\(name)\n".utf8) + (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + Array("\(text)\n".utf8)
        }
        add("MESSAGE", "\(host): \(error.message)")
        add("MESSAGE_ID", SystemJournalCatalogue.messageID(of: error.code))
        // Those of syslog(3).
        add("PRIORITY", priority(error.severity))
        add("SYSLOG_IDENTIFIER", "bridge-ssh")
        add("BRIDGE_SSH_CODE", error.code.rawValue)
        add("BRIDGE_SSH_HOST", host)
        add("BRIDGE_SSH_REMEDY", error.remedy)
        add("BRIDGE_SSH_EXIT_STATUS", "\(error.exitStatus.rawValue)")
        add("BRIDGE_SSH_RUN", run)
        return bytes
    }
}

/// The message catalogue for `journalctl -x`.
enum SystemJournalCatalogue {
    /// The ID of a code's entries: the FNV-1a hash of 128 bits of its name, marked as a UUID of version 8 (RFC 9562). It stays.
    static func messageID(of code: SSHError.Code) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in "bridge-ssh \(code.rawValue)".utf8 {
            hash ^= UInt128(byte)
            hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        hash = hash & ~(0xF << 76) | (8 << 76)
        hash = hash & ~(3 << 62) | (2 << 62)
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// The file, as systemd's catalog(7) and "Journal Message Catalogs" describe it.
    static var text: String {
        CodeExplanation.all.map { explanation in
            let definition = explanation.definition
            return """
                -- \(messageID(of: explanation.code))
                Subject: \(definition.title) on @BRIDGE_SSH_HOST@
                Defined-By: bridge-ssh
                Documentation: man:bridge-ssh(1)

                \(definition.meaning)

                @BRIDGE_SSH_REMEDY@

                `bridge-ssh explain \(explanation.code.rawValue)` says more.

                """
        }.joined(separator: "\n")
    }
}

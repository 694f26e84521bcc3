import BridgeSSH
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A helper's lock file: read when the helper does not answer, or answers in another version's protocol.
struct HelperRecord: Equatable {
    /// What the host was called when the helper was started.
    var named: String
    var endpoint: SSHEndpoint
    /// Nil until the helper has written it; see ``note(process:in:)``.
    var process: Int?

    /// Whether a person who names a host may mean this one.
    func isMeant(by name: String) -> Bool {
        [named, endpoint.host, "\(endpoint.user)@\(endpoint.host)", endpoint.description].contains(name)
            || named.hasSuffix("@" + name)
    }

    // MARK: As text, a value a line

    private var text: String { [named, endpoint.user, endpoint.host, "\(endpoint.port)"].map { $0 + "\n" }.joined() }

    /// Nil for what is no record, or is not whole yet.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 5 || lines.count == 6, lines.last == "", let port = UInt16(lines[3]) else { return nil }
        named = lines[0]
        endpoint = SSHEndpoint(unchecked: lines[2], port: Int(port), user: lines[1])
        process = lines.count == 6 ? pid_t(lines[4]).map { Int($0) } : nil
    }

    init(named: String, endpoint: SSHEndpoint) {
        self.named = named
        self.endpoint = endpoint
    }

    /// Writes all but the process, at the beginning of an empty file.
    ///
    /// - Returns: whether the system took it.
    func write(to lock: OwnedDescriptor) -> Bool { Self.write(text, to: lock.number) }

    /// The helper adds its own number, behind what the run that started it has written through the same open file.
    static func note(process: pid_t, in lock: Int32) { _ = write("\(process)\n", to: lock) }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        Array(text.utf8).withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) } == nil
    }
}

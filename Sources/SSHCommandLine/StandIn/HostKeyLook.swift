import BridgeSSH

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What known_hosts has of a host whose key ssh calls changed.
///
/// ssh says so of a key of any type that is not a known one (hostfile.c: check_hostkeys_by_key_or_type), and names the last line
/// for the host. Which types are known, only the files tell: they are read after such a failure.
enum HostKeyLook {
    static func refined(_ trace: SSHTrace, _ text: String, _ ssh: RealSSH, _ words: [String]) -> SSHError? {
        guard trace.error?.code == .hostKeyChanged || trace.error?.code == .hostKeyOtherTypeKnown, let shown = shownType(text),
            let settings = ssh.ask(["-G"] + words)
        else { return trace.error }
        let values = Dictionary(
            settings.split(separator: "\n").map { line -> (String, String) in
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }, uniquingKeysWith: { one, _ in one })
        let home = getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
        let files = ["userknownhostsfile", "globalknownhostsfile"].flatMap {
            (values[$0] ?? "").split(separator: " ").map { $0.hasPrefix("~/") ? home + $0.dropFirst() : String($0) }
        }
        let host = values["hostkeyalias"].flatMap { $0 == "none" ? nil : $0 } ?? values["hostname"] ?? ""
        let known = try? SSHKnownHostsFiles(user: [], system: files, areExplicit: false).load(policy: .strict)
        let entries = known?.lines(for: host, port: values["port"].flatMap { Int($0) } ?? 22) ?? []
        let types = Set(entries.filter { $0.marker == .trusted }.map(\.key.algorithm)).sorted()
        return types.isEmpty || types.contains(shown) ? trace.error : trace.otherTypeKnown(types, shown: shown)
    }

    private static func shownType(_ text: String) -> String? { shown(text)?.type }

    /// `debug1: Server host key: ssh-ed25519 SHA256:…` (sshconnect2.c: verify_host_key_callback); the last is the destination's.
    static func shown(_ text: String) -> (type: String, fingerprint: String)? {
        let lead = "debug1: Server host key: "
        guard let line = text.split(whereSeparator: \.isNewline).last(where: { $0.hasPrefix(lead) }) else { return nil }
        let words = line.dropFirst(lead.count).split(separator: " ").map(String.init)
        return words.count == 2 ? (words[0], words[1]) : nil
    }
}

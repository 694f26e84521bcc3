import Foundation

/// The text of sshd_config.
///
/// The first value of a keyword wins, and `Match` blocks reach to the end of the file (sshd_config(5)).
struct ServerConfiguration {
    let options: SSHDSandbox.Options
    let port: Int

    var text: String {
        let (own, ownMatches) = split(options.configuration)
        return (own + defaults + ownMatches + matches).joined(separator: "\n") + "\n"
    }

    private var defaults: [String] {
        var lines = [
            "Port \(port)", "ListenAddress \(options.listenAddress)", "PidFile none", "LogLevel DEBUG1", "StrictModes yes",
            "UsePAM \(options.usePAM ? "yes" : "no")", "PasswordAuthentication yes", "UseDNS no", "PrintMotd no",
            "PrintLastLog no",
            // The tests open many connections and channels at once. Tests of these limits lower them again.
            "MaxSessions 500",
        ]
        // A second subsystem of the same name is an error, and some tests want none.
        if !options.configuration.contains("Subsystem") { lines.append("Subsystem sftp internal-sftp") }
        // For this keyword only, sshd 9.2 takes the last value.
        if !options.configuration.contains("MaxStartups") { lines.append("MaxStartups 500:30:1000") }
        // From 9.8 on, which introduced this program, sshd blocks an address for some time after a few failures.
        if FileManager.default.fileExists(atPath: options.usr + "/lib/openssh/sshd-session") {
            lines.append("PerSourcePenalties no")
        }
        lines += options.hostKeys.map { "HostKey /etc/ssh/\(Self.hostKeyFile($0))" }
        if !options.acceptedEnvironment.isEmpty {
            lines.append("AcceptEnv \(options.acceptedEnvironment.joined(separator: " "))")
        }
        if let limit = options.rekeyLimit { lines.append("RekeyLimit \(limit)") }
        return lines
    }

    private var matches: [String] {
        guard options.users.contains(.sftponly) else { return [] }
        return ["Match User \(SandboxUser.sftponly.name)", "ForceCommand internal-sftp"]
    }

    private func split(_ text: String) -> (plain: [String], matches: [String]) {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }.map(String.init)
        let firstMatch = lines.firstIndex { $0.lowercased().hasPrefix("match ") } ?? lines.endIndex
        return (Array(lines[..<firstMatch]), Array(lines[firstMatch...]))
    }

    static func hostKeyFile(_ kind: TestKeyKind) -> String { "ssh_host_\(kind.rawValue)_key" }
}

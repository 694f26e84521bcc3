/// Ansible's own messages, besides those of its ssh. Source: ansible-core, plugins/connection/ssh.py and
/// plugins/callback.
enum AnsibleRows {
    static let rows: [TranscriptRow] = unreachable + failed

    /// The host's name is that of the inventory.
    private static let unreachable: [TranscriptRow] = [
        .noting("{name} | UNREACHABLE!", "plugins/callback/minimal.py, oneline.py") { found, facts in unreached(found, &facts) },
        .noting("fatal: [{name}]: UNREACHABLE!", "plugins/callback/default.py") { found, facts in unreached(found, &facts) },
        .noting("fatal: [{name}] => ", "callbacks.py, before 2.0: on_unreachable") { found, facts in unreached(found, &facts) },
        // The message repeats the text after `stderr: `.
        .noting("msg: {text}", "callbacks.py, before 2.0: on_failed") { _, facts in facts.mayRepeat = true },
        .noting("{name} | FAILED! =>", "plugins/callback/minimal.py, a result without a status") { found, facts in
            facts.inventoryHost = AnsibleMessages.host(found["name"] ?? "")
        },
    ]

    private static func unreached(_ found: [String: String], _ facts: inout TranscriptFacts) {
        // The name of a jump host or delegate follows an arrow.
        facts.inventoryHost = AnsibleMessages.host(found["name"] ?? "")
        facts.isUnreachable = true
        facts.quotesCommand = false
    }

    private static let failed: [TranscriptRow] = [
        .says(
            "…using -c ssh on certain older ssh versions may not support ControlPersist", "plugins/connection/ssh.py, before 2.4",
            .known(.localUnsupported, .likely)),
        TranscriptRow("{host} | FAILED | rc={status} | (stdout) {x}", "plugins/callback/oneline.py", ends: true) { found, facts in
            // The inventory's name is not a host name.
            facts.inventoryHost = AnsibleMessages.host(found["host"] ?? "")
            facts.host = ""
            let output = EscapedLines.split(AnsibleResult.onelineMessages(found["x"] ?? "")).joined(separator: "\n")
            return found["status"].flatMap { Int($0) }.map { status($0, saying: output) }
        },
        TranscriptRow("{host} | FAILED | rc={status} >>", "plugins/callback/minimal.py") { found, facts in
            ended(found, &facts)
        },
        TranscriptRow("fatal: [{name}]: FAILED! =>", "plugins/callback/default.py, result_format=yaml") { found, facts in
            facts.quotesCommand = true
            facts.awaitsStatus = true
            facts.inventoryHost = AnsibleMessages.host(found["name"] ?? "")
            return .commandEnded(status: 1)
        },
        TranscriptRow("rc: {status}", "plugins/callback/default.py, result_format=yaml") { found, facts in
            // The command's output may have such a line too.
            facts.awaitsStatus ? ended(found, &facts) : facts.decline()
        },
        TranscriptRow("…, exited with result {status}", "plugins/action/__init__.py", ends: true) { found, facts in
            facts.host = ""
            let parts = (found["status"] ?? "").split(separator: ",", maxSplits: 1)
            let output = parts.count > 1 ? parts[1].firstRange(of: " output: ").map { String(parts[1][$0.upperBound...]) } : nil
            guard let status = parts.first.flatMap({ Int($0) }) else { return nil }
            // Without output, a wrong shell and a directory that could not be made look alike.
            var reading = TranscriptReading.commandEnded(status: status, saying: output ?? "")
            if output == nil { reading.confidence = .guess }
            return reading
        },
        ended("Shared connection"), ended("Connection"),
        TranscriptRow("…Using a SSH password instead of a key is not possible because Host Key checking is enabled", "ssh.py") {
            _, _ in .hostKeyUnknown(.likely, alternatives: ["the host key has changed"])
        },
        TranscriptRow("…Invalid/incorrect password: Permission denied", "ssh.py", ends: true) { _, _ in
            .refused("password", .likely)
        },
        TranscriptRow("…waiting for privilege escalation prompt", "ssh.py: sudo asks, or the host is slow") { _, _ in
            .commandTimedOut(.guess, alternatives: ["the connection was slow"])
        },
        TranscriptRow("…Timeout when waiting for search string OpenSSH in {host}:{port}", "modules/wait_for.py") { _, _ in
            .timedOut(.connect, .guess, alternatives: ["it accepted the connection and sent nothing"])
        },
        .library("…Timeout when waiting for {host}:{port}", "modules/wait_for.py") { found, facts in
            let port = (found["port"] ?? "").prefix { $0.isNumber }
            return port == "22" || facts.port == 22 ? .timedOut(.connect, .guess) : facts.decline()
        },
        .says("…timed out waiting for ping module test", "action/wait_for_connection.py", .notReached(.guess, .wrapper)),
        .library("…Failed to open session: {reason}", "connection/paramiko_ssh.py: after the login") { found, facts in
            let reason = found["reason"] ?? ""
            // The number of a refused channel, and paramiko's words for it.
            if reason.hasPrefix("("), let number = UInt32(reason.dropFirst().prefix { $0.isNumber }) {
                return .channelRefused(number, number == 2 ? "open failed" : "", .guess)
            }
            guard reason.mentions("eset by peer") || reason.mentions("EOF") || reason.mentions("losed") else {
                return facts.decline()
            }
            return .lost(reason.mentions("eset") ? .reset : .closed)
        },
        .says("…host key mismatch for ", "connection/paramiko_ssh.py", .known(.hostKeyChanged, .guess)),
        .says("…host connection rejected by user", "connection/paramiko_ssh.py, libssh.py", .hostKeyUnknown(.guess)),
        .says(
            "…failed to open a SFTP connection (", "connection/paramiko_ssh.py, libssh.py",
            .request(.subsystem, .guess, or: ["the connection was lost"])),
        .says("…ssh timed out waiting for privilege escalation", "connection/paramiko_ssh.py", .commandTimedOut(.guess)),
        .says(
            "…Data could not be sent because of ControlPersist broken pipe", "connection/ssh.py", .lost(.reset, .guess)),
        .says("…SSH Error: data could not be sent to ", "connection/ssh.py", .notReached(.guess, .wrapper)),
        .says("…Cannot write to ControlPath ", "connection/ssh.py", .known(.localConfigInvalid, .guess)),
        .says(
            "…Encountered FileNotFoundError in ncclient connect", "netcommon: connection/netconf.py",
            .key(.notFound, nil, "", .guess)),
        .library("…has an unknown hostkey. Set accept_hostkey", "modules/git.py, module_utils/known_hosts.py") { _, _ in
            .hostKeyUnknown(.likely)
        },
        .library("…failed to get the hostkey for {host}", "module_utils/known_hosts.py: ssh-keyscan had no answer") { _, facts in
            facts.host = facts.host.trimming("\"',")
            return .hostKeyUnknown(.guess, alternatives: ["the host did not answer ssh-keyscan"])
        },
        .library("…failed to add {host} hostkey: ", "module_utils/known_hosts.py") { _, _ in
            .known(.hostKeyKnownHostsUnwritable, .guess)
        },
        .library("…paramiko is required but does not appear to be installed", "module_utils/netcli.py") { _, _ in
            .known(.localLibraryFailure)
        },
        .library("…ncclient is required but does not appear to be installed", "netcommon: netconf") { _, _ in
            .known(.localLibraryFailure)
        },
        .library("…paramiko is not installed", "plugins/connection/paramiko_ssh.py") { _, _ in .known(.localLibraryFailure) },
        // The directory of the task on the host.
        .library("…mkdir: cannot create directory {path}: {reason}", "coreutils, for plugins/action: _make_tmp_path") {
            found, facts in
            let reason = (found["reason"] ?? "").trimming("* ")
            guard found["path"]?.mentions("ansible-tmp-") == true else { return facts.decline() }
            return reason.hasPrefix("No space left")
                ? .known(.sftpDiskFull) : reason.hasPrefix("Permission denied") ? .known(.sftpPermissionDenied) : facts.decline()
        },
        TranscriptRow("…you must install the sshpass program", "ssh.py", ends: true) { _, _ in
            TranscriptReading(
                .telling, .configurationInvalid(file: "ansible_password", line: nil, problem: "sshpass is not installed here"),
                at: .local, .likely)
        },
    ]

    /// An unreachable host's message is always about the connection. These rows come after those of all clients.
    static let unknown: [TranscriptRow] = [
        "…Failed to connect to the host via ssh: ", "…Failed to authenticate: ", "…Make sure this host can be reached over ssh: ",
    ].map { words in
        .library("\(words){text}", "plugins/connection") { found, facts in
            let text = found["text"] ?? ""
            // The socket of a control master is on this computer.
            return text.hasPrefix("Control socket ")
                ? facts.decline() : CommonReasons.reading(of: text)?.ranked(.ending) ?? facts.decline()
        }
    }

    /// ssh prints these words at the end of every session with a terminal.
    private static func ended(_ words: String) -> TranscriptRow {
        TranscriptRow(
            "…Failed to connect to the host via ssh: \(words) to {host} closed.", "ssh -t, which said nothing else"
        ) { found, facts in
            // If two lines are one sentence, the first is more specific.
            (found["host"] ?? " ").contains(" ") ? facts.decline() : closed()
        }
    }

    /// Ansible shows ssh's last line for a status of 255 without other output.
    private static func closed() -> TranscriptReading {
        TranscriptReading(
            .consequence, .commandEnded, at: .command, .guess,
            alternatives: ["the connection was lost", "the command exited with 255"]
        ) {
            var command = SSHCommandEvidence(command: "")
            command.progress = .accepted
            command.endOfOutput = true
            command.channelClosed = true
            $0.command = command
        }
    }

    private static func ended(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        guard let status = found["status"].flatMap({ Int($0.prefix { $0.isNumber || $0 == "-" }) }) else { return nil }
        facts.quotesCommand = true
        facts.awaitsStatus = false
        // The inventory's name is not a host name.
        facts.inventoryHost = AnsibleMessages.host(found["host"] ?? facts.inventoryHost)
        facts.host = ""
        return self.status(status)
    }

    /// Reads a status. Python's subprocess reports a signal as a negative status.
    private static func status(_ status: Int, saying text: String = "") -> TranscriptReading {
        status < 0
            ? .commandEnded(signal: SSHExitSignal.name(ofNumber: -status), saying: text)
            : .commandEnded(status: status, saying: text)
    }
}

/// Findings about running commands: whether they run, and what the login shell does before and after them.
enum ShellFindings {
    static func channel(_ seen: Observations) -> [SSHFinding] {
        guard let command = seen.evidence?.command, command.progress != .notSent else { return [] }
        return [SSHFinding(.channel, .ok, "The server opened a session channel.")]
    }

    static func exec(_ seen: Observations) -> [SSHFinding] {
        guard let reading = seen.shell, let command = seen.evidence?.command else { return [] }
        if reading.isComplete {
            return [SSHFinding(.exec, .ok, "A command runs, and its exit status comes back.", details: status(command))]
        }
        if seen.evidence?.isOnWindows == true, seen.error == nil { return [windows(reading, command)] }
        guard seen.error == nil else { return replaced(seen, reading, command) }
        return [
            SSHFinding(
                .exec, .notice,
                "The command was accepted, but another one ran in its place and ended with status 0\(quote(reading)).",
                remedy: """
                    Look for \(setting: "ForceCommand") in the server's sshd_config and for \
                    \(setting: "command=", in: "authorized_keys") in the account's authorized_keys.
                    """,
                details: status(command))
        ]
    }

    /// cmd.exe and PowerShell cannot run the probe, which is for a POSIX shell. Their error message shows that commands run.
    private static func windows(_ reading: ShellReading, _ command: SSHCommandEvidence) -> SSHFinding {
        SSHFinding(
            .exec, .notice,
            "Commands run, but the server is Windows, whose shell is cmd.exe or PowerShell\(quote(reading)).",
            remedy: """
                Write commands for that shell. It quotes with " and not with ', and \
                \(run: "powershell -Command \"…\"", on: .server) runs PowerShell from both. The value DefaultShell of \
                HKLM\\SOFTWARE\\OpenSSH sets another shell.
                """,
            details: status(command))
    }

    /// Findings about a failed command. The error describes the failure itself.
    private static func replaced(_ seen: Observations, _ reading: ShellReading, _ command: SSHCommandEvidence) -> [SSHFinding] {
        guard case .commandEnded? = seen.error?.evidence.event, seen.error?.code != .commandLoginShellDenied,
            let status = command.exitStatus
        else { return [] }
        return [
            SSHFinding(
                .exec, .notice,
                "The probe command did not finish (status \(status))\(quote(reading)): another may run in its place (ForceCommand, "
                    + "command= in authorized_keys), or there is no POSIX shell.",
                details: self.status(command))
        ]
    }

    private static func status(_ command: SSHCommandEvidence) -> [SSHFinding.Detail] {
        command.exitStatus.map { [.init("exitStatus", .integer($0))] } ?? []
    }

    private static func quote(_ reading: ShellReading) -> String {
        let text = String(decoding: (reading.noise + reading.errorNoise).prefix(400), as: UTF8.self).oneLine(100)
        return text.isEmpty ? "" : ", saying \"\(text)\""
    }

    // MARK: The clock

    /// The tolerated difference in seconds. More upsets builds, caches and logs; one-time codes and Kerberos tolerate a little
    /// more.
    private static let tolerance = 2.0

    static func clock(_ seen: Observations) -> [SSHFinding] {
        guard let reading = seen.shell, reading.isComplete else { return [] }
        guard let clock = reading.clock else {
            return [SSHFinding(.clock, .notReached, "The server has no `date` that prints the seconds since 1970.")]
        }
        let details: [SSHFinding.Detail] = [
            .init("skewSeconds", .number(clock.skew)), .init("uncertaintySeconds", .number(clock.uncertainty)),
        ]
        let accuracy = "± \(decimal(clock.uncertainty)) s"
        guard clock.certain > tolerance else {
            return [SSHFinding(.clock, .ok, "The server's clock agrees with ours (\(accuracy)).", details: details)]
        }
        return [
            SSHFinding(
                .clock, .notice,
                "The server's clock is \(amount(clock.skew.magnitude)) \(clock.skew > 0 ? "ahead of" : "behind") ours (\(accuracy)).",
                advice: "Find out which of the two is wrong, and let it follow NTP.", details: details)
        ]
    }

    /// The measurement is not precise enough for more digits.
    private static func decimal(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }

    private static func amount(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: seconds.inSeconds
        case ..<7200: "\(Int((seconds / 60).rounded())) minutes"
        case ..<172_800: "\(Int((seconds / 3600).rounded())) hours"
        default: "\(Int((min(seconds, 1e12) / 86_400).rounded())) days"
        }
    }

    // MARK: Noise

    static func noise(_ seen: Observations) -> [SSHFinding] {
        guard let reading = seen.shell, reading.isComplete else { return [] }
        var findings: [SSHFinding] = []
        if !reading.noise.isEmpty {
            findings.append(
                noise(
                    reading.noise, "standard output", "stdout",
                    "That breaks scp, sftp, rsync, git and every script that reads a command's output."))
        }
        if !reading.errorNoise.isEmpty {
            findings.append(
                noise(reading.errorNoise, "standard error", "stderr", "Scripts may take that for the command's own complaint."))
        }
        return findings.isEmpty ? [SSHFinding(.noise, .ok, "The login shell adds nothing to a command's output.")] : findings
    }

    private static func noise(_ bytes: [UInt8], _ stream: String, _ name: String, _ consequence: String) -> SSHFinding {
        let text = String(decoding: bytes.prefix(2048), as: UTF8.self)
        return SSHFinding(
            .noise, .notice,
            "The login shell writes to \(stream) besides the command: \"\(text.oneLine(120))\". \(consequence)",
            remedy: """
                On the server, let ~/.bashrc (or the shell's equivalent) write only in an interactive shell; its first line: \
                \(line: "case $- in *i*) ;; *) return ;; esac", in: "~/.bashrc")
                """,
            details: [.init("stream", .text(name)), .init("bytes", .integer(bytes.count)), .init("text", .text(text))])
    }

    // MARK: PATH

    static func path(_ seen: Observations) -> [SSHFinding] {
        guard let reading = seen.shell, let path = reading.path else { return [] }
        let directories = path.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var findings = [
            SSHFinding(
                .path, .ok, path.isEmpty ? "PATH is empty." : "PATH is \(path.oneLine(1000)).",
                details: [.init("path", .text(String(path.prefix(4096))))])
        ]
        let relative = directories.filter { !$0.hasPrefix("/") }
        if !relative.isEmpty, !path.isEmpty {
            findings.append(
                SSHFinding(
                    .path, .weak,
                    "PATH looks into the current directory, or one under it: a program that another user left there may run instead.",
                    advice: "Remove entries that do not begin with / from PATH.",
                    details: [.init("relative", .texts(relative.map { String($0.prefix(256)) }))]))
        }
        let missing = lacking(directories)
        if !missing.isEmpty {
            // sshd's PATH for an ordinary user lacks the administrator's programs.
            let isUsual = missing == ["/usr/sbin"]
            findings.append(
                SSHFinding(
                    .path, isUsual ? .info : .notice,
                    "PATH lacks \(missing.listed()): programs there are not found by a command, though perhaps at a login.",
                    advice: isUsual ? "" : "Give the full path of such programs, or extend PATH at the top of ~/.bashrc.",
                    details: [.init("lacking", .texts(missing))]))
        }
        return findings
    }

    /// Which of `/usr/local/bin` and `/usr/sbin` are missing. `/sbin` replaces `/usr/sbin`, because it is the same or has the
    /// important programs.
    private static func lacking(_ directories: [String]) -> [String] {
        let names = directories.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        var missing: [String] = []
        if !names.contains("/usr/local/bin") { missing.append("/usr/local/bin") }
        if !names.contains("/usr/sbin"), !names.contains("/sbin") { missing.append("/usr/sbin") }
        return missing
    }
}

/// The one command of a diagnosis. It prints the time and PATH between marks, which reveal other output of the login shell.
///
/// It is a simple command with one word in single quotes, which sh, csh, fish and similar shells parse alike, and it changes
/// nothing. The shell that runs it assembles the marks. So a server that only repeats the command (`SSH_ORIGINAL_COMMAND`) does
/// not print them.
struct ShellProbe: Sendable {
    let nonce: String

    init(nonce: String = String(UInt64.random(in: 0 ... .max), radix: 36)) {
        self.nonce = nonce
    }

    var command: String {
        let script =
            #"m="$0:$1"; echo "$m:begin"; date +%s 2>/dev/null; echo "$m:path"; printf "%s\n" "$PATH"; echo "$m:end""#
        return "sh -c '\(script)' bridge-ssh \(nonce)"
    }

    private func mark(_ name: String) -> [UInt8] { Array("bridge-ssh:\(nonce):\(name)\n".utf8) }

    /// The result of the probe, from its complete output.
    func reading(standardOutput: [UInt8], standardError: [UInt8]) -> ShellReading {
        var reading = ShellReading(noise: standardOutput, errorNoise: standardError)
        guard let begin = standardOutput.firstRange(of: mark("begin")),
            let path = standardOutput[begin.upperBound...].firstRange(of: mark("path")),
            let end = standardOutput[path.upperBound...].firstRange(of: mark("end"))
        else { return reading }
        reading.isComplete = true
        reading.noise = Array(standardOutput[..<begin.lowerBound] + standardOutput[end.upperBound...])
        reading.serverTime = Self.number(standardOutput[begin.upperBound..<path.lowerBound])
        let text = standardOutput[path.upperBound..<end.lowerBound]
        reading.path = String(decoding: text.last == UInt8(ascii: "\n") ? text.dropLast() : text, as: UTF8.self)
        return reading
    }

    /// Whether the time has been printed. Only the end of the output is searched, where the time appears.
    func hasTime(_ standardOutput: [UInt8]) -> Bool { standardOutput.suffix(1 << 16).firstRange(of: mark("path")) != nil }

    private static func number(_ line: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: line.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

/// The login shell's output for the probe.
struct ShellReading: Sendable, Hashable {
    /// Whether the probe ran to its end.
    var isComplete = false
    /// Other text on standard output.
    var noise: [UInt8] = []
    /// All of standard error; the probe itself prints nothing there.
    var errorNoise: [UInt8] = []
    /// The result of `date +%s`, if the server has it.
    var serverTime: Int?
    var path: String?
    var clock: ClockComparison?
}

/// The difference between the server's clock and the local one.
struct ClockComparison: Sendable, Hashable {
    /// The lead of the server's clock, in seconds; negative if it is behind.
    var skew: Double
    /// The uncertainty of the skew in either direction: half the time between request and answer, plus half a second, because the
    /// server's answer is truncated to a second.
    var uncertainty: Double

    /// - Parameters:
    ///   - serverTime: whole seconds since 1970, truncated.
    ///   - asked: the local time when the command was sent.
    ///   - seconds: the time from then to the answer.
    init(serverTime: Int, asked: Double, seconds: Double) {
        skew = Double(serverTime) + 0.5 - (asked + seconds / 2)
        uncertainty = seconds / 2 + 0.5
    }

    /// The least possible difference between the clocks.
    var certain: Double { max(0, skew.magnitude - uncertainty) }
}

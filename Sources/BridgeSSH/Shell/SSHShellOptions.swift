/// How a command is run in a device's shell (``SSHConnection/runInShell(_:shell:options:)``).
public struct SSHShellOptions: Sendable, Hashable {
    /// A regular expression for the device's prompt: it matches at the end of the prompt's line, where blanks behind it count or
    /// not. Nil for the prompts that are known: Cisco IOS and NX-OS, Juniper Junos, Arista EOS, MikroTik RouterOS, and what
    /// resembles them.
    public var prompt: String?

    /// - Parameter prompt: a regular expression for the prompt.
    public init(prompt: String? = nil) { self.prompt = prompt }

    /// Why ``prompt`` cannot be used; nil if it can.
    package var problem: String? {
        guard let prompt else { return nil }
        if prompt.isEmpty { return "it is empty, which matches everything; write how the prompt looks" }
        do {
            _ = try Regex(prompt)
            return nil
        } catch {
            return "it is no regular expression; a sign that stands for itself needs a backslash before it, as in \\["
        }
    }
}

extension SSHCommandOptions {
    /// A terminal that is wide and high enough that devices neither wrap a command nor ask for each page.
    private static let deviceTerminal = SSHPTYOptions(terminal: "vt100", columns: 511, rows: 1000)
    /// A device that asks something back would be waited for without end.
    private static let deviceSilence = Duration.seconds(120)

    /// The options as a device's shell is run with: a terminal, no variables, and a limit on silence where there is no other.
    package var forDevice: SSHCommandOptions {
        var options = self
        options.environment = []
        options.mergesOutput = true
        options.pty = options.pty ?? Self.deviceTerminal
        if options.timeout == nil, options.idleTimeout == nil { options.idleTimeout = Self.deviceSilence }
        return options
    }
}

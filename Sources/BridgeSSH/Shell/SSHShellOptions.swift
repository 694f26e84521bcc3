/// How to run a command in a device's shell (``SSHConnection/runInShell(_:shell:options:)``).
public struct SSHShellOptions: Sendable, Hashable {
    /// A regular expression for the device's prompt. It must match at the end of the prompt's line, with or without trailing
    /// spaces. Nil to recognise the prompts of Cisco IOS and NX-OS, Juniper Junos, Arista EOS, MikroTik RouterOS, and similar
    /// ones.
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
            return "it is not a regular expression; a sign that stands for itself needs a backslash before it, as in \\["
        }
    }
}

extension SSHCommandOptions {
    /// A terminal so large that devices neither wrap a command nor stop after each page.
    private static let deviceTerminal = SSHPTYOptions(terminal: "vt100", columns: 511, rows: 1000)
    /// The limit on silence. A device that asks a question would otherwise be awaited forever.
    private static let deviceSilence = Duration.seconds(120)

    /// The options for a device's shell: a terminal, no variables, and a limit on silence if there is no other limit.
    package var forDevice: SSHCommandOptions {
        var options = self
        options.environment = []
        options.mergesOutput = true
        options.pty = options.pty ?? Self.deviceTerminal
        if options.timeout == nil, options.idleTimeout == nil { options.idleTimeout = Self.deviceSilence }
        return options
    }
}

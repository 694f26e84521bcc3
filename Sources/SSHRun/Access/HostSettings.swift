package import BridgeSSH

/// ssh's configuration for one host.
package struct HostSettings: Sendable {
    package let resolved: SSHConfigSettings
    private let configuration: SSHConfigFile
    private var context: SSHConfigContext { configuration.context }

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - destination: the host as the user named it, with the user and port of the request.
    /// - Throws: `UsageProblem` for an invalid configuration.
    init(for destination: SSHDestination, _ configuration: SSHConfigFile) throws {
        self.configuration = configuration
        do {
            resolved = try configuration.resolve(host: destination.host, user: destination.user, port: destination.port)
        } catch {
            throw UsageProblem(error)
        }
    }

    private init(resolved: SSHConfigSettings, _ configuration: SSHConfigFile) {
        (self.resolved, self.configuration) = (resolved, configuration)
    }

    /// The settings of its jump hosts, the nearest first.
    ///
    /// - Throws: `UsageProblem` for an invalid configuration, or a cycle of jump hosts.
    package func jumpHosts() throws -> [HostSettings] {
        do {
            return try configuration.jumpHosts(for: resolved).map { HostSettings(resolved: $0, configuration) }
        } catch {
            throw UsageProblem(error)
        }
    }

    /// The endpoint to connect to.
    package func endpoint() throws -> SSHEndpoint {
        if let refusal = resolved.refusal { throw UsageProblem(refusal) }
        guard !resolved.user.isEmpty else {
            throw UsageProblem(field: "user", problem: "it is empty; write user@\(resolved.host) or give --user")
        }
        do throws(SSHDestinationProblem) {
            return try SSHEndpoint(
                checking: resolved.hostName, port: resolved.port, user: resolved.user, name: resolved.host)
        } catch {
            throw UsageProblem(error)
        }
    }

    /// - Parameter through: ``jumpHosts()`` in the form that a connection takes.
    package func apply(to configuration: inout SSHConnectionConfiguration, canAsk: Bool, through jumpHosts: [SSHJumpHost]) throws
    {
        do {
            // `jumpHosts` already includes their own jump hosts, except how the first one is reached.
            try configuration.apply(resolved, context: context, canAsk: canAsk, through: jumpHosts)
        } catch {
            throw UsageProblem(error)
        }
    }

    /// ConnectTimeout; nil for no limit (`none`, 0).
    package var connectTimeout: Duration? {
        guard let seconds = resolved.number("connecttimeout"), seconds > 0 else { return nil }
        return .seconds(seconds)
    }

    // MARK: Settings outside the connection

    /// Whether prompts are disabled (BatchMode).
    package var isBatch: Bool { resolved.isOn("batchmode") }

    /// The command for a run that was given none.
    package var remoteCommand: String? { resolved.value("remotecommand") }

    /// Whether to allocate a terminal for the command.
    package func wantsTerminal(isInputTerminal: Bool) -> Bool {
        switch resolved.value("requesttty") {
        case "force": true
        case "true": isInputTerminal
        default: false
        }
    }

    /// Whether bridge-ssh's own messages are suppressed.
    package var isQuiet: Bool { resolved.value("loglevel") == "SILENT" }

    /// Verbosity: the number of `-v` options it corresponds to.
    package var verbosity: Int {
        switch resolved.value("loglevel") {
        case "VERBOSE", "DEBUG": 1
        case "DEBUG2", "DEBUG3": 2
        default: 0
        }
    }

    /// Notes for `-v`: settings that bridge-ssh ignores.
    package var notes: [String] {
        var notes = resolved.unsupported.map { setting in
            "\(setting.name) \(setting.value) has no effect here\(resolved.place(of: setting.name).map { " (\($0))" } ?? "")"
        }
        if resolved.isSet("stricthostkeychecking"), resolved.value("stricthostkeychecking") == "false" {
            notes.append("StrictHostKeyChecking no is treated as accept-new: a changed host key is still refused")
        }
        return notes + resolved.unknownLinesElsewhere.map(\.description)
    }

    /// Warnings that are always printed: ignored settings that would change the host or the route, and unknown keywords in lines
    /// that apply.
    package var warnings: [String] {
        var warnings = resolved.unknownLines.map(\.description)
        if let interface = resolved.value("bindinterface"), interface != "none" {
            warnings.append(without("BindInterface", "this machine's routes decide, and not \(interface)"))
        }
        return warnings
    }

    /// Warnings about settings with which ssh would do something else than run the command.
    var sessionWarnings: [String] {
        switch context.session {
        case .command(""), .none, .subsystem: return []
        case .command, .shell: break
        }
        var warnings: [String] = []
        switch resolved.value("sessiontype") {
        case "none": warnings.append(without("SessionType", "ssh would run no command"))
        case "subsystem": warnings.append(without("SessionType", "ssh would ask for a subsystem of the command's name"))
        default: break
        }
        if resolved.isOn("permitlocalcommand"), let local = resolved.value("localcommand"), local != "none" {
            warnings.append(without("LocalCommand", "nothing is run on this machine after the login"))
        }
        return warnings
    }

    /// The settings that decide about ssh's session, in lower case, as far as they are set. OpenSSH before 8.7 does not have
    /// these settings, so they are overridden only where a configuration has them.
    var sessionSettings: [String] { ["sessiontype", "forkafterauthentication", "stdinnull"].filter(resolved.isSet) }

    /// Authentication methods that ssh has and bridge-ssh lacks, by the method's name. The text explains a failure if the server
    /// offers nothing else.
    package var missingMethods: [(method: String, text: String)] {
        [
            ("gssapi-with-mic", "GSSAPIAuthentication"), ("hostbased", "HostbasedAuthentication"),
        ].compactMap { method, keyword in
            guard resolved.isSet(keyword.lowercased()), resolved.isOn(keyword.lowercased()) else { return nil }
            return (method, without(keyword, "the server offers \(method), which bridge-ssh supports only with --via ssh"))
        }
    }

    private func without(_ keyword: String, _ consequence: String) -> String {
        let place = resolved.place(of: keyword.lowercased()).map { " (\($0))" } ?? ""
        return "\(keyword) has no effect here\(place): \(consequence)"
    }
}

/// ssh's configuration: the files and options that say how a host is reached (ssh_config(5), as OpenSSH 10.0 reads it).
public struct SSHConfigFile: Sendable {
    /// The local facts.
    public var context: SSHConfigContext
    /// The files.
    public var source: SSHConfigSource
    /// Options of the command line, each `Key=Value` or `Key Value`; they win over the files.
    public var options: [String]

    /// A configuration of files and options; nothing is read yet.
    public init(context: SSHConfigContext, source: SSHConfigSource = .standard, options: [String] = []) {
        self.context = context
        self.source = source
        self.options = options
    }

    /// The configuration for a host. Reads the files, and blocks the thread while it does.
    ///
    /// - Parameters:
    ///   - host: the host as it was named; as ``SSHDestination`` accepts it.
    ///   - user: the user, if a source of higher precedence sets it; as ``SSHDestination`` accepts it.
    ///   - port: the port, if a source of higher precedence sets it.
    /// - Throws: ``SSHConfigProblem`` for a host or user that a command of the configuration must not get, for the first line
    ///   that ssh(1) would refuse too, and for a file that cannot be read, belongs to another user, or includes too deep.
    public func resolve(host: String, user: String? = nil, port: Int? = nil) throws(SSHConfigProblem) -> SSHConfigSettings {
        var reader = ConfigurationReader(context: context, host: host)
        let commandLine = SSHConfigPlace.commandLine
        if let user { reader.settings.set("user", user, at: commandLine) }
        if let port { reader.settings.set("port", "\(port)", at: commandLine) }
        for option in options { try reader.readOption(option) }
        do throws(SSHDestinationProblem) { try HostNameRules.check(host, input: host) } catch {
            throw commandLine.problem(error.description)
        }
        // Files are not read yet: this setting comes from an option or an argument.
        if let user = reader.settings.first("user") {
            do throws(SSHDestinationProblem) { try UserNameRules.check(user, input: user) } catch {
                throw (reader.settings.places["user"] ?? commandLine).problem(error.description)
            }
        }
        try readFiles(&reader)
        var current = host
        if let name = reader.settings.first("hostname") {
            do { current = try HostNameExpansion.expand(name, host: host) } catch {
                throw (reader.settings.places["hostname"] ?? commandLine).problem(error.text)
            }
        }
        current = AddressLookup.canonicalAddress(current) ?? current.lowercasedASCII
        let canonicalises = reader.settings.first("canonicalizehostname").map { $0 != "false" } ?? false
        if canonicalises, AddressLookup.canonicalAddress(current) == nil {
            do { current = try HostCanonicalization(settings: reader.settings, context: context).name(for: current) } catch {
                throw (reader.settings.places["canonicalizehostname"] ?? commandLine).problem(error.text)
            }
        }
        if reader.wantsFinalPass || canonicalises {
            reader.settings.replace("hostname", with: [current])
            reader.currentHost = current
            reader.isFinalPass = true
            // ssh(1) has settled these when it reads the files again.
            reader.settings.fill(with: [
                "canonicalizemaxdots": ["1"], "canonicalizefallbacklocal": ["yes"], "canonicalizehostname": ["false"],
            ])
            try readFiles(&reader)
        }
        return try ConfigurationDefaults(context: context, host: host, currentHost: current).complete(reader.settings)
    }

    private func readFiles(_ reader: inout ConfigurationReader) throws(SSHConfigProblem) {
        var users = ConfigurationReader.Section(isUsers: true)
        switch source {
        case .none: return
        case .file(let path):
            if let number = try reader.readFile(path, checkingOwner: false, in: &users) {
                throw SSHConfigProblem(
                    file: path, problem: "the file cannot be read: \(ConfigurationReader.text(of: number))")
            }
        case .standard:
            // As for ssh(1), a standard file that cannot be read is not a failure.
            _ = try reader.readFile("\(context.home)/.ssh/config", checkingOwner: true, in: &users)
            var systems = ConfigurationReader.Section(isUsers: false)
            _ = try reader.readFile("/etc/ssh/ssh_config", checkingOwner: false, in: &systems)
        }
    }
}

/// Which files are read.
public enum SSHConfigSource: Sendable, Hashable {
    /// `~/.ssh/config`, whose owner and mode are checked, then `/etc/ssh/ssh_config`; either may be missing.
    case standard
    /// Only this file, regardless of its owner; it must exist, and not be a directory.
    case file(String)
    /// None at all.
    case none
}

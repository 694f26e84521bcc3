extension SSHConnectionConfiguration {
    /// Applies ssh's configuration for a host. Only settings from files or options are applied; ssh's defaults change nothing.
    ///
    /// `StrictHostKeyChecking no` becomes ``SSHHostKeyPolicy/acceptNew`` with ``SSHKnownHostsFiles/acceptsWithoutRemembering``: a
    /// changed key is refused, whatever a file says.
    ///
    /// - Parameters:
    ///   - resolved: the settings for the host.
    ///   - context: the machine on which the configuration was read.
    ///   - canAsk: whether a person can be asked about host keys.
    ///   - jumpHosts: the result of ``SSHConfigFile/jumpHosts(for:)``, converted to jump hosts.
    /// - Throws: ``SSHConfigProblem`` for a setting that cannot be used. One is a ProxyJump without `jumpHosts`, which would lead
    ///   to a different connection than requested.
    public mutating func apply(
        _ resolved: SSHConfigSettings, context: SSHConfigContext, canAsk: Bool, through jumpHosts: [SSHJumpHost] = []
    ) throws(SSHConfigProblem) {
        if let value = resolved.value("proxyjump"), jumpHosts.isEmpty {
            throw resolved.problem(with: "proxyjump", "ProxyJump \(value) is set, but the configuration has no jump hosts")
        }
        self.jumpHosts = jumpHosts
        settingPlaces = SettingPlaces(resolved)
        if let command = try resolved.proxyCommand() {
            proxyCommand = SSHProxyCommand(command, shell: context.shell, environment: context.environment)
        }
        try credentials.apply(resolved, context: context)
        try applyTrust(resolved, context, canAsk: canAsk)
        try applyAlgorithms(resolved)
        switch resolved.value("addressfamily") {
        case "inet": addressFamily = .ipv4
        case "inet6": addressFamily = .ipv6
        default: break
        }
        if let address = resolved.value("bindaddress"), address != "*" {
            guard Connector.isAddress(address) else {
                throw resolved.problem(
                    with: "bindaddress", "BindAddress \(address) is not an address; write one of this machine's in digits")
            }
            localAddress = address
        }
        if let seconds = resolved.number("connecttimeout"), seconds > 0 {
            timeouts.connect = .seconds(seconds)
            timeouts.resolve = .seconds(seconds)
        }
        if let seconds = resolved.number("serveraliveinterval"), seconds > 0,
            let count = resolved.number("serveralivecountmax"), count > 0
        {
            keepalive = SSHKeepaliveOptions(interval: .seconds(seconds), countMax: count)
        }
    }

    private mutating func applyTrust(
        _ resolved: SSHConfigSettings, _ context: SSHConfigContext, canAsk: Bool
    ) throws(SSHConfigProblem) {
        let isNone = { (path: String) in path.lowercasedASCII == "none" }
        if resolved.isSet("userknownhostsfile") {
            knownHosts.user = resolved.values("userknownhostsfile").filter { !isNone($0) }
            // `UserKnownHostsFile none` means that keys are not remembered.
            knownHosts.acceptsWithoutRemembering = knownHosts.user.isEmpty
        }
        if resolved.isSet("globalknownhostsfile") {
            var paths: [String] = []
            for path in resolved.values("globalknownhostsfile") where !isNone(path) {
                do { paths.append(try TokenValues.expandTilde(path, context)) } catch {
                    throw resolved.problem(with: "globalknownhostsfile", error.text)
                }
            }
            knownHosts.system = paths
        }
        knownHosts.hashesNames = resolved.isOn("hashknownhosts")
        // A run asks nothing while its command runs, so `ask` adds nothing.
        knownHosts.learnsAnnouncedKeys = resolved.value("updatehostkeys") == "true"
        knownHosts.revoked = resolved.value("revokedhostkeys").map { [$0] } ?? []
        hostKeyAlias = resolved.value("hostkeyalias")
        knownHostsCommand = try resolved.knownHostsCommand()
        guard resolved.isSet("stricthostkeychecking") else { return }
        switch resolved.value("stricthostkeychecking") {
        case "true": hostKeyPolicy = .strict
        case "ask": hostKeyPolicy = canAsk ? .ask : .strict
        case "accept-new": hostKeyPolicy = .acceptNew
        default:
            hostKeyPolicy = .acceptNew
            knownHosts.acceptsWithoutRemembering = true
        }
    }

    /// A list modifies this library's default, which is OpenSSH's default as far as libssh2 supports it.
    private mutating func applyAlgorithms(_ resolved: SSHConfigSettings) throws(SSHConfigProblem) {
        let lists: [(String, WritableKeyPath<SSHAlgorithmPreferences, [String]>)] = [
            ("kexalgorithms", \.keyExchange), ("hostkeyalgorithms", \.hostKey), ("ciphers", \.ciphers), ("macs", \.macs),
        ]
        for (name, path) in lists {
            guard let specification = resolved.algorithmSpecifications[name] else { continue }
            let defaults = algorithms[keyPath: path]
            let all = specification.kind.all + specification.kind.newer
            algorithms[keyPath: path] = try resolved.names(of: name, specification, defaults: defaults, all: all + defaults)
            if algorithms[keyPath: path].isEmpty {
                // The list that ssh would offer: libssh2 reports that it supports none of it.
                algorithms[keyPath: path] = (resolved.value(name) ?? "").split(separator: ",").map(String.init)
            }
            guard !algorithms[keyPath: path].isEmpty else {
                throw resolved.problem(with: name, "\(specification.text) leaves no algorithm")
            }
        }
        let accepted = "pubkeyacceptedalgorithms"
        if let specification = resolved.algorithmSpecifications[accepted] {
            let kind = specification.kind
            credentials.acceptedAlgorithms = try resolved.names(
                of: accepted, specification, defaults: kind.defaults, all: kind.all)
        }
    }
}

extension SSHConfigSettings {
    /// The names that a list of algorithms stands for.
    ///
    /// - Throws: the setting's problem, with its file and line.
    fileprivate func names(
        of setting: String, _ specification: AlgorithmSpecification, defaults: [String], all: [String]
    ) throws(SSHConfigProblem) -> [String] {
        do {
            return try specification.assemble(defaults: defaults, all: all)
        } catch {
            throw problem(with: setting, error.text)
        }
    }
}

extension SSHCredentials {
    fileprivate mutating func apply(
        _ resolved: SSHConfigSettings, context: SSHConfigContext
    ) throws(SSHConfigProblem) {
        if resolved.isSet("identityfile") {
            identities = try resolved.paths("identityfile").map { SSHIdentity(path: $0) }
        }
        certificates = try resolved.paths("certificatefile")
        identitiesOnly = resolved.isOn("identitiesonly")
        switch resolved.value("identityagent") {
        case nil, "SSH_AUTH_SOCK": break
        case "none": agentSocket = nil
        case let path? where path.hasPrefix("$"): agentSocket = context.variable(String(path.dropFirst()))
        case let path?: agentSocket = path
        }
        if let count = resolved.number("numberofpasswordprompts") { passwordPrompts = count }
        if let preferred = resolved.value("preferredauthentications") {
            var names: [SSHAuthenticationMethod] = []
            for name in preferred.split(separator: ",") {
                if let method = SSHAuthenticationMethod(rawValue: String(name)), !names.contains(method) { names.append(method) }
            }
            methods = names
        }
        if resolved.value("pubkeyauthentication") == "false" { methods.removeAll { $0 == .publicKey } }
        if !resolved.isOn("passwordauthentication") { methods.removeAll { $0 == .password } }
        if !resolved.isOn("kbdinteractiveauthentication") { methods.removeAll { $0 == .keyboardInteractive } }
    }
}

/// The places in ssh's configuration of settings that can cause a failure.
package struct SettingPlaces: Sendable, Hashable {
    /// `file:line` or `command-line`, by keyword as spelled in ssh_config(5).
    var keywords: [String: String] = [:]
    /// The places of identities, by path.
    var identities: [String: String] = [:]
    /// The methods in PreferredAuthentications that libssh2 lacks.
    var foreignMethods: [String] = []

    init() {}

    /// Methods that OpenSSH's ssh has and libssh2 lacks.
    private static let known = ["gssapi-with-mic", "hostbased"]

    init(_ resolved: SSHConfigSettings) {
        for keyword in [
            "KexAlgorithms", "HostKeyAlgorithms", "Ciphers", "MACs", "PreferredAuthentications", "BindAddress",
            "PubkeyAcceptedAlgorithms",
        ] {
            keywords[keyword] = resolved.place(of: keyword.lowercased())?.description
        }
        if let preferred = resolved.value("preferredauthentications") {
            let names = preferred.split(separator: ",").map(String.init)
            foreignMethods = names.filter { SSHAuthenticationMethod(rawValue: $0) == nil && Self.known.contains($0) }
        }
        if resolved.value("pubkeyauthentication") == "false" {
            keywords["PubkeyAuthentication"] = resolved.place(of: "pubkeyauthentication")?.description
        }
        for value in resolved.values("identityfile") {
            guard let place = resolved.place(of: "identityfile", value: value), let path = try? resolved.path(value) else {
                continue
            }
            if identities[path] == nil { identities[path] = place.description }
        }
    }
}

extension SSHConnectionConfiguration {
    /// The setting that made a failure possible, if there is one.
    package func setting(behind evidence: SSHEvidence) -> SSHSettingEvidence? {
        switch evidence.event {
        case .keyUnusable(let problem):
            return settingPlaces.identities[problem.path].map { SSHSettingEvidence(keyword: "IdentityFile", place: $0) }
        case .connectionFailed:
            guard localAddress != nil, evidence.lacksLocalAddress else { return nil }
            return setting("BindAddress") ?? SSHSettingEvidence(keyword: "BindAddress", place: "localAddress")
        case .credentialsExhausted:
            if credentials.methods.isEmpty, !settingPlaces.foreignMethods.isEmpty {
                return setting("PreferredAuthentications", excluded: settingPlaces.foreignMethods)
            }
            if evidence.leavesOutAllKeys { return setting("PubkeyAcceptedAlgorithms") }
            if credentials.methods.contains(.publicKey) { return nil }
            let keyword = ["PubkeyAuthentication", "PreferredAuthentications"].first { settingPlaces.keywords[$0] != nil }
            return keyword.flatMap { setting($0) }
        default:
            return algorithmSetting(evidence)
        }
    }

    /// The fault for an empty list of algorithms. If ssh's configuration set the list, the fault names that setting.
    func attributed(_ fault: Fault) -> Fault {
        guard case .usage(let keyword, let problem) = fault.event, let place = settingPlaces.keywords[keyword] else {
            return fault
        }
        var (file, line) = (place, Int?.none)
        if let colon = place.lastIndex(of: ":"), let number = Int(place[place.index(after: colon)...]), !place.hasPrefix("-") {
            (file, line) = (String(place[..<colon]), number)
        }
        var attributed = fault
        attributed.event = .configurationInvalid(file: file, line: line, problem: "\(keyword): \(problem)")
        return attributed
    }

    /// The configured algorithms that libssh2 lacks, with keyword and place, if the rest of the list is offered.
    func leftOut(of offered: SSHAlgorithmLists) -> [String] {
        let lists = [
            ("KexAlgorithms", algorithms.keyExchange, offered.keyExchange),
            ("HostKeyAlgorithms", algorithms.hostKey, offered.hostKey), ("Ciphers", algorithms.ciphers, offered.cipherToServer),
            ("MACs", algorithms.macs, offered.macToServer),
        ]
        return lists.compactMap { keyword, wanted, offered in
            guard let place = settingPlaces.keywords[keyword] else { return nil }
            let missing = wanted.filter { !offered.contains($0) }
            guard !missing.isEmpty else { return nil }
            return "\(keyword) (\(place)): libssh2 does not have \(missing.joined(separator: ", ")), which is left out"
        }
    }

    private func setting(_ keyword: String, excluded: [String] = []) -> SSHSettingEvidence? {
        settingPlaces.keywords[keyword].map { SSHSettingEvidence(keyword: keyword, place: $0, excluded: excluded) }
    }

    /// A list is the cause if the default list has an algorithm in common with the server's.
    private func algorithmSetting(_ evidence: SSHEvidence) -> SSHSettingEvidence? {
        guard let mismatch = AlgorithmAgreement.mismatch(evidence) else { return nil }
        let defaults = SSHAlgorithmPreferences()
        let list: [String] =
            switch mismatch.kind {
            case .keyExchange: defaults.keyExchange
            case .hostKey: defaults.hostKey
            case .cipher: defaults.ciphers
            case .mac: defaults.macs
            case .compression: []
            }
        let excluded = list.filter(mismatch.server.contains)
        return excluded.isEmpty ? nil : setting(mismatch.kind.serverKeyword, excluded: excluded)
    }
}

extension SettingPlaces: FieldCoded {
    package static var blank: SettingPlaces { SettingPlaces() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try Self.code(&keywords, &coder)
        try Self.code(&identities, &coder)
        try coder.code(&foreignMethods)
    }

    private static func code(_ places: inout [String: String], _ coder: inout FieldCoder) throws(SSHWireError) {
        var names = places.keys.sorted()
        var values = names.map { places[$0] ?? "" }
        try coder.code(&names)
        try coder.code(&values)
        places = Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
    }
}

/// ssh's configuration for one host, defaults included.
public struct SSHConfigSettings: Sendable {
    /// One line of ``settings``.
    public struct Setting: Sendable, Hashable {
        /// The keyword as `ssh -G` spells it.
        public let name: String
        /// The value as `ssh -G` prints it.
        public let value: String
        /// The place where it was set; nil for a default.
        public let place: SSHConfigPlace?

        package init(name: String, value: String, place: SSHConfigPlace? = nil) {
            self.name = name
            self.value = value
            self.place = place
        }
    }

    /// The host as it was named.
    public let host: String
    package let values: [String: [String]]
    package let places: [String: SSHConfigPlace]
    /// Where each value of a keyword was set, in the order of `values`.
    private let origins: [String: [SSHConfigPlace]]
    package let algorithmSpecifications: [String: AlgorithmSpecification]
    /// Lines with an unknown keyword, and whether they are in a section that applies.
    private let leftOut: [(problem: SSHConfigProblem, isActive: Bool)]
    package let context: SSHConfigContext

    package init(
        host: String, values: [String: [String]], places: [String: SSHConfigPlace],
        origins: [String: [SSHConfigPlace]] = [:],
        algorithmSpecifications: [String: AlgorithmSpecification],
        leftOut: [(problem: SSHConfigProblem, isActive: Bool)] = [], context: SSHConfigContext
    ) {
        self.leftOut = leftOut
        self.host = host
        self.values = values
        self.places = places
        self.origins = origins
        self.algorithmSpecifications = algorithmSpecifications
        self.context = context
    }

    /// The value of a keyword in lower case, as `ssh -G` prints it; nil if it has none.
    public func value(_ name: String) -> String? { values[name]?.first }

    /// All values of a keyword in lower case.
    public func values(_ name: String) -> [String] { values[name] ?? [] }

    /// Whether a keyword was set by a file or an option, and is not a default.
    public func isSet(_ name: String) -> Bool { places[name] != nil }

    /// Where a keyword in lower case was set; nil for a default.
    public func place(of name: String) -> SSHConfigPlace? { places[name] }

    /// Where a value of an accumulating keyword in lower case was set; nil for a default.
    public func place(of name: String, value: String) -> SSHConfigPlace? {
        zip(values[name] ?? [], origins[name] ?? []).first { $0.0 == value }?.1
    }

    /// A failure of a keyword's value that is found only when the value is used.
    public func problem(with name: String, _ text: String) -> SSHConfigProblem {
        (places[name] ?? .commandLine).problem(text)
    }

    /// Lines that apply to the host and have no effect, because their keyword is unknown.
    public var unknownLines: [SSHConfigProblem] { leftOut.filter(\.isActive).map(\.problem) }

    /// Such lines that are for other hosts.
    package var unknownLinesElsewhere: [SSHConfigProblem] { leftOut.filter { !$0.isActive }.map(\.problem) }

    /// Everything, in the order in which `ssh -G` of OpenSSH 10.0 prints it.
    public var settings: [Setting] {
        var settings = [Setting(name: "host", value: host)]
        for (name, style) in Self.order {
            let values = values(name)
            switch style {
            case .lines: settings += each(of: values, name)
            case .oneLine where !values.isEmpty:
                settings.append(
                    Setting(name: Self.spelling[name] ?? name, value: values.joined(separator: " "), place: places[name]))
            case .proxyCommand where self.values["proxyjump"] == nil: settings += each(of: values, name)
            case .oneLine, .proxyCommand: break
            }
        }
        return settings
    }

    private func each(of values: [String], _ name: String) -> [Setting] {
        let origins = origins[name] ?? []
        return values.enumerated().map { index, value in
            Setting(name: name, value: value, place: index < origins.count ? origins[index] : places[name])
        }
    }

    // MARK: Settings of a connection

    /// The host to connect to.
    public var hostName: String { value("hostname") ?? host }
    /// The port, 1 to 65535.
    public var port: Int { value("port").flatMap { Int($0) } ?? 22 }
    /// The user to log in as.
    public var user: String { value("user") ?? context.localUser }
    /// The refusal of a RefuseConnection, whose value becomes the problem's text; nil for a host that may be connected to.
    public var refusal: SSHConfigProblem? {
        value("refuseconnection").map { text in
            var problem = problem(with: "refuseconnection", text)
            problem.refusedHost = hostName
            return problem
        }
    }
    /// The number of a keyword that has one.
    public func number(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
    /// Whether a keyword is set to yes.
    public func isOn(_ name: String) -> Bool { value(name) == "yes" || value(name) == "true" }

    /// The paths of a keyword, tokens and `~` expanded, without `none`.
    ///
    /// - Throws: ``SSHConfigProblem`` for an unknown token or variable.
    public func paths(_ name: String) throws(SSHConfigProblem) -> [String] {
        var paths: [String] = []
        for value in values(name) where value.lowercasedASCII != "none" {
            do { paths.append(try path(value)) } catch { throw problem(with: name, error.text) }
        }
        return paths
    }

    /// A path with its tokens and `~` expanded.
    package func path(_ value: String) throws(LineProblem) -> String {
        var tokens = TokenValues(
            host: hostName, originalHost: host, keyAlias: self.value("hostkeyalias") ?? host, port: port, user: user,
            context: context)
        tokens.jump = JumpSpecification.nearest(in: self.value("proxyjump"))
        return try tokens.expandPath(value)
    }
}

extension SSHConfigSettings {
    /// The form in which `ssh -G` prints a keyword's values.
    enum Style {
        /// All on one line.
        case oneLine
        /// Each on its own line.
        case lines
        /// On one line, unless there is a jump host.
        case proxyCommand
    }

    /// The one keyword that is not printed in lower case.
    static let spelling = ["canonicalizepermittedcnames": "canonicalizePermittedcnames"]

    /// The order of OpenSSH 10.0.
    static let order: [(String, Style)] =
        [
            ("user", .oneLine), ("hostname", .oneLine), ("port", .oneLine),
        ] + flags.map { ($0, .oneLine) } + words.map { ($0, .oneLine) } + [
            ("dynamicforward", .lines), ("localforward", .lines), ("remoteforward", .lines), ("identityfile", .lines),
            ("canonicaldomains", .oneLine), ("certificatefile", .lines), ("globalknownhostsfile", .oneLine),
            ("userknownhostsfile", .oneLine), ("sendenv", .lines), ("setenv", .lines),
        ] + last.map { ($0, .oneLine) } + [("proxycommand", .proxyCommand), ("proxyjump", .oneLine)]

    private static let flags = [
        "addressfamily", "batchmode", "canonicalizefallbacklocal", "canonicalizehostname", "checkhostip", "compression",
        "controlmaster", "enablesshkeysign", "clearallforwardings", "exitonforwardfailure", "fingerprinthash", "forwardx11",
        "forwardx11trusted", "gatewayports", "gssapiauthentication", "gssapikeyexchange", "gssapidelegatecredentials",
        "gssapitrustdns", "gssapirenewalforcesrekey", "gssapiclientidentity", "gssapiserveridentity", "gssapikexalgorithms",
        "hashknownhosts", "hostbasedauthentication", "identitiesonly", "kbdinteractiveauthentication",
        "nohostauthenticationforlocalhost", "passwordauthentication", "permitlocalcommand", "proxyusefdpass",
        "pubkeyauthentication", "requesttty", "sessiontype", "stdinnull", "forkafterauthentication", "streamlocalbindunlink",
        "stricthostkeychecking", "tcpkeepalive", "tunnel", "verifyhostkeydns", "visualhostkey", "updatehostkeys",
        "enableescapecommandline",
    ]

    private static let words = [
        "canonicalizemaxdots", "connectionattempts", "forwardx11timeout", "numberofpasswordprompts", "serveralivecountmax",
        "serveraliveinterval", "requiredrsasize", "obscurekeystroketiming", "bindaddress", "bindinterface", "ciphers",
        "controlpath", "hostkeyalgorithms",
        "hostkeyalias", "hostbasedacceptedalgorithms", "identityagent", "ignoreunknown", "kbdinteractivedevices",
        "kexalgorithms", "casignaturealgorithms", "localcommand", "remotecommand", "loglevel", "macs", "pkcs11provider",
        "securitykeyprovider", "preferredauthentications", "pubkeyacceptedalgorithms", "revokedhostkeys", "xauthlocation",
        "knownhostscommand", "tag", "versionaddendum", "refuseconnection", "warnweakcrypto",
    ]

    private static let last = [
        "logverbose", "channeltimeout", "permitremoteopen", "addkeystoagent", "forwardagent", "connecttimeout", "tunneldevice",
        "canonicalizepermittedcnames", "controlpersist", "escapechar", "ipqos", "rekeylimit", "streamlocalbindmask",
        "syslogfacility",
    ]
}

extension SSHConfigSettings {
    /// The settings of files and options that have no effect here, because bridge-ssh does not implement them.
    public var unsupported: [Setting] {
        let names = Set(places.keys.lazy.map { $0 == "forwardagent socket" ? "forwardagent" : $0 }).subtracting(Self.honoured)
        // Most configurations have none, and making all lines costs more than reading the files.
        if names.isEmpty { return [] }
        return settings.filter {
            let name = $0.name.lowercasedASCII
            // The one keyword that requests a feature with this word.
            let isNeutral = Self.neutral.contains($0.value) && !(name == "controlmaster" && $0.value == "auto")
            return names.contains(name) && !isNeutral
        }
    }

    /// The keywords that a run follows.
    package static let honoured: Set<String> = [
        "addressfamily", "batchmode", "bindaddress", "canonicaldomains", "canonicalizefallbacklocal", "canonicalizehostname",
        "canonicalizemaxdots",
        "canonicalizepermittedcnames", "certificatefile", "ciphers", "connecttimeout", "globalknownhostsfile",
        "hashknownhosts",
        "hostkeyalgorithms",
        "hostkeyalias", "hostname", "identitiesonly", "identityagent", "identityfile", "ignoreunknown",
        "kbdinteractiveauthentication", "kexalgorithms", "knownhostscommand", "loglevel", "macs", "numberofpasswordprompts",
        "passwordauthentication",
        "port", "preferredauthentications", "proxycommand", "proxyjump", "pubkeyacceptedalgorithms",
        "pubkeyauthentication", "remotecommand", "requesttty",
        "refuseconnection", "revokedhostkeys", "sendenv",
        "serveralivecountmax", "serveraliveinterval", "setenv", "stdinnull", "stricthostkeychecking", "tag", "updatehostkeys",
        "user", "userknownhostsfile",
    ]

    /// The values that request nothing.
    private static let neutral: Set<String> = ["no", "false", "none", "any", "auto", "default", "any:any", "0 0"]

    /// The environment of the remote command: what SendEnv names of the local one, then SetEnv.
    ///
    /// - Parameter local: the local environment.
    public func commandEnvironment(from local: [(name: String, value: String)]) -> [(name: String, value: String)] {
        let patterns = values("sendenv")
        let sent = local.filter { variable in patterns.contains { Pattern.fits($0, variable.name) } }
        let set = values("setenv").compactMap { assignment -> (name: String, value: String)? in
            guard let equals = assignment.firstIndex(of: "=") else { return nil }
            return (String(assignment[..<equals]), String(assignment[assignment.index(after: equals)...]))
        }
        return sent.filter { variable in !set.contains { $0.name == variable.name } } + set
    }
}

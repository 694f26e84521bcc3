/// Completes the settings: the defaults of ssh(1), the tokens, and values that follow from other values.
struct ConfigurationDefaults {
    let context: SSHConfigContext
    /// The host as it was named.
    let host: String
    /// The host as it is connected to.
    let currentHost: String

    func complete(_ read: SettingStore) throws(SSHConfigProblem) -> SSHConfigSettings {
        var settings = read
        settings.replace("hostname", with: [currentHost])
        settings.replace("port", with: [settings.first("port") ?? "22"])
        try expandUser(&settings)
        settings.replace("hostkeyalias", with: settings.values["hostkeyalias"]?.map(\.lowercasedASCII))
        let updatesKeys = settings.first("updatehostkeys") ?? updatesHostKeys(settings)
        settings.replace("updatehostkeys", with: [updatesKeys])
        if settings.first("batchmode") == "yes", !settings.isSet("serveraliveinterval") {
            // Debian's ssh sends keepalives in batch mode.
            settings.replace("serveraliveinterval", with: ["300"])
        }
        settings.fill(with: Self.values)
        clearNone(&settings)
        guard settings.first("connectionattempts") != "0" else {
            throw place(of: "connectionattempts", settings).problem("ConnectionAttempts must be 1 or more")
        }
        try expand(&settings)
        combine(&settings)
        let specifications = try assemble(&settings)
        return SSHConfigSettings(
            host: host, values: settings.values, places: read.places, origins: settings.origins,
            algorithmSpecifications: specifications, leftOut: read.notes, context: context)
    }

    private func place(of name: String, _ settings: SettingStore) -> SSHConfigPlace {
        settings.places[name] ?? .commandLine
    }

    /// UpdateHostKeys is on only with the usual known_hosts file and without VerifyHostKeyDNS.
    private func updatesHostKeys(_ settings: SettingStore) -> String {
        let files = settings.values["userknownhostsfile"] ?? []
        let verifies = settings.first("verifyhostkeydns").map { $0 != "false" } ?? false
        return (files.isEmpty || files == ["~/.ssh/known_hosts"]) && !verifies ? "true" : "false"
    }

    private func clearNone(_ settings: inout SettingStore) {
        for name in [
            "localcommand", "remotecommand", "proxycommand", "controlpath", "revokedhostkeys", "pkcs11provider",
            "securitykeyprovider", "knownhostscommand",
        ] where settings.first(name)?.lowercasedASCII == "none" { settings.replace(name, with: nil) }
        // Printed without a value, as ssh(1) does.
        if settings.first("versionaddendum")?.lowercasedASCII == "none" { settings.replace("versionaddendum", with: [""]) }
        if settings.first("proxyjump") == "none" { settings.replace("proxyjump", with: nil) }
        if settings.values["canonicalizepermittedcnames"]?.map(\.lowercasedASCII) == ["none"] {
            settings.replace("canonicalizepermittedcnames", with: ["none"])
        }
        if settings.first("clearallforwardings") == "yes" {
            for name in ["localforward", "remoteforward", "dynamicforward"] { settings.replace(name, with: nil) }
        }
    }

    /// The user's tokens and variables; an argument's value is used literally.
    private func expandUser(_ settings: inout SettingStore) throws(SSHConfigProblem) {
        guard let text = settings.first("user") else { return settings.replace("user", with: [context.localUser]) }
        guard settings.places["user"] != .commandLine, text.contains("%") || text.contains("$") else { return }
        var values = tokens(settings).all
        // The user is part of both (ssh_config(5), User).
        for letter in "rC".utf8 { values[letter] = nil }
        do {
            let user = try TokenExpansion(tokens: values, variable: context.variable).expand(text)
            do throws(SSHDestinationProblem) { try UserNameRules.check(user, input: user) } catch {
                throw LineProblem(error.description)
            }
            settings.replace("user", with: [user])
        } catch let problem as LineProblem {
            throw place(of: "user", settings).problem(problem.text)
        } catch {
            throw place(of: "user", settings).problem("\(error)")
        }
    }

    /// Expands the settings that ssh(1) expands at once; identities and certificates are expanded when they are read.
    private func expand(_ settings: inout SettingStore) throws(SSHConfigProblem) {
        let tokens = tokens(settings)
        for name in ["controlpath", "identityagent", "revokedhostkeys", "forwardagent socket", "userknownhostsfile"] {
            guard let values = settings.values[name] else { continue }
            var expanded: [String] = []
            for value in values {
                do { expanded.append(try tokens.expandPath(value)) } catch { throw place(of: name, settings).problem(error.text) }
            }
            settings.replace(name, with: expanded)
        }
        for name in ["setenv", "versionaddendum", "localforward", "remoteforward"] {
            guard let values = settings.values[name] else { continue }
            var expanded: [String] = []
            for value in values {
                // Of a forwarding only the paths of sockets have tokens; a name and a port have no such characters.
                let isForward = name.hasSuffix("forward")
                let parts = isForward ? value.split(separator: " ", omittingEmptySubsequences: false) : [value[...]]
                do throws(LineProblem) {
                    let texts = try parts.map { (part) throws(LineProblem) in
                        guard !isForward || part.contains("/") else { return String(part) }
                        return try TokenExpansion(tokens: tokens.all, variable: context.variable).expand(String(part))
                    }
                    expanded.append(texts.joined(separator: " "))
                } catch {
                    throw place(of: name, settings).problem(error.text)
                }
            }
            settings.replace(name, with: expanded)
        }
        if let command = settings.first("remotecommand") {
            do { settings.replace("remotecommand", with: [try tokens.expandCommand(command)]) } catch {
                throw place(of: "remotecommand", settings).problem(error.text)
            }
        }
    }

    private func tokens(_ settings: SettingStore) -> TokenValues {
        var tokens = TokenValues(
            host: currentHost, originalHost: host, keyAlias: settings.first("hostkeyalias") ?? host,
            port: settings.first("port").flatMap { Int($0) } ?? 22, user: settings.first("user") ?? context.localUser,
            context: context)
        tokens.jump = JumpSpecification.nearest(in: settings.first("proxyjump"))
        return tokens
    }

    /// Values that ssh(1) joins in one line.
    private func combine(_ settings: inout SettingStore) {
        if let socket = settings.first("forwardagent socket") {
            settings.replace("forwardagent", with: [socket])
            settings.replace("forwardagent socket", with: nil)
        }
        let time = settings.first("rekeylimit time") ?? "0"
        settings.replace("rekeylimit", with: ["\(settings.first("rekeylimit") ?? "0") \(time)"])
        settings.replace("rekeylimit time", with: nil)
    }

    /// - Returns: the lists as they were written, by name.
    private func assemble(_ settings: inout SettingStore) throws(SSHConfigProblem) -> [String: AlgorithmSpecification] {
        var written: [String: AlgorithmSpecification] = [:]
        for (name, kind, defaults) in Self.algorithms {
            guard let text = settings.first(name) else {
                settings.replace(name, with: Self.defaultLists[name])
                continue
            }
            do {
                let specification = try AlgorithmSpecification(text, kind)
                let names = try specification.assemble(defaults: defaults, all: kind.all + kind.newer)
                settings.replace(name, with: [names.joined(separator: ",")])
                written[name] = specification
            } catch {
                throw place(of: name, settings).problem(error.text)
            }
        }
        return written
    }

    private static let algorithms: [(String, AlgorithmKind, [String])] = [
        ("ciphers", .cipher, AlgorithmKind.cipher.defaults), ("macs", .mac, AlgorithmKind.mac.defaults),
        ("kexalgorithms", .keyExchange, AlgorithmKind.keyExchange.defaults),
        ("hostkeyalgorithms", .key, AlgorithmKind.key.defaults),
        ("hostbasedacceptedalgorithms", .key, AlgorithmKind.key.defaults),
        ("pubkeyacceptedalgorithms", .key, AlgorithmKind.key.defaults),
        ("casignaturealgorithms", .key, AlgorithmKind.defaultCASignatures),
    ]

    /// The default algorithms as one value a keyword.
    private static let defaultLists = Dictionary(
        uniqueKeysWithValues: algorithms.map { ($0.0, [$0.2.joined(separator: ",")]) })

    /// The defaults of OpenSSH 10.0 as Debian has it.
    private static let values: [String: [String]] = {
        var values = oneWord.mapValues { [$0] }
        values["identityfile"] = ["rsa", "ecdsa", "ecdsa_sk", "ed25519", "ed25519_sk", "xmss"].map { "~/.ssh/id_\($0)" }
        values["globalknownhostsfile"] = ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]
        values["userknownhostsfile"] = ["~/.ssh/known_hosts", "~/.ssh/known_hosts2"]
        for name in [
            "batchmode", "checkhostip", "compression", "enablesshkeysign", "clearallforwardings", "exitonforwardfailure",
            "forwardx11", "gatewayports", "gssapiauthentication", "gssapikeyexchange", "gssapidelegatecredentials",
            "gssapitrustdns", "gssapirenewalforcesrekey", "hashknownhosts", "hostbasedauthentication", "identitiesonly",
            "nohostauthenticationforlocalhost", "permitlocalcommand", "proxyusefdpass", "stdinnull", "forkafterauthentication",
            "streamlocalbindunlink", "visualhostkey", "enableescapecommandline", "forwardagent", "controlpersist",
        ] { values[name] = ["no"] }
        for name in ["canonicalizehostname", "controlmaster", "tunnel", "verifyhostkeydns", "addkeystoagent"] {
            values[name] = ["false"]
        }
        for name in ["canonicaldomains", "logverbose", "connecttimeout", "canonicalizepermittedcnames", "channeltimeout"] {
            values[name] = ["none"]
        }
        return values
    }()

    private static let oneWord = [
        "addressfamily": "any", "canonicalizefallbacklocal": "yes", "fingerprinthash": "SHA256", "forwardx11trusted": "yes",
        "gssapikexalgorithms":
            "gss-group14-sha256-,gss-group16-sha512-,gss-nistp256-sha256-,gss-curve25519-sha256-,gss-group14-sha1-,gss-gex-sha1-",
        "kbdinteractiveauthentication": "yes", "passwordauthentication": "yes", "pubkeyauthentication": "true",
        "requesttty": "auto", "sessiontype": "default", "stricthostkeychecking": "ask", "tcpkeepalive": "yes",
        "canonicalizemaxdots": "1", "connectionattempts": "1", "forwardx11timeout": "1200", "numberofpasswordprompts": "3",
        "serveralivecountmax": "3", "serveraliveinterval": "0", "requiredrsasize": "1024", "loglevel": "INFO",
        "securitykeyprovider": "internal", "xauthlocation": "/usr/bin/xauth", "permitremoteopen": "any",
        "tunneldevice": "any:any",
        "escapechar": "~", "ipqos": "ef cs1", "obscurekeystroketiming": "yes", "streamlocalbindmask": "0177",
        "syslogfacility": "USER",
    ]
}

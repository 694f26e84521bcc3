internal import ErrorCore

/// The allowed values of a keyword, and how they are kept.
enum ValueRule: Sendable {
    /// `yes` or `no`.
    case flag
    /// One of several words; each is stored as `ssh -G` prints it.
    case choice([String: String])
    /// A whole number.
    case integer
    /// Seconds, or `none`, which sets nothing.
    case time
    case word
    /// One word that may name an environment variable, which must then be set.
    case agentPath
    /// Words; `none` must be the only word.
    case words(most: Int)
    /// Words that each line adds to; `ssh -G` prints each on its own line.
    case path
    /// The rest of the line as it is.
    case command
    /// A list of algorithms.
    case algorithms(AlgorithmKind)
    /// A rule of its own.
    case special(SpecialKeyword)
    /// Anything, without effect.
    case ignored
}

/// The keywords whose values follow a rule that no other keyword has.
enum SpecialKeyword: Sendable {
    case host, match, include, port, proxyCommand, proxyJump, logLevel, syslogFacility, logVerbose, escapeChar, forwardAgent
    case addKeysToAgent, rekeyLimit, sendEnv, setEnv, controlPersist, tunnelDevice, ipQoS, canonicalDomains, permittedCNAMEs
    case streamLocalBindMask, fingerprintHash, localForward, remoteForward, dynamicForward, permitRemoteOpen
    case channelTimeout, obscureKeystrokeTiming, refuseConnection
}

/// The keywords of ssh_config(5) in OpenSSH 10.0 as Debian has it, GSSAPI included, with their older names, those that later
/// versions added, and those of other vendors.
enum Keyword {
    /// The name under which a keyword's value is kept, which is how `ssh -G` prints it.
    static func name(_ keyword: String) -> String { aliases[keyword] ?? keyword }

    /// All names, the older ones too.
    static var names: [String] { Array(rules.keys) + Array(aliases.keys) }

    /// Nil for an unknown keyword.
    static func rule(_ name: String) -> ValueRule? { rules[name] }

    private static let aliases = [
        "challengeresponseauthentication": "kbdinteractiveauthentication", "skeyauthentication": "kbdinteractiveauthentication",
        "tisauthentication": "kbdinteractiveauthentication", "dsaauthentication": "pubkeyauthentication",
        "identityfile2": "identityfile", "keepalive": "tcpkeepalive", "hostbasedkeytypes": "hostbasedacceptedalgorithms",
        "pubkeyacceptedkeytypes": "pubkeyacceptedalgorithms", "smartcarddevice": "pkcs11provider",
        "protocolkeepalives": "serveraliveinterval", "setuptimeout": "connecttimeout",
        // Red Hat's name before OpenSSH 9.1 had one.
        "rsaminsize": "requiredrsasize",
    ]

    private static let rules: [String: ValueRule] = {
        var rules = special
        for name in flags { rules[name] = .flag }
        for name in words { rules[name] = .word }
        for name in ignored { rules[name] = .ignored }
        for (name, choice) in choices { rules[name] = .choice(choice) }
        for name in ["forwardx11timeout", "connecttimeout", "serveraliveinterval"] { rules[name] = .time }
        for name in ["localcommand", "remotecommand", "knownhostscommand"] { rules[name] = .command }
        for name in ["identityfile", "certificatefile"] { rules[name] = .path }
        for name in ["globalknownhostsfile", "userknownhostsfile"] { rules[name] = .words(most: 32) }
        for name in [
            "numberofpasswordprompts", "connectionattempts", "serveralivecountmax", "canonicalizemaxdots", "requiredrsasize",
        ] { rules[name] = .integer }
        for name in [
            "hostkeyalgorithms", "casignaturealgorithms", "hostbasedacceptedalgorithms", "pubkeyacceptedalgorithms",
        ] { rules[name] = .algorithms(.key) }
        return rules
    }()

    private static let flags = [
        "batchmode", "canonicalizefallbacklocal", "checkhostip", "clearallforwardings", "enableescapecommandline",
        "enablesshkeysign", "exitonforwardfailure", "forkafterauthentication", "forwardx11", "forwardx11trusted", "gatewayports",
        "gssapiauthentication", "gssapidelegatecredentials", "gssapikeyexchange", "gssapirenewalforcesrekey", "gssapitrustdns",
        "hashknownhosts", "hostbasedauthentication", "identitiesonly", "kbdinteractiveauthentication",
        "nohostauthenticationforlocalhost", "passwordauthentication", "permitlocalcommand", "proxyusefdpass", "stdinnull",
        "streamlocalbindunlink", "tcpkeepalive", "visualhostkey",
    ]

    private static let words = [
        "user", "hostname", "hostkeyalias", "preferredauthentications", "bindaddress", "bindinterface", "pkcs11provider",
        "securitykeyprovider", "xauthlocation", "controlpath", "revokedhostkeys", "ignoreunknown", "kbdinteractivedevices",
        "gssapiclientidentity", "gssapiserveridentity", "gssapikexalgorithms", "tag",
    ]

    private static let ignored = [
        "protocol", "cipher", "fallbacktorsh", "globalknownhostsfile2", "rhostsauthentication", "userknownhostsfile2",
        "useblacklistedkeys", "useroaming", "usersh", "useprivilegedport", "afstokenpassing", "kerberosauthentication",
        "kerberostgtpassing", "rsaauthentication", "rhostsrsaauthentication", "compressionlevel",
        // Apple's keywords: whether the keychain stores passphrases, and whether a window asks for them.
        "usekeychain", "keychainintegration", "askpassgui",
    ]

    private static let special: [String: ValueRule] = [
        "host": .special(.host), "match": .special(.match), "include": .special(.include), "port": .special(.port),
        "proxycommand": .special(.proxyCommand), "proxyjump": .special(.proxyJump), "loglevel": .special(.logLevel),
        "syslogfacility": .special(.syslogFacility), "logverbose": .special(.logVerbose), "escapechar": .special(.escapeChar),
        "forwardagent": .special(.forwardAgent), "addkeystoagent": .special(.addKeysToAgent),
        "rekeylimit": .special(.rekeyLimit), "sendenv": .special(.sendEnv), "setenv": .special(.setEnv),
        "controlpersist": .special(.controlPersist), "tunneldevice": .special(.tunnelDevice), "ipqos": .special(.ipQoS),
        "canonicaldomains": .special(.canonicalDomains), "canonicalizepermittedcnames": .special(.permittedCNAMEs),
        "streamlocalbindmask": .special(.streamLocalBindMask), "fingerprinthash": .special(.fingerprintHash),
        "localforward": .special(.localForward), "remoteforward": .special(.remoteForward),
        "dynamicforward": .special(.dynamicForward), "permitremoteopen": .special(.permitRemoteOpen),
        "channeltimeout": .special(.channelTimeout), "obscurekeystroketiming": .special(.obscureKeystrokeTiming),
        "refuseconnection": .special(.refuseConnection), "versionaddendum": .command, "identityagent": .agentPath,
        "ciphers": .algorithms(.cipher), "macs": .algorithms(.mac),
        "kexalgorithms": .algorithms(.keyExchange),
    ]

    private static let choices: [String: [String: String]] = [
        "addressfamily": ["inet": "inet", "inet6": "inet6", "any": "any"],
        "canonicalizehostname": yesAndNo.with(["always"]),
        "compression": ["yes": "yes", "no": "no"],
        "controlmaster": yesAndNo.with(["auto", "ask", "autoask"]),
        "pubkeyauthentication": yesAndNo.with(["unbound", "host-bound"]),
        "requesttty": yesAndNo.with(["force", "auto"]),
        "sessiontype": ["none": "none", "subsystem": "subsystem", "default": "default"],
        "stricthostkeychecking": yesAndNo.merging(["off": "false"]) { first, _ in first }.with(["ask", "accept-new"]),
        "tunnel": [
            "point-to-point": "point-to-point", "ethernet": "ethernet", "yes": "point-to-point", "true": "point-to-point",
            "no": "false", "false": "false",
        ],
        "updatehostkeys": yesAndNo.with(["ask"]),
        "verifyhostkeydns": yesAndNo.with(["ask"]),
        // OpenSSH 10.1.
        "warnweakcrypto": yesAndNo.with(["no-pq-kex"]),
    ]

    /// Where there are more than two choices, `ssh -G` prints yes and no as true and false.
    private static let yesAndNo = ["yes": "true", "true": "true", "no": "false", "false": "false"]
}

extension [String: String] {
    /// And these words unchanged.
    fileprivate func with(_ words: [String]) -> [String: String] {
        merging(words.map { ($0, $0) }) { first, _ in first }
    }
}

/// Handles a keyword that no known version of ssh_config(5) has.
///
/// ssh(1) refuses every such line in any section, unless IgnoreUnknown names it. A line for a later ssh or another vendor's would
/// so stop every program that reads the file. Here such a line is skipped with a notice. It is an error if skipping it could
/// weaken security: its name resembles a setting that protects a connection, or is a misspelt known keyword.
enum UnknownKeyword {
    /// Whether a line that applies must be refused.
    ///
    /// - Parameter keyword: in lower case.
    static func mustBeRefused(_ keyword: String) -> Bool {
        decisiveParts.contains { keyword.contains($0) } || similarKeyword(of: keyword) != nil
    }

    /// The correction.
    static func suggestion(_ keyword: String) -> String {
        similarKeyword(of: keyword).map { "did you mean \($0)? Correct it" } ?? "correct it"
    }

    /// Parts of keywords of ssh_config(5) that select the host, the keys, the algorithms, the route or the permissions.
    private static let decisiveParts = [
        "agent", "algorithm", "allow", "auth", "cert", "cipher", "crypt", "deny", "disable", "forward", "host", "identity", "kex",
        "key", "mac", "pass", "permit", "pin", "proxy", "refuse", "require", "restrict", "revoke", "rsa", "secur", "sign",
        "strict",
        "trust", "user", "verify",
    ]

    /// A known keyword from which it differs by one letter, or by two of eight or more.
    private static func similarKeyword(of keyword: String) -> String? {
        Keyword.names.filter { abs($0.utf8.count - keyword.utf8.count) <= 2 && $0.utf8.count > 3 }
            .map { (name: $0, distance: EditDistance.between($0, keyword)) }
            .filter { $0.distance == 1 || $0.distance == 2 && keyword.utf8.count >= 8 }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }
}

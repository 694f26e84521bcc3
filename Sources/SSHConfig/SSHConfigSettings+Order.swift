extension SSHConfigSettings {
    /// How `ssh -G` prints a keyword's values.
    enum Style {
        /// All on one line.
        case oneLine
        /// Each on a line of its own.
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

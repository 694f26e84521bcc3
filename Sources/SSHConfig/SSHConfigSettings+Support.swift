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
        "port", "preferredauthentications", "proxycommand", "proxyjump", "pubkeyauthentication", "remotecommand", "requesttty",
        "refuseconnection", "revokedhostkeys", "sendenv",
        "serveralivecountmax", "serveraliveinterval", "setenv", "stdinnull", "stricthostkeychecking", "tag", "user",
        "userknownhostsfile",
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

internal import BridgeSSH
internal import SSHCommandLine
internal import SSHRun

/// ssh's options of an inventory, of which some start programs on this machine.
enum InventoryArguments {
    /// The settings that start nothing here, load nothing and read no file with others. A list of those that do would grow old.
    private static let harmless: Set<String> = [
        "addkeystoagent", "addressfamily", "batchmode", "bindaddress", "bindinterface", "canonicaldomains",
        "canonicalizefallbacklocal", "canonicalizehostname", "canonicalizemaxdots", "casignaturealgorithms", "certificatefile",
        "challengeresponseauthentication", "checkhostip", "ciphers", "compression", "connectionattempts", "connecttimeout",
        "controlmaster", "controlpath", "controlpersist", "enableescapecommandline", "exitonforwardfailure", "fingerprinthash",
        "forwardagent", "forwardx11", "forwardx11trusted", "globalknownhostsfile", "gssapiauthentication",
        "gssapidelegatecredentials", "hashknownhosts", "hostbasedauthentication", "hostkeyalgorithms", "hostkeyalias", "hostname",
        "identitiesonly", "identityagent", "identityfile", "ipqos", "kbdinteractiveauthentication", "kexalgorithms", "loglevel",
        "macs", "nohostauthenticationforlocalhost", "numberofpasswordprompts", "passwordauthentication", "port",
        "preferredauthentications", "proxyjump", "pubkeyacceptedalgorithms", "pubkeyacceptedkeytypes", "pubkeyauthentication",
        "rekeylimit", "requesttty", "requiredrsasize", "revokedhostkeys", "sendenv", "serveralivecountmax", "serveraliveinterval",
        "sessiontype", "setenv", "stricthostkeychecking", "tag", "tcpkeepalive", "updatehostkeys", "user", "userknownhostsfile",
        "verifyhostkeydns", "visualhostkey",
    ]

    /// - Throws: `UsageProblem` for a host whose options may start something.
    static func refuseCommands(_ host: NamedHost) throws {
        var rest = host.arguments[...]
        while let argument = rest.popFirst() {
            let (name, joined) = (String(argument.prefix(2)), String(argument.dropFirst(2)))
            // What is none of these is refused for every host.
            guard ["-o", "-i", "-J", "-l", "-p"].contains(name), let value = joined.isEmpty ? rest.popFirst() : joined,
                name == "-o"
            else { continue }
            let words = value.drop { $0.isWhitespace }.split(maxSplits: 1) { $0.isWhitespace || $0 == "=" }
            guard let setting = words.first, harmless.contains(setting.lowercased()) else {
                throw UsageProblem(
                    field: "--no-inventory-commands",
                    problem:
                        "the inventory gives \(host.name) the option -o \(value.shellWord), which may start a program on this "
                        + "machine; leave the option out of the inventory, or --no-inventory-commands out of the command")
            }
        }
    }
}

package import BridgeSSH
package import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How ssh is told to reach a host as our options and ssh's configuration say. ssh reads the configuration by itself.
package struct OpenSSHRoute: Sendable {
    package let endpoint: SSHEndpoint
    /// The host as it was named, by which ssh finds its settings.
    let named: String
    /// The options before the destination.
    let options: [String]
    /// What ssh and those that carry it read: what holds for jump hosts too, then the configuration's own files.
    let configuration: String
    let timeout: Duration
    let policy: SSHHostKeyPolicy
    /// Files that were named must be there; ssh takes a missing one for an empty one.
    let knownHosts: SSHKnownHostsFiles
    let mayAsk: Bool
    /// What a remedy's command has to repeat.
    let reachOptions: [String]

    /// - Parameters:
    ///   - address: what to connect to in place of the name.
    ///   - home: the home directory that our own configuration is read for.
    package init(
        _ request: AccessRequest, at endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, address: String? = nil,
        home: String, mayAsk: Bool
    ) {
        self.endpoint = endpoint
        named = endpoint.name.isEmpty ? endpoint.host : endpoint.name
        self.mayAsk = mayAsk
        knownHosts = configuration.knownHosts
        timeout = configuration.timeouts.connect
        reachOptions = configuration.reachOptions
        let shared = Self.shared(request, home: home)
        var own: [String] = []
        policy = !mayAsk && configuration.hostKeyPolicy == .ask ? .strict : configuration.hostKeyPolicy
        own.append("StrictHostKeyChecking=\(policy == .strict ? "yes" : policy.rawValue)")
        if let keepalive = configuration.keepalive {
            own += ["ServerAliveInterval=\(Self.seconds(keepalive.interval))", "ServerAliveCountMax=\(keepalive.countMax)"]
        }
        if request.identitiesOnly { own.append("IdentitiesOnly=yes") }
        if let address { own.append("HostName=\(address)") }
        own += ["ControlMaster=no", "ClearAllForwardings=yes", "RemoteCommand=none"]
        let identities = request.identities.flatMap { ["-i", HomePath.expand($0, home: home)] }
        options =
            ["-T", "-l", endpoint.user, "-p", "\(endpoint.port)"] + (shared + own).flatMap { ["-o", $0] } + identities
            + request.settings.flatMap { ["-o", $0] }
        // Jump hosts are not given a password.
        var lines = shared + (mayAsk ? [] : Self.unanswered)
        switch request.configuration {
        case SSHConfigSource.none?: break
        case .file(let path)?: lines.append("Include \(Self.quoted(path, hasTokens: false))")
        case .standard?, nil:
            lines += ["Include \(Self.quoted(home + "/.ssh/config", hasTokens: false))", "Include /etc/ssh/ssh_config"]
        }
        // What we do where no configuration says anything.
        lines.append("Match all")
        if !mayAsk { lines.append("StrictHostKeyChecking=yes") }
        let known = ["known_hosts", "known_hosts2"].map { Self.quoted("\(home)/.ssh/\($0)") }
        lines.append("UserKnownHostsFile=\(known.joined(separator: " "))")
        self.configuration = lines.map { $0 + "\n" }.joined()
    }

    /// What holds for jump hosts too.
    private static func shared(_ request: AccessRequest, home: String) -> [String] {
        var settings: [String] = []
        if let policy = request.hostKeyPolicy {
            settings.append("StrictHostKeyChecking=\(policy == .strict ? "yes" : policy.rawValue)")
        }
        if !request.knownHosts.isEmpty {
            let files = request.knownHosts.map { quoted(HomePath.expand($0, home: home)) }
            settings += ["UserKnownHostsFile=\(files.joined(separator: " "))", "GlobalKnownHostsFile=/dev/null"]
        }
        switch request.agent {
        case .none?: settings.append("IdentityAgent=none")
        case .socket(let path)?: settings.append("IdentityAgent=\(quoted(path))")
        case nil: break
        }
        switch request.addressFamily {
        case .ipv4?: settings.append("AddressFamily=inet")
        case .ipv6?: settings.append("AddressFamily=inet6")
        default: break
        }
        return settings
    }

    /// ssh would send an empty answer.
    private static let unanswered = ["PasswordAuthentication=no", "KbdInteractiveAuthentication=no"]

    private static func seconds(_ duration: Duration) -> Int { max(1, Int(duration.boundedSeconds.rounded(.up))) }

    /// A word of ssh's configuration that is taken as it is (ssh_config(5), TOKENS; misc.c: argv_split).
    private static func quoted(_ path: String, hasTokens: Bool = true) -> String {
        let inner = path.reduce(into: "") { text, character in
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "%": text += hasTokens ? "%%" : "%"
            default: text.append(character)
            }
        }
        return "\"\(inner)\""
    }

    /// ssh's arguments for a call.
    ///
    /// - Parameters:
    ///   - asks: whether it may ask anything.
    ///   - hasPassword: whether there is an answer to a question for a password.
    func arguments(
        _ call: OpenSSHRequest, _ log: LogRequest, in place: OpenSSHPlace, asks: Bool, hasPassword: Bool
    ) -> [String] {
        var manner = ["BatchMode=\(asks ? "no" : "yes")"]
        if !mayAsk {
            manner.append("NumberOfPasswordPrompts=1")
            // One that is refused is not given once more to another method.
            manner +=
                hasPassword
                ? [
                    "PasswordAuthentication=yes", "KbdInteractiveAuthentication=yes",
                    "PreferredAuthentications=gssapi-with-mic,hostbased,publickey,password,keyboard-interactive",
                ] : Self.unanswered
        }
        return ["-E", place.log.path, "-F", place.configuration] + log.options + manner.flatMap { ["-o", $0] } + options
            + call.options + ["--", named] + (call.text.isEmpty ? [] : [call.text])
    }
}

/// What is asked of a session.
enum OpenSSHRequest: Sendable {
    /// The command, with variables that are set for it.
    case command(String, [(name: String, value: String)])
    /// - Parameter watchesServer: whether a silent server is asked whether it is there.
    case subsystem(String, watchesServer: Bool)
    /// To log in, and nothing else.
    case login

    var options: [String] {
        switch self {
        case .command(_, let variables):
            guard !variables.isEmpty else { return [] }
            // One setting takes all: only the first counts.
            let words = variables.map { variable in
                let text = "\(variable.name)=\(variable.value)"
                return "\"" + text.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) } + "\""
            }
            return ["-o", "SetEnv=\(words.joined(separator: " "))"]
        case .subsystem(_, let watchesServer):
            return ["-s"] + (watchesServer ? ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"] : [])
        case .login: return ["-N"]
        }
    }

    var text: String {
        switch self {
        case .command(let text, _), .subsystem(let text, _): text
        case .login: ""
        }
    }
}

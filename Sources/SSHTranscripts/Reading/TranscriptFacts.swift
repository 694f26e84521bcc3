/// The facts from the lines so far, other than the failure itself.
struct TranscriptFacts: Sendable {
    var host = ""
    var port: Int?
    var user = ""
    /// The stage that the connection has reached, if a line shows it.
    var stage: SSHStage?
    /// The failed addresses. ssh prints one line for each.
    var addresses: [SSHAddressFailure] = []
    /// The failed addresses from `ssh -v`. The final line gives only the reason of the last address.
    private(set) var triedAddresses: [SSHAddressFailure] = []
    /// The type of the presented key.
    var presentedType: String?
    var fingerprint: String?
    var hostKeyChanged = false
    /// The types of the host's known keys, if the presented type is not among them.
    var otherTypesKnown: String?
    /// A prompt was answered wrongly.
    var passwordRefused = false
    /// The client asks for another password. No line shows its answer.
    var isAskedAgain = false
    /// The facts that `ssh -v` proves.
    var trace = VerboseTrace()
    /// The number of passphrase prompts on a terminal, and the key of the last one.
    var passphrasesAsked = 0
    var lockedKey = ""
    /// A terminal shows that ssh asked for a password.
    var passwordAsked = false
    /// A terminal shows that the server asked a question.
    var questionAsked = false
    /// The server's part of key exchange had begun.
    var keyExchangeBegun = false
    /// A credential was accepted and more was asked for.
    var partialSuccess = false
    /// The server's lines before or instead of its identification, from ssh -v.
    private(set) var serverLines: [String] = []
    /// The server's text before the login.
    var banner = ""
    /// The login as a library's log tells it.
    var loggedLogin = LoggedLogin()
    /// The last refused method, as a library's log names it.
    var methodRefused: String?
    /// A library could not read the server's identification.
    var identificationUnread = false
    /// Why the local address could not be used, or no socket was made. A later line says only `failure`.
    var localProblem: Int32?
    /// The lines that follow are the output of a command that Ansible ran.
    var quotesCommand = false
    /// A line with the status of that command follows.
    var awaitsStatus = false
    /// The server gave no terminal.
    var isWithoutTerminal = false
    /// The command line has an sftp:// or scp:// URL.
    var isOverSSH = false
    /// The local program, if its command line is known.
    var program = ""
    /// A program repeats another program's text several times.
    var mayRepeat = false
    /// Ansible could not reach the host, for any reason.
    var isUnreachable = false
    /// A program with a dialog of its own.
    enum Dialog: Sendable {
        case none, winSCP, sshj, sshjClosed, invoke, termius, terraform, drone, rsync, spawned, expectTimeout, expectEnd, robot,
            router, tunnel, gitDaemon
    }
    var dialog = Dialog.none
    /// A line named a repository that git reaches by SSH.
    var mentionsSSHURL = false
    /// Java's library for git, or rsync, reaches its server by another protocol: HTTPS, git's or rsync's own.
    var isOtherProtocol = false
    /// A row matched, but found that the text is another client's.
    var isDeclined = false
    /// An earlier failure was overcome by a retry.
    var hasRecovered = false
    /// The stages that were passed, despite earlier messages about them.
    var passed: [SSHStage] = []
    /// The line shows that the connection was lost after the login: git had begun to read.
    var isPastLogin = false
    /// A row matched a line whose end is missing. The next line may continue it.
    var isCutShort = false
    /// The library families seen so far, each with its library, and the versions of clients.
    private(set) var speakers: [LibraryFamily: String] = [:]
    private(set) var versions: [String: String] = [:]
    /// The name that an inventory gives the host.
    var inventoryHost = ""
    /// A frame of the current stack told the place of the exception.
    var hasKnownFrame = false
    /// The origin of a Python library's exception.
    var python = PythonTraceback()
    /// Lines that no row reads: those of a banner, a proxy or the remote command.
    var otherLines = LastLines()
    /// The last of these lines that refuses an account, and the last that demands a new password.
    private(set) var accountDenied: String?
    private(set) var passwordExpired: String?
    /// The first of these lines in which a busy server refuses the connection.
    private(set) var busyLines: [String] = []
    /// The command of the proxy that ssh started; empty if unknown.
    var proxyCommand = ""
    /// Whether one of them is a proxy program's.
    private(set) var proxySpoke = false

    /// Programs that run git, and print its output among their own.
    static let installers: Set<String> = ["npm", "npx", "yarn", "pnpm", "pip", "pip3", "composer", "bundle", "go", "mix"]

    private static let busyWords = ["Exceeded MaxStartups", "Not allowed at this time"]
    private static let proxyWords = [
        "nc: ", "ncat: ", "netcat: ", "connect-proxy", "corkscrew", "socat", "exec: ", "command not found",
        // corkscrew.c has this spelling.
        "Proxy could not open connnection to ",
    ]
    /// The words to find in lines that no row reads.
    static let reasonWords =
        AccountTexts.denied + AccountTexts.closed + AccountTexts.passwordExpired + busyWords + proxyWords

    /// Notes a line that no row reads. A line without any of ``reasonWords`` may go to `otherLines` directly.
    mutating func noteOther(_ line: String, _ marks: LineMarks) {
        keep(line)
        if !marks.contains(.telling) { return }
        if AccountTexts.speaks(AccountTexts.denied + AccountTexts.closed, in: [line]) { accountDenied = line }
        if AccountTexts.speaks(AccountTexts.passwordExpired, in: [line]) { passwordExpired = line }
        if busyLines.count < Self.maximumServerLines, Self.busyWords.contains(where: { line.mentions($0) }) {
            busyLines.append(line.cut(toBytes: 512))
        }
        proxySpoke = proxySpoke || Self.proxyWords.contains { line.mentions($0) }
    }

    /// The client that wrote a line, with its version if known: `openssh 9.2`. Nil if unknown.
    ///
    /// - Parameter speaker: the client whose row read the line; empty if the row is no client's.
    func client(_ speaker: String) -> String? {
        let isPlink = speaker == "putty" && ["plink", "pscp", "psftp"].contains(program)
        let client = isPlink ? program : speaker.isEmpty ? python.client : speaker
        return client.isEmpty ? nil : versions[client].map { "\(client) \($0)" } ?? client
    }

    /// Whether debug messages prove the stage, and no other program's words can be confused with ssh's.
    var isProved: Bool { trace.isPresent && !trace.isCarried && !trace.isNested }

    /// Forgets the lines before the login, which are not output of the command.
    mutating func forgetGreeting() {
        otherLines = LastLines()
        (accountDenied, passwordExpired) = (nil, nil)
    }

    /// A line of the remote command's output.
    mutating func keep(_ line: String) {
        var line = line
        line.withUTF8 { otherLines.append($0) }
    }

    /// `alice@web1: Permission denied (…)`, `user alice 192.0.2.1`.
    mutating func noteAccount(in line: String, _ found: [String: String]) {
        if found["methods"] != nil, let end = line.firstPlace(of: ": Permission denied (") {
            let word = line[..<end.lowerBound].split(separator: " ").last ?? ""
            let parts = word.split(separator: "@", maxSplits: 1)
            if parts.count == 2 { (user, host) = (String(parts[0]), String(parts[1])) }
        }
        for lead in ["authenticating user ", "invalid user ", "user "] where host.hasPrefix(lead) {
            let words = host.dropFirst(lead.count).split(separator: " ")
            user = words.first.map(String.init) ?? ""
            host = words.last.map(String.init) ?? ""
            stage = stage ?? .authentication
        }
        if host.hasPrefix("["), let close = host.firstIndex(of: "]") {
            if let number = Int(host[close...].dropFirst(2)) { port = number }
            host = String(host[..<close].dropFirst())
        }
    }

    /// Declines a line of another client. Another row may read it.
    mutating func decline() -> TranscriptReading? {
        isDeclined = true
        return nil
    }

    /// `alice@web1`, `web1`.
    mutating func note(account: String) {
        let parts = account.split(separator: "@", maxSplits: 1).map(String.init)
        let name = (parts.last ?? "").trimming("'\")>.,")
        if !Self.isRedacted(name) { host = name }
        if parts.count == 2 { user = parts[0] }
    }

    /// Notes an address that failed, from ssh's debug messages.
    mutating func noteAddress(_ address: String, _ error: Int32?) {
        if triedAddresses.count < 64 { triedAddresses.append(SSHAddressFailure(address: address, systemError: error)) }
    }

    /// Notes the libraries that a line names.
    mutating func noteFamilies(in line: String) {
        for family in LibraryFamily.allCases where !family.countsInLineOnly {
            if let client = family.client(in: line) { speakers[family] = client }
        }
    }

    /// `9.2p1 Debian-2` of `openssh`: the number alone.
    mutating func noteVersion(_ version: String, of client: String) {
        let number = version.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
        if !number.isEmpty { versions[client] = String(number).cut(toBytes: 16).trimming(".") }
    }

    /// The number of lines before an identification that evidence keeps.
    private static let maximumServerLines = 16

    /// Notes a line of the server before or instead of its identification.
    mutating func noteServerLine(_ line: String) {
        if serverLines.count < Self.maximumServerLines { serverLines.append(line.cut(toBytes: 512)) }
    }

    /// Whether a name was made unreadable: `xxx.xxx.xxx.xxx`, `***`, `<host>`.
    private static func isRedacted(_ name: String) -> Bool {
        name.hasPrefix("<") || name.hasPrefix("[") && !name.contains { $0.isNumber }
            || name.utf8.count > 2 && name.utf8.allSatisfy { "xX*.#_-?".utf8.contains($0) }
    }

    mutating func note(_ captures: [String: String]) {
        if let written = captures["host"], !written.isEmpty, !Self.isRedacted(written) {
            let peer = Self.peer(written)
            host = peer.host
            if let port = peer.port { self.port = port }
        }
        if let port = captures["port"].flatMap({ Int($0) }), Self.ports.contains(port) { self.port = port }
        if let user = captures["user"], !user.isEmpty { self.user = user }
    }

    private static let ports = 1...65535

    /// The host and the port of `[192.0.2.4]:2222`, `web1:2222` or `"web1"`. Some clients write the port 0 for the usual one.
    private static func peer(_ written: String) -> (host: String, port: Int?) {
        let name = written.trimming("\"'`,")
        guard let colon = name.lastIndex(of: ":"), let port = Int(name[colon...].dropFirst()) else { return (name, nil) }
        let before = name[..<colon]
        // An IPv6 address has colons of its own.
        guard !before.contains(":") || before.hasSuffix("]") else { return (name, nil) }
        return (String(before).trimming("[]"), ports.contains(port) ? port : nil)
    }
}

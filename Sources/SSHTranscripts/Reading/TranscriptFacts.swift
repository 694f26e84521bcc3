/// What the lines so far have said, beside the failure itself.
struct TranscriptFacts: Sendable {
    var host = ""
    var port: Int?
    var user = ""
    /// How far the connection had come, where a line tells.
    var stage: SSHStage?
    /// ssh prints one line an address.
    var addresses: [SSHAddressFailure] = []
    /// The addresses that `ssh -v` tells of, one by one; the last line names the last one's reason only.
    private(set) var triedAddresses: [SSHAddressFailure] = []
    /// The key that the server presented, and where another stands.
    var presentedType: String?
    var fingerprint: String?
    var hostKeyChanged = false
    /// The types of key by which the host is known, where the one that it shows is not.
    var otherTypesKnown: String?
    /// A prompt was answered wrongly.
    var passwordRefused = false
    /// What `ssh -v` proves.
    var trace = VerboseTrace()
    /// How often a terminal shows that ssh asked for a key's passphrase, and for which.
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
    /// What the server said in place of its identification, as ssh -v shows it.
    private(set) var serverLines: [String] = []
    /// What the server said before it let anybody in.
    var banner = ""
    /// The method that was refused last, as a library's log names it.
    var methodRefused: String?
    /// A library could not read the server's identification.
    var identificationUnread = false
    /// The local address could not be used, or no socket made: the reason, for the line that only says `failure`.
    var localProblem: Int32?
    /// What follows is the output of a command that Ansible ran.
    var quotesCommand = false
    /// The server gave no terminal.
    var isWithoutTerminal = false
    /// The command line has an address of SSH's.
    var isOverSSH = false
    /// The program that ran here, where its command line is known.
    var program = ""
    /// Ansible could not reach the host, whatever the reason.
    var isUnreachable = false
    /// A program with a dialog of its own.
    enum Dialog: Sendable { case none, winSCP, sshj, sshjClosed, invoke, termius }
    var dialog = Dialog.none
    /// A line named a repository that git reaches by SSH.
    var mentionsSSHURL = false
    /// A row found its words, and that they are another client's.
    var isDeclined = false
    /// What was tried before has succeeded.
    var hasRecovered = false
    /// A row has begun to read a line whose end is missing: it may go on in the next.
    var isCutShort = false
    /// The languages of whose SSH libraries there were words, and the versions that lines have named, by client.
    private(set) var speakers: [SpeakerFamily: String] = [:]
    private(set) var versions: [String: String] = [:]
    /// The name that an inventory gives the host.
    var inventoryHost = ""
    /// Where a Python library's exception came from.
    var python = PythonTraceback()
    /// Lines that no row knows: a banner's, a proxy's, the remote command's.
    var otherLines = LastLines()
    /// The last of all such lines that refuse an account, and that ask for another password.
    private(set) var accountDenied: String?
    private(set) var passwordExpired: String?
    /// The first of them in which a server that has too much to do turns a caller away.
    private(set) var busyLines: [String] = []
    /// Whether one of them is a proxy program's.
    private(set) var proxySpoke = false

    private static let busyWords = ["Exceeded MaxStartups", "Not allowed at this time"]
    private static let proxyWords = [
        "nc: ", "ncat: ", "netcat: ", "connect-proxy", "corkscrew", "socat", "exec: ", "command not found",
    ]
    /// What is looked for in a line that no row knows.
    static let tellingWords =
        AccountTexts.denied + AccountTexts.closed + AccountTexts.passwordExpired + busyWords + proxyWords

    /// A line that no row knows. One without any of the telling words may go to `otherLines` at once.
    mutating func noteOther(_ line: String, _ marks: LineMarks) {
        keep(line)
        if !marks.contains(.telling) { return }
        if AccountTexts.speaks(AccountTexts.denied + AccountTexts.closed, in: [line]) { accountDenied = line }
        if AccountTexts.speaks(AccountTexts.passwordExpired, in: [line]) { passwordExpired = line }
        if busyLines.count < Self.mostServerLines, Self.busyWords.contains(where: { line.mentions($0) }) {
            busyLines.append(line.cut(toBytes: 512))
        }
        proxySpoke = proxySpoke || Self.proxyWords.contains { line.mentions($0) }
    }

    /// Whether debug messages prove the stage, with no other program on the way whose words could be mistaken.
    var isProved: Bool { trace.isPresent && !trace.isCarried && !trace.isNested }

    /// What was said before the login is no output of the command.
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

    /// What a row gives for words that are not its client's: another row may read them.
    mutating func decline() -> TranscriptReading? {
        isDeclined = true
        return nil
    }

    /// `alice@web1`, `web1`.
    mutating func note(account: String) {
        let parts = account.split(separator: "@", maxSplits: 1).map(String.init)
        host = (parts.last ?? "").trimming("'\")>.,")
        if parts.count == 2 { user = parts[0] }
    }

    /// An address that ssh tried and that failed, as its debug messages tell.
    mutating func noteAddress(_ address: String, _ error: Int32?) {
        if triedAddresses.count < 64 { triedAddresses.append(SSHAddressFailure(address: address, systemError: error)) }
    }

    /// Notes the libraries that a line speaks of.
    mutating func noteFamilies(in line: String) {
        for family in SpeakerFamily.allCases where !family.countsInLineOnly {
            if let client = family.client(in: line) { speakers[family] = client }
        }
    }

    /// `9.2p1 Debian-2` of `openssh`: the number alone.
    mutating func noteVersion(_ version: String, of client: String) {
        let number = version.drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
        if !number.isEmpty { versions[client] = String(number).cut(toBytes: 16).trimming(".") }
    }

    /// As many lines before an identification as evidence keeps.
    private static let mostServerLines = 16

    /// What the server said in place of its identification.
    mutating func noteServerLine(_ line: String) {
        if serverLines.count < Self.mostServerLines { serverLines.append(line.cut(toBytes: 512)) }
    }

    mutating func note(_ captures: [String: String]) {
        if let host = captures["host"], !host.isEmpty { self.host = host }
        if let port = captures["port"].flatMap({ Int($0) }) { self.port = port }
        if let user = captures["user"], !user.isEmpty { self.user = user }
    }
}

package import SSHFailure

/// The details of a connection that ssh logs at level DEBUG2, other than failures. Takes only the messages of the ssh that makes
/// the connection, and none of a jump host's.
package struct SSHTraceDetails: Sendable {
    /// A public key that ssh considered.
    package struct Key: Sendable, Hashable {
        /// The file's path, or the agent's comment.
        package var label: String
        /// OpenSSH's name of the type: `ED25519`. Nil if ssh could not read the public half.
        package var type: String?
        package var fingerprint: String?
        package var isFromAgent: Bool
    }

    /// The outcome of each address that was tried, in order.
    package private(set) var connects: [AddressOutcome] = []
    /// The server's identification line; ssh logs at most 100 bytes after the version.
    package private(set) var identification: String?
    package private(set) var linesBeforeIdentification: [String] = []
    /// The server's offer in the first key exchange.
    package private(set) var serverAlgorithms: SSHAlgorithmLists?
    package private(set) var chosenAlgorithms: SSHChosenAlgorithms?
    /// The type and fingerprint of the server's host key.
    package private(set) var hostKey: (type: String, fingerprint: String)?
    /// The line of known_hosts that has it, if ssh named one.
    package private(set) var knownAt: SSHKnownHostsLocation?
    /// Whether the host key was unknown, and was accepted.
    package private(set) var isNewHostKey = false
    /// The keys that ssh was going to offer, in its order.
    package private(set) var keys: [Key] = []
    /// The method of the credential that completed the login; nil before.
    package private(set) var acceptedMethod: String?
    /// Seconds from the start to the start of the ProxyCommand.
    package private(set) var proxyStart: Double?
    /// Seconds from the start to the request for the command.
    package private(set) var commandSentAt: Double?

    /// The address that is being tried, and since when.
    private var pending: (address: String, since: Double)?
    /// Whether the next lines of algorithms are the server's.
    private var proposal: SSHAlgorithmLists?
    private static let maximumKeys = 64
    private static let maximumLines = 16

    package init() {}

    /// Reads one message.
    ///
    /// - Parameter seconds: the time since ssh was started.
    package mutating func take(_ message: String, at seconds: Double) {
        // A message of several lines is not a message that is read here.
        guard let line = message.split(whereSeparator: \.isNewline).first.map(String.init) else { return }
        if let text = line.dropping("debug1: ") {
            reach(text, seconds)
            exchange(text)
            trust(text)
            if let key = text.dropping("Will attempt key: ") { consider(key) }
            if commandSentAt == nil, text.hasPrefix("Sending command: ") { commandSentAt = seconds }
            if let method = text.dropping("Authentication succeeded (") { accept(method.before(")")) }
        } else if let text = line.dropping("debug2: ") {
            propose(text)
        } else if line.hasPrefix("Warning: Permanently added ") {
            isNewHostKey = true
        } else if line.hasPrefix("Authenticated to "), let method = line.after(" using \"") {
            accept(method.before("\""))
        }
    }

    /// Ends an attempt to connect that has had no answer.
    package mutating func end(at seconds: Double) { connected(.unanswered, seconds) }

    // MARK: The way to the server

    private mutating func reach(_ text: String, _ seconds: Double) {
        if text.hasPrefix("Connecting to "), let address = text.after(" [")?.before("] port "),
            let port = text.after("] port ")?.before(".")
        {
            connected(.unanswered, seconds)
            pending = (address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)", seconds)
        } else if text.hasPrefix("connect to address "), let reason = text.after(" port ")?.after(": ") {
            connected(.failed(systemError: SystemErrorTexts.systemError(reason) ?? 0), seconds)
        } else if text == "Connection established." {
            connected(.open, seconds)
        } else if text.hasPrefix("Executing proxy command: ") {
            proxyStart = seconds
        } else if identification == nil, let version = text.dropping("Remote protocol version ") {
            let software = version.after(", remote software version ") ?? ""
            identification = "SSH-\(version.before(","))-\(software)"
        } else if let line = text.dropping("kex_exchange_identification: banner line ")?.after(": "),
            identification == nil, linesBeforeIdentification.count < Self.maximumLines
        {
            linesBeforeIdentification.append(line)
        }
    }

    private mutating func connected(_ result: AddressOutcome.ConnectResult, _ seconds: Double) {
        guard let pending else { return }
        connects.append(AddressOutcome(address: pending.address, result: result, seconds: max(0, seconds - pending.since)))
        self.pending = nil
    }

    // MARK: Algorithms

    /// `debug2: KEX algorithms: …` and so on (kex.c: kex_buf2prop, proposal_names), after `peer server KEXINIT proposal`.
    private mutating func propose(_ text: String) {
        if text == "peer server KEXINIT proposal", serverAlgorithms == nil {
            proposal = SSHAlgorithmLists()
            return
        }
        guard var lists = proposal, let colon = text.firstPlace(of: ": ") else { return }
        let names = text[colon.upperBound...].split(separator: ",").map(String.init)
        switch text[..<colon.lowerBound] {
        case "KEX algorithms": lists.keyExchange = names
        case "host key algorithms": lists.hostKey = names
        case "ciphers ctos": lists.cipherToServer = names
        case "ciphers stoc": lists.cipherToClient = names
        case "MACs ctos": lists.macToServer = names
        case "MACs stoc": lists.macToClient = names
        case "compression ctos": lists.compressionToServer = names
        case "compression stoc":
            lists.compressionToClient = names
            (serverAlgorithms, proposal) = (lists, nil)
            return
        default: break
        }
        proposal = lists
    }

    /// kex.c: kex_choose_conf
    private mutating func exchange(_ text: String) {
        guard let rest = text.dropping("kex: "), hostKey == nil else { return }
        var chosen = chosenAlgorithms ?? SSHChosenAlgorithms()
        if let name = rest.dropping("algorithm: ") {
            chosen.keyExchange = name
        } else if let name = rest.dropping("host key algorithm: ") {
            chosen.hostKey = name
        } else if let words = rest.dropping("server->client cipher: ") {
            (chosen.cipherToClient, chosen.macToClient) = Self.protection(words)
        } else if let words = rest.dropping("client->server cipher: ") {
            (chosen.cipherToServer, chosen.macToServer) = Self.protection(words)
        }
        chosenAlgorithms = chosen
    }

    /// `aes128-ctr MAC: hmac-sha2-256 compression: none`
    private static func protection(_ words: String) -> (cipher: String, mac: String?) {
        let mac = words.after(" MAC: ")?.before(" compression: ")
        return (words.before(" MAC: "), mac == "<implicit>" ? nil : mac)
    }

    // MARK: The host key

    /// sshconnect2.c: verify_host_key_callback; sshconnect.c: check_host_key
    private mutating func trust(_ text: String) {
        if hostKey == nil, let key = text.dropping("Server host key: ") {
            let words = key.split(separator: " ").map(String.init)
            if words.count == 2 { hostKey = (words[0], words[1]) }
        } else if knownAt == nil, let place = text.dropping("Found key in ") ?? text.dropping("Found CA key in ") {
            let parts = place.split(separator: ":")
            guard let line = parts.last.flatMap({ Int($0) }), parts.count > 1 else { return }
            knownAt = SSHKnownHostsLocation(file: parts.dropLast().joined(separator: ":"), line: line)
        }
    }

    // MARK: Credentials

    /// `PATH TYPE SHA256:… explicit`, or `PATH explicit` without the public half (sshconnect2.c: pubkey_prepare, format_identity).
    private mutating func consider(_ text: String) {
        guard keys.count < Self.maximumKeys else { return }
        let words = text.split(separator: " ").map(String.init)
        let marks: Set<String> = ["explicit", "agent", "token", "authenticator", "allowed"]
        guard let mark = words.lastIndex(where: { $0.hasPrefix("SHA256:") }), mark > 1 else {
            let label = words.reversed().drop { marks.contains($0) }.reversed().joined(separator: " ")
            return keys.append(Key(label: label, type: nil, fingerprint: nil, isFromAgent: words.last == "agent"))
        }
        keys.append(
            Key(
                label: words[..<(mark - 1)].joined(separator: " "), type: words[mark - 1], fingerprint: words[mark],
                isFromAgent: words[mark...].contains("agent")))
    }

    private mutating func accept(_ method: String) { acceptedMethod = acceptedMethod ?? method }
}

extension String {
    /// The text after this beginning; nil for another one.
    fileprivate func dropping(_ start: String) -> String? { hasPrefix(start) ? String(dropFirst(start.count)) : nil }

    /// The text after the first occurrence of a text; nil if there is none.
    fileprivate func after(_ words: String) -> String? { firstPlace(of: words).map { String(self[$0.upperBound...]) } }

    /// The text before the first occurrence of a text; everything if there is none.
    fileprivate func before(_ words: String) -> String { firstPlace(of: words).map { String(self[..<$0.lowerBound]) } ?? self }
}

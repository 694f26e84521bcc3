internal import ErrorCore

/// All observations about a failure, without interpretation: the only input of the classifier.
///
/// Its texts come from the server, the libraries and the operating system, and are bounded. In the evidence of an `SSHError`,
/// control characters and characters that reorder text are escaped, as `\x1b` and `\u{202e}`; texts of several lines keep their
/// line feeds. Evidence contains no password, passphrase, key material or agent payload. If a server sends back a secret of four
/// bytes or more that was sent to it, `•••` replaces it.
public struct SSHEvidence: Sendable, Hashable, Codable {
    /// The first thing that went wrong. Later errors on a failing connection are consequences.
    public var event: Event
    /// The stage in which the event happened.
    public var stage: SSHStage
    /// The host that was resolved and connected to.
    public var host: String
    /// The host as the user named it; empty unless it is known to differ from `host`.
    public var name = ""
    /// The options that decide how the host is reached and which known_hosts files apply, in the form that `bridge-ssh trust`
    /// takes. A command in a remedy must repeat them.
    public var options: [String] = []
    /// The TCP port, 1 to 65535; 0 if it is not known, as in another client's output that does not name it.
    public var port: Int
    /// The user name at the server; empty while it is unknown.
    public var user: String
    /// The libssh2 call that failed, if one did.
    public var library: SSHLibraryCall?
    /// The state of the byte stream from the server.
    public var stream = SSHStreamEnd.open
    /// The server's identification line (RFC 4253 section 4.2) without its line end.
    public var identification: String?
    /// Lines that came before the identification line, the first 16, each truncated to 512 bytes.
    public var linesBeforeIdentification: [String] = []
    /// The first bytes from a peer that has not identified itself as an SSH server, at most 512.
    public var firstBytes: [UInt8] = []
    /// The number of bytes that the server sent.
    public var bytesReceived = 0
    /// Whether a byte came after the identification line.
    public var keyExchangeBegun = false
    /// Whether anything came after the server's SSH_MSG_KEXINIT.
    public var keyExchangeAnswered = false
    /// The server's offer in SSH_MSG_KEXINIT.
    public var serverAlgorithms: SSHAlgorithmLists?
    /// The client's offer.
    public var clientAlgorithms: SSHAlgorithmLists?
    /// The negotiated algorithms; nil before the end of key exchange.
    public var chosenAlgorithms: SSHChosenAlgorithms?
    /// The server's SSH_MSG_DISCONNECT (RFC 4253 section 11.1), if one came.
    public var disconnect: SSHDisconnectMessage?
    /// The hop that failed in a chain of jump hosts, which may be the destination; nil without jump hosts.
    public var hop: SSHHopEvidence?
    /// The ProxyCommand that carries the connection.
    public var proxy: SSHProxyEvidence?
    /// The outcome of each address that was tried.
    public var addresses: [SSHAddressFailure] = []
    /// Whether key exchange delivered the server's host key, even if its signature was not verified.
    public var hostKeyReceived = false
    /// The server's host key and the verdict of known_hosts.
    public var hostKey: SSHHostKeyEvidence?
    /// The attempts and answers of user authentication.
    public var authentication: SSHAuthenticationEvidence?
    /// The command and the known facts about its end.
    public var command: SSHCommandEvidence?
    /// The partial copies that remain; nil if no files were copied.
    public var copy: SSHCopyEvidence?
    /// The setting that made the event possible.
    public var setting: SSHSettingEvidence?
    package var elapsedSeconds: Double = 0
    package var awaitedSeconds: Double?
    /// The version of libssh2 that was loaded, such as `1.10.0`.
    public var libraryVersion = ""
    /// The subcommand of `bridge-ssh` that was used wrongly, empty for none; nil if there is no command line.
    public var subcommand: String?
    /// Problems that did not fail the run: an unusable default identity, a refused `setenv`.
    public var notices: [String] = []

    private enum CodingKeys: String, CodingKey {
        case event, stage, host, name, options, port, user, library, stream, identification
        case linesBeforeIdentification, firstBytes, bytesReceived, keyExchangeBegun, keyExchangeAnswered
        case serverAlgorithms, clientAlgorithms, chosenAlgorithms, disconnect, hop, proxy, addresses
        case hostKeyReceived, hostKey, authentication, command, copy, setting, libraryVersion, subcommand
        case notices
        case elapsedSeconds = "elapsed"
        case awaitedSeconds = "awaited"
    }

    /// The time from the start of the run to the event.
    public var elapsed: Duration {
        get { .bounded(seconds: elapsedSeconds) }
        set { elapsedSeconds = newValue.seconds }
    }
    /// For how long the last request had been unanswered at the event; nil if no answer was due.
    public var awaited: Duration? {
        get { awaitedSeconds.map { .bounded(seconds: $0) } }
        set { awaitedSeconds = newValue?.seconds }
    }

    /// Evidence of an event; every other fact is unknown.
    public init(event: Event, stage: SSHStage, host: String = "", port: Int = 22, user: String = "") {
        self.event = event
        self.stage = stage
        self.host = host
        self.port = port
        self.user = user
    }
}

extension SSHEvidence {
    /// The first thing that went wrong.
    public enum Event: Sendable, Hashable, Codable {
        /// The destination or host name is invalid (RFC 1035 section 2.3.4, RFC 4343).
        case hostNameInvalid(problem: String)
        /// `getaddrinfo` failed with this EAI code, or found no address of the requested family (code 0).
        case resolutionFailed(code: Int32, name: ResolverFailure, message: String)
        /// No address accepted a connection: see `addresses`.
        case connectionFailed
        /// A deadline of bridge-ssh passed.
        case deadlinePassed(SSHDeadline)
        /// A libssh2 call failed: see `library`. libssh2 never learns that the stream ended, so the failure concerns received
        /// bytes, not the later end of the connection.
        case libraryFailed
        /// The server violated the protocol in a way that libssh2 does not detect, or detects too late.
        case protocolViolated(SSHProtocolViolation)
        /// The stream ended, and everything received before its end has been processed: see `stream`.
        case streamEnded
        /// The first bytes do not belong to an SSH connection: see `firstBytes`.
        case identificationUnreadable
        /// The host key was not accepted: see `hostKey`.
        case hostKeyRejected
        /// An explicitly named known_hosts file cannot be read.
        case knownHostsUnreadable(path: String, systemError: Int32)
        /// The key of an unknown host would be accepted, but cannot be written to this known_hosts file: see `hostKey`.
        case knownHostsUnwritable(path: String, systemError: Int32)
        /// A private key cannot be used.
        case keyUnusable(SSHKeyProblem)
        /// The agent failed, and nothing else could be offered.
        case agentFailed(SSHAgentProblem)
        /// Every credential was refused, or there is none: see `authentication`.
        case credentialsExhausted
        /// The server sent a prompt, and no person can answer it.
        case promptUnanswerable(prompt: String)
        /// SSH_MSG_CHANNEL_OPEN_FAILURE (RFC 4254 section 5.1).
        case channelRefused(reason: UInt32?, description: String)
        /// SSH_MSG_CHANNEL_FAILURE for a request that the run depends on.
        case requestRefused(ChannelRequest)
        /// This many consecutive keepalives were unanswered; 0 if another client's log does not give the number.
        case keepaliveUnanswered(count: Int)
        /// The process that kept the connection for later runs ended during the command.
        case helperEnded
        /// The command's channel ended: see `command`.
        case commandEnded
        /// Collected output exceeded its limit, in bytes.
        case outputLimitExceeded(stream: OutputStream, limit: Int)
        /// A line of output, read line by line, exceeded its limit, in bytes.
        case lineTooLong(stream: OutputStream, limit: Int)
        /// Standard output of this process cannot be written: `command` has the known facts about the command.
        case outputUnwritable(systemError: Int32)
        /// The caller cancelled; `signal` is the signal that caused it, without SIG, or nil.
        case cancelled(signal: String?)
        /// An option or argument is wrong.
        case usage(field: String, problem: String)
        /// A configuration file is wrong.
        case configurationInvalid(file: String, line: Int?, problem: String)
        /// A configuration file refuses the connection (RefuseConnection); `reason` is the user's own text.
        case configurationRefuses(file: String, line: Int?, reason: String)
        /// ProxyCommand did not start, or ended before the version exchange. The exit status is 128 + n if signal n ended it, and
        /// nil if it has not ended.
        case proxyFailed(command: String, exitStatus: Int?, standardError: String)
        /// A file could not be copied, or the SFTP server violates its protocol.
        case fileFailed(SSHFileProblem)
        /// The program used a connection, or an object that belongs to it, after its end.
        case closed(problem: String)
        /// A bug in bridge-ssh, or a lack of local resources.
        case internalFailure(problem: String)
    }

    /// The failures of `getaddrinfo(3)`, by remedy.
    public enum ResolverFailure: String, Sendable, Hashable, Codable {
        /// EAI_NONAME, EAI_NODATA: no such name, or it has no address.
        case notFound
        /// EAI_AGAIN, or the deadline passed.
        case temporary
        /// EAI_ADDRFAMILY, or only addresses of another family than the requested one.
        case noAddressOfFamily
        /// Any other failure.
        case other
    }

    /// A channel request that a server may refuse (RFC 4254 section 6).
    public enum ChannelRequest: String, Sendable, Hashable, Codable {
        /// Start a command.
        case exec
        /// Allocate a pseudo-terminal.
        case pty = "pty-req"
        /// Set an environment variable.
        case env
        /// Start a subsystem.
        case subsystem
        /// Start a login shell.
        case shell
    }

    /// One of the two output streams of a remote command.
    public enum OutputStream: String, Sendable, Hashable, Codable, CaseIterable {
        /// Standard output.
        case standardOutput = "stdout"
        /// Standard error: extended data of type 1 (RFC 4254 section 5.2).
        case standardError = "stderr"
    }
}

/// A violation of the protocol by the server. It ends the session at once.
public enum SSHProtocolViolation: Sendable, Hashable, Codable {
    /// A packet whose length, padding or content is invalid (RFC 4253 section 6).
    case malformedPacket
    /// A message of this number where none is allowed (RFC 4253 section 7.1).
    case unexpectedMessage(UInt8)
    /// A key exchange method that only a client may list, as a marker of a capability (RFC 8308 section 2.1).
    case clientOnlyMethod
    /// More data than was requested: libssh2 would have had to store more than this many bytes.
    case unrequestedData(limit: Int)
    /// Endless requests whose replies the server does not read: more than this many bytes wait to be sent.
    case unreadAnswers(limit: Int)
    /// Endless prompts (RFC 4256): more than this many rounds in one authentication attempt.
    case endlessQuestions(limit: Int)
    /// A failed key re-exchange: no common algorithm, a wrong signature or invalid packets.
    case keyExchangeFailed
    /// A different host key in a key re-exchange (RFC 4253 section 9).
    case hostKeyReplaced
}

/// The state of the byte stream from the server.
public enum SSHStreamEnd: Sendable, Hashable, Codable {
    /// Still open, as far as is known.
    case open
    /// The peer closed the stream (FIN).
    case closed
    /// The peer reset the connection (ECONNRESET, EPIPE).
    case reset
    /// Reading or writing failed with another errno.
    case failed(systemError: Int32)
}

/// SSH_MSG_DISCONNECT (RFC 4253 section 11.1).
public struct SSHDisconnectMessage: Sendable, Hashable, Codable {
    /// The reason code; OpenSSH's server always sends 2.
    public var reason: UInt32
    /// The server's description, truncated to 1024 bytes.
    public var description: String

    /// A disconnect message.
    public init(reason: UInt32, description: String) {
        self.reason = reason
        self.description = description
    }
}

/// An address that was tried without success.
public struct SSHAddressFailure: Sendable, Hashable, Codable {
    /// The address and port, `192.0.2.1:22` or `[2001:db8::1]:22`.
    public var address: String
    /// The errno of `connect(2)`; nil if the deadline passed first.
    public var systemError: Int32?

    /// A failed address.
    public init(address: String, systemError: Int32?) {
        self.address = address
        self.systemError = systemError
    }
}

/// A position in a chain of jump hosts.
public struct SSHHopEvidence: Sendable, Hashable, Codable {
    /// The number of the hop, counted from the client: 1 is the first jump host, `count` the destination.
    public var number: Int
    /// The number of hops, including the destination. It is 1 only for a host that was reached directly and asked for a stream to
    /// ``target``.
    public var count: Int
    /// The preceding hops, the nearest first, as `user@host:port`.
    public var via: [String]
    /// The target of the hop's connection, as `host:port`, if connecting to it failed.
    public var target: String?
    /// Whether an earlier hop refused a credential that another attempt would offer again.
    public var earlierHopRefused = false

    /// A position in a chain.
    public init(number: Int, count: Int, via: [String], target: String? = nil) {
        self.number = number
        self.count = count
        self.via = via
        self.target = target
    }

    /// Whether the hop is not the destination.
    public var isJumpHost: Bool { number < count }
}

/// The state of a ProxyCommand.
public struct SSHProxyEvidence: Sendable, Hashable, Codable {
    /// The command, with its tokens expanded.
    public var command: String
    /// The exit status, 128 + n if signal n ended the command; nil while it runs, or if it did not start.
    public var exitStatus: Int?
    /// The end of its standard error, at most 4096 bytes.
    public var standardError: String

    /// The state of a ProxyCommand. Anything in the command that looks like a password is removed.
    public init(command: String, exitStatus: Int? = nil, standardError: String = "") {
        self.command = Redactor.standard.text(command)
        self.exitStatus = exitStatus
        self.standardError = standardError
    }
}

/// A setting in ssh's configuration that made the event possible.
public struct SSHSettingEvidence: Sendable, Hashable, Codable {
    /// The keyword of ssh_config(5).
    public var keyword: String
    /// `file:line`, or `command-line` for a setting given as an option.
    public var place: String
    /// The server's algorithms that the setting excludes, in the client's order; empty if the setting is not a list of
    /// algorithms.
    public var excluded: [String]

    /// A setting.
    public init(keyword: String, place: String, excluded: [String] = []) {
        self.keyword = keyword
        self.place = place
        self.excluded = excluded
    }
}

/// The state of a copy that ended for a reason other than a file.
public struct SSHCopyEvidence: Sendable, Hashable, Codable {
    /// The number of completely copied files.
    public var files: Int
    /// Whether partial copies are kept, so that a later copy can resume.
    public var resumes: Bool
    /// Partial copies that remain. If the other side could no longer be asked, some of them may not exist.
    public var partialFiles: [String]

    /// The state of a copy.
    public init(files: Int = 0, resumes: Bool, partialFiles: [String] = []) {
        self.files = files
        self.resumes = resumes
        self.partialFiles = partialFiles
    }
}

/// The algorithms that both sides negotiated in key exchange (RFC 4253 section 7.1).
public struct SSHChosenAlgorithms: Sendable, Hashable, Codable {
    /// The key exchange method.
    public var keyExchange = ""
    /// The host key algorithm: that of the server's signature, which may differ from the key's type.
    public var hostKey = ""
    /// The cipher, client to server.
    public var cipherToServer = ""
    /// The cipher, server to client.
    public var cipherToClient = ""
    /// The MAC, client to server; nil if the cipher provides authentication itself (RFC 5647 section 5.1).
    public var macToServer: String?
    /// The MAC, server to client; nil if the cipher provides authentication itself.
    public var macToClient: String?

    /// Nothing yet.
    public init() {}
}

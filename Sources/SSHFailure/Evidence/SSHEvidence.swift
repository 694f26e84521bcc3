/// All observations of a failure, uninterpreted: the only input of the classifier.
///
/// Text in it comes from the server, the libraries and the operating system and is bounded. In the evidence of an `SSHError`
/// control characters and those that reorder text are escaped, as `\x1b` and `\u{202e}`; texts of several lines keep their line
/// feeds. It contains no password, passphrase, key material or agent payload: where a server sends back a secret of four bytes
/// or more that was sent to it, `•••` stands in its place.
public struct SSHEvidence: Sendable, Hashable, Codable {
    /// The first thing that went wrong. Later errors on a dying connection are consequences.
    public var event: Event
    /// The stage in which it went wrong.
    public var stage: SSHStage
    /// The host that was looked up and dialled.
    public var host: String
    /// The host as the user named it; empty where it is not known to be another than `host`.
    public var name = ""
    /// The options that decide how the host is reached and which known_hosts files count, as `bridge-ssh trust` takes them:
    /// what a remedy's command has to repeat.
    public var options: [String] = []
    /// The TCP port.
    public var port: Int
    /// The user name at the server; empty where it is not known yet.
    public var user: String
    /// The libssh2 call that failed, if one did.
    public var library: SSHLibraryCall?
    /// The state of the byte stream from the server.
    public var stream = SSHStreamEnd.open
    /// The server's identification line (RFC 4253 section 4.2) without its line end.
    public var identification: String?
    /// Lines that came before the identification line, the first 16, each truncated to 512 bytes.
    public var linesBeforeIdentification: [String] = []
    /// The first bytes of a peer that has not identified itself as SSH, at most 512.
    public var firstBytes: [UInt8] = []
    /// How many bytes the server sent in all.
    public var bytesReceived = 0
    /// Whether the first byte after the identification line had come.
    public var keyExchangeBegun = false
    /// Whether anything came behind the server's SSH_MSG_KEXINIT.
    public var keyExchangeAnswered = false
    /// What the server offered in its SSH_MSG_KEXINIT.
    public var serverAlgorithms: SSHAlgorithmLists?
    /// What we offered.
    public var clientAlgorithms: SSHAlgorithmLists?
    /// The negotiated algorithms; nil before key exchange has ended.
    public var chosenAlgorithms: SSHChosenAlgorithms?
    /// The server's SSH_MSG_DISCONNECT (RFC 4253 section 11.1), if one came.
    public var disconnect: SSHDisconnectMessage?
    /// Which hop of a chain of jump hosts failed, the destination's own failures included; nil without jump hosts.
    public var hop: SSHHopEvidence?
    /// The ProxyCommand that carries the connection.
    public var proxy: SSHProxyEvidence?
    /// The outcome of each address that was tried.
    public var addresses: [SSHAddressFailure] = []
    /// Whether the server's host key had come in key exchange, even if its signature was never found good.
    public var hostKeyReceived = false
    /// The server's host key and the verdict of known_hosts.
    public var hostKey: SSHHostKeyEvidence?
    /// The attempts and answers of user authentication.
    public var authentication: SSHAuthenticationEvidence?
    /// The command and what is known of how it ended.
    public var command: SSHCommandEvidence?
    /// The partial copies that the event left; nil if no files were copied.
    public var copy: SSHCopyEvidence?
    /// The setting without which the event would not have happened.
    public var setting: SSHSettingEvidence?
    package var elapsedSeconds: Double = 0
    package var awaitedSeconds: Double?
    /// The version of libssh2 that was loaded, such as `1.10.0`.
    public var libraryVersion = ""
    /// The subcommand of `bridge-ssh` that was called wrongly, empty for none; nil where there is no command line.
    public var subcommand: String?
    /// What was noticed and did not fail the run: an unusable default identity, a refused `setenv`.
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
    /// For how long the server had left our last request unanswered at the event; nil when it owed no answer.
    public var awaited: Duration? {
        get { awaitedSeconds.map { .bounded(seconds: $0) } }
        set { awaitedSeconds = newValue?.seconds }
    }

    /// Evidence of an event, with every other fact still unknown.
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
        /// No address could be connected to: see `addresses`.
        case connectionFailed
        /// One of our deadlines passed.
        case deadlinePassed(SSHDeadline)
        /// A libssh2 call failed: see `library`. The end of the stream is never reported to libssh2, so it objected to bytes it
        /// had received, whatever has happened to the connection since.
        case libraryFailed
        /// The server violated the protocol in a way that libssh2 does not detect, or not in time.
        case protocolViolated(SSHProtocolViolation)
        /// The stream ended, and everything received before its end was processed: see `stream`.
        case streamEnded
        /// The first bytes are not those of an SSH connection: see `firstBytes`.
        case identificationUnreadable
        /// The host key was not accepted: see `hostKey`.
        case hostKeyRejected
        /// An explicitly named known_hosts file cannot be read.
        case knownHostsUnreadable(path: String, systemError: Int32)
        /// The key of an unknown host would be accepted if it could be written to this known_hosts file: see `hostKey`.
        case knownHostsUnwritable(path: String, systemError: Int32)
        /// A private key cannot be used.
        case keyUnusable(SSHKeyProblem)
        /// The agent failed and nothing else could be offered.
        case agentFailed(SSHAgentProblem)
        /// Every credential was refused, or there was none: see `authentication`.
        case credentialsExhausted
        /// The server sent a prompt and no person is available to answer it.
        case promptUnanswerable(prompt: String)
        /// SSH_MSG_CHANNEL_OPEN_FAILURE (RFC 4254 section 5.1).
        case channelRefused(reason: UInt32?, description: String)
        /// SSH_MSG_CHANNEL_FAILURE for a request that the run depends on.
        case requestRefused(ChannelRequest)
        /// This many keepalives in a row went unanswered; 0 where another client's log does not say how many.
        case keepaliveUnanswered(count: Int)
        /// The process that kept the connection for later runs ended under the command.
        case helperEnded
        /// The command's channel ended: see `command`.
        case commandEnded
        /// Collected output passed its limit, in bytes.
        case outputLimitExceeded(stream: OutputStream, limit: Int)
        /// A line of output that is read as lines passed its limit, in bytes.
        case lineTooLong(stream: OutputStream, limit: Int)
        /// Standard output of this process cannot be written: see `command` for what is known of the command that wrote it.
        case outputUnwritable(systemError: Int32)
        /// The caller cancelled, with the signal that made it do so, if one did (without SIG).
        case cancelled(signal: String?)
        /// An option or argument is wrong.
        case usage(field: String, problem: String)
        /// A configuration file is wrong.
        case configurationInvalid(file: String, line: Int?, problem: String)
        /// A configuration file refuses the connection, for a reason in the user's own words (RefuseConnection).
        case configurationRefuses(file: String, line: Int?, reason: String)
        /// ProxyCommand did not start, or ended before the version exchange: with its exit status, 128 + n where signal n ended
        /// it, where it has ended.
        case proxyFailed(command: String, exitStatus: Int?, standardError: String)
        /// A file could not be copied, or the SFTP server violates its protocol.
        case fileFailed(SSHFileProblem)
        /// The program used a connection, or what belongs to one, after its end.
        case closed(problem: String)
        /// A bug in bridge-ssh, or a lack of local resources.
        case internalFailure(problem: String)
    }

    /// The failures of `getaddrinfo(3)` that have different remedies.
    public enum ResolverFailure: String, Sendable, Hashable, Codable {
        /// EAI_NONAME, EAI_NODATA: no such name, or it has no address.
        case notFound
        /// EAI_AGAIN, or our deadline.
        case temporary
        /// EAI_ADDRFAMILY, or only addresses of another family than the requested one.
        case noAddressOfFamily
        /// Any other.
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

/// A libssh2 call that failed: the function, its return code, and its error message.
public struct SSHLibraryCall: Sendable, Hashable, Codable {
    /// The C function.
    public var function: String
    /// Its return code: negative, one of libssh2.h's LIBSSH2_ERROR values.
    public var code: Int32
    /// The symbolic name of the code without its prefix, such as `SOCKET_RECV`.
    public var name: String
    /// `libssh2_session_last_error`, if it was about this code; else empty.
    public var message: String

    /// A failed call.
    public init(function: String, code: Int32, name: String, message: String) {
        self.function = function
        self.code = code
        self.name = name
        self.message = message
    }
}

/// A violation of the protocol by the server, for which the session was ended at once.
public enum SSHProtocolViolation: Sendable, Hashable, Codable {
    /// A packet whose length, padding or content is invalid (RFC 4253 section 6).
    case malformedPacket
    /// A message of this number at a point where none is allowed (RFC 4253 section 7.1).
    case unexpectedMessage(UInt8)
    /// A method of key exchange that only a client may name, as a sign of what it can do (RFC 8308 section 2.1).
    case clientOnlyMethod
    /// More data than was requested: libssh2 would have had to keep more than this many bytes.
    case unrequestedData(limit: Int)
    /// Endless requests whose answers it does not read: more than this many bytes wait to be sent.
    case unreadAnswers(limit: Int)
    /// Endless questions (RFC 4256): more than this many rounds in one authentication attempt.
    case endlessQuestions(limit: Int)
    /// A failed key re-exchange: no common algorithm, a wrong signature or invalid packets.
    case keyExchangeFailed
    /// Another host key in a key re-exchange (RFC 4253 section 9).
    case hostKeyReplaced
}

/// The state of the byte stream from the server.
public enum SSHStreamEnd: Sendable, Hashable, Codable {
    /// It is still open as far as we know.
    case open
    /// The peer closed it in order (FIN).
    case closed
    /// The peer reset it (ECONNRESET, EPIPE).
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

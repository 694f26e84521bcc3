/// The frames of a library's stack. The place of an exception whose words are not known tells the part of the run that failed.
///
/// The first frame that is known counts: it is the innermost one.
enum LibraryFrames {
    static let all: [TranscriptFormat] = [
        TranscriptFormat(
            "",
            [
                .noting("…Caused by: ", "Java: the stack of the cause follows") { _, facts in facts.hasKnownFrame = false }
            ]),
        TranscriptFormat("ssh.net", dotnet.map { frame("…at Renci.SshNet.\($0)", $1, of: "ssh.net") }),
        TranscriptFormat("jsch", jsch.map { frame("…at com.jcraft.jsch.\($0)", $1, of: "jsch") }),
        TranscriptFormat("sshj", sshj.map { frame("…at net.schmizz.sshj.\($0)", $1, of: "sshj") }),
        TranscriptFormat("mina sshd", mina.map { frame("…at org.apache.sshd.\($0)", $1, of: "mina sshd") }),
        TranscriptFormat(
            "trilead",
            trilead.map { frame("…at com.trilead.ssh2.\($0)", $1, of: "trilead") } + [
                outermost("…at com.trilead.ssh2.Connection.", of: "trilead")
            ]),
        TranscriptFormat("ganymed", trilead.map { frame("…at ch.ethz.ssh2.\($0)", $1, of: "ganymed") }),
        TranscriptFormat("net-ssh", ruby.map { frame("…/lib/net/\($0)", $1, of: "net-ssh") }),
        TranscriptFormat("dartssh2", dart.map { frame("…\($0){rest} (package:dartssh2/", $1, of: "dartssh2") }),
        TranscriptFormat("phpseclib", php.map { frame("…phpseclib/\($0)", $1, of: "phpseclib") }),
    ]

    /// Lines of libraries' logs that tell how far the connection has come.
    static let steps: [TranscriptRow] = [
        ("…Client identity string: SSH-", "sshj: TransportImpl.java", .banner),
        ("…Server identity string: SSH-", "sshj: TransportImpl.java", .keyExchange),
        ("…Remote ident: 'SSH-", "ssh2 (node): protocol/Protocol.js", .keyExchange),
        ("…SSH server banner: SSH-", "libssh: client.c", .keyExchange),
        ("…Remote version: SSH-", "PuTTY: verstring.c", .keyExchange),
        ("…Server version: SSH-", "PuTTY before 0.71", .keyExchange),
        ("…Handshake completed", "ssh2 (node): protocol/kex.js", .authentication),
        ("…Received USERAUTH_SUCCESS", "ssh2 (node): handlers.misc.js", .session),
        ("…ssh_packet_userauth_success: ", "libssh: auth.c", .session),
        ("…<<chan#", "sshj: AbstractChannel.java", .session),
        ("Transferring files to <", "test-kitchen: provisioner/base.rb, after its first command", .session),
        ("DEBUG: ver stdout: ", "knife-solo: ssh_command.rb, of its first command", .session),
    ].map { text, source, stage in
        .noting(text, source) { _, facts in facts.stage = stage }
    }

    /// The end of a connection in sshj's log. Another line has the cause.
    static let ends = [TranscriptRow("…TransportImpl - Disconnected - ", "sshj: TransportImpl.java")]

    private typealias Meaning = @Sendable () -> TranscriptReading

    private static let dotnet: [(String, Meaning)] = [
        ("PrivateKeyFile", key), ("Connection.ProtocolVersionExchange.", opening), ("Session.SocketReadLine", opening),
        ("Security.", exchange), ("ClientAuthentication.", login), ("AuthenticationMethod.", login),
        ("PasswordAuthenticationMethod.", login), ("PrivateKeyAuthenticationMethod.", login),
        ("KeyboardInteractiveAuthenticationMethod.", login), ("Channels.ChannelSession.Open", channel),
        ("Channels.", session),
        ("Sftp.", file), ("SftpClient.", file), ("ScpClient.", file), ("SshCommand.", session), ("ShellStream.", session),
    ]

    private static let jsch: [(String, Meaning)] = [
        ("KeyPair", key), ("IdentityFile.", key), ("JSch.addIdentity(", key), ("Session.receive_kexinit(", exchange),
        ("DHG", exchange), ("DHEC", exchange), ("DHX", exchange), ("KeyExchange.", exchange), ("UserAuth", login),
        ("ChannelSftp.connect", channel), ("ChannelSftp.start", channel), ("ChannelSftp.", file), ("ChannelExec.", channel),
        ("ChannelShell.", channel), ("Channel.connect(", channel), ("Session.openChannel(", session),
    ]

    private static let sshj: [(String, Meaning)] = [
        ("userauth.keyprovider.", key), ("SSHClient.loadKeys(", key), ("transport.kex.", exchange),
        ("transport.KeyExchanger.", exchange), ("userauth.", login), ("sftp.", file), ("xfer.", file),
        ("connection.channel.", channel),
    ]

    private static let mina: [(String, Meaning)] = [
        ("common.config.keys.loader.", key), ("common.kex.", exchange), ("client.kex.", exchange), ("client.auth.", login),
        ("client.session.ClientUserAuthService.", login), ("sftp.client.", file), ("client.subsystem.sftp.", file),
        ("scp.client.", file), ("client.channel.", channel),
    ]

    private static let trilead: [(String, Meaning)] = [
        ("crypto.PEMDecoder.", key), ("transport.ClientServerHello.", opening), ("transport.KexManager.", exchange),
        ("auth.", login), ("SFTPv3Client.", file), ("SCPClient.", file), ("channel.ChannelManager.", session),
    ]

    private static let ruby: [(String, Meaning)] = [
        ("ssh/key_factory.rb", key), ("ssh/transport/server_version.rb", opening), ("ssh/transport/kex", exchange),
        ("ssh/transport/algorithms.rb", exchange), ("ssh/authentication/", login), ("sftp/", file), ("scp", file),
        ("ssh/connection/", session),
    ]

    private static let dart: [(String, Meaning)] = [
        ("SSHClient._authWithNextPublicKey", { .noCredentials(.guess) }), ("SSHClient._auth", login),
        ("SSHClient._tryNextAuth", login), ("SSHTransport._handleMessageKex", exchange),
        ("SSHTransport._verify", exchange), ("SSHTransport._processVersion", opening), ("SSHKeyPair.", key),
        ("SftpClient.", file),
        ("SSHChannelController.", session),
    ]

    private static let php: [(String, Meaning)] = [
        ("System/SSH/Agent", { .agent(.unavailable, "the library could not use it") }), ("Crypt/", key),
        ("Net/SFTP.php", file),
    ]

    private static let key: Meaning = { .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase"]) }
    private static let opening: Meaning = { .cut() }
    private static let exchange: Meaning = { .protocolBroken(at: .keyExchange) }
    private static let login: Meaning = { .refused("password", .guess, alternatives: SharedAlternatives.login) }
    private static let channel: Meaning = { .known(.channelProhibited, .guess, or: ["the connection was lost"]) }
    private static let session: Meaning = { .lost(.closed, .guess) }
    private static let file: Meaning = { .known(.sftpWriteFailed, .guess, or: ["the file cannot be read", "no permission"]) }

    private static func frame(_ text: String, _ meaning: @escaping Meaning, of client: String) -> TranscriptRow {
        .library(text, "a frame of the stack") { _, facts in
            if facts.hasKnownFrame { return facts.decline() }
            facts.hasKnownFrame = true
            if let mistake = mistake(facts) { return mistake }
            var reading = meaning().ranked(.wrapper).sayingLittle
            reading.confidence = .guess
            guard let said = message(of: client, facts) else { return reading }
            return said.placed(by: reading)?.sayingLittle ?? said
        }
    }

    /// The exceptions and warnings of a mistake in the library, or in the program that calls it.
    private static let mistakes = WordSet([
        "NullPointerException", "IndexOutOfBoundsException", "ArgumentNullException", "NullReferenceException",
        "IndexOutOfRangeException", "NoSuchMethodError", "NoClassDefFoundError", "ClassCastException",
        "unpack(): Type ",
    ])

    private static func mistake(_ facts: TranscriptFacts) -> TranscriptReading? {
        guard let line = facts.otherLines.last(12).last(where: { mistakes.occurs(in: $0) }), !line.hasPrefix("at ") else {
            return nil
        }
        return TranscriptReading.known(.localLibraryFailure, .guess, .wrapper, or: ["the server sent invalid data"])
            .sayingLittle
    }

    /// The frame of a whole connection, which says less than the frames above it.
    static func outermost(_ text: String, of client: String) -> TranscriptRow {
        .library(text, "the stack of an unknown exception") { _, facts in
            if facts.hasKnownFrame { return facts.decline() }
            var reading = message(of: client, facts) ?? mistake(facts) ?? .notReached()
            reading.isConnecting = true
            return reading
        }
    }

    /// The classes of a library's exceptions. Their names are missing if a program has printed the message alone above the stack.
    private static let classes: [String: [String]] = [
        "ssh.net": ["Renci.SshNet.Common.SshConnectionException: ", "Renci.SshNet.Common.SshException: "],
        "sshj": [
            "net.schmizz.sshj.transport.TransportException: ", "net.schmizz.sshj.connection.ConnectionException: ",
            "net.schmizz.sshj.userauth.UserAuthException: ",
        ],
        "jsch": ["com.jcraft.jsch.JSchException: ", "com.jcraft.jsch.SftpException: "],
        "mina sshd": ["org.apache.sshd.common.SshException: "], "net-ssh": ["Net::SSH::Exception: "],
    ]

    /// The reading of the message above the stack, in a line that no row has read without the exception's class.
    private static func message(of client: String, _ facts: TranscriptFacts) -> TranscriptReading? {
        let classes = classes[client] ?? []
        let lines = facts.otherLines.last(12).reversed().filter { line in
            // The frames of Java, .NET and PHP.
            !["at ", "...", "#"].contains { line.hasPrefix($0) }
        }
        for line in lines.prefix(6) {
            var text = line
            for lead in ["Error: ", "ERROR: ", "Message: ", "Exception: ", "message: "] where text.hasPrefix(lead) {
                text = String(text.dropFirst(lead.count))
            }
            // A log's level, and no reason of SSHJ's.
            if text.hasPrefix("["), !text.prefix(40).contains("_") { continue }
            for name in classes {
                if var said = reading(of: name, text, by: client, facts) {
                    (said.needs, said.confidence) = (nil, .guess)
                    return said.ranked(.ending).sayingLittle
                }
            }
        }
        // A program's own words.
        return lines.prefix(3).lazy.compactMap { CommonReasons.reading(of: $0) }.first?.ranked(.wrapper).sayingLittle
    }

    private static func reading(of name: String, _ text: String, by client: String, _ facts: TranscriptFacts)
        -> TranscriptReading?
    {
        // Without the rows for a class alone, which read any text.
        let formats = (DotNetFormat.all + JavaFormat.all + RubyFormat.all).filter { $0.name == client }
        for row in formats.flatMap(\.rows) {
            var facts = facts
            if let found = row.template.find(name + text)?.values, let said = row.read(found, &facts) { return said }
        }
        return nil
    }
}

extension TranscriptReading {
    /// The same end of a connection at the stage that the log has shown.
    func placed(at stage: SSHStage?) -> Self {
        guard let stage, confidence == .guess, case .streamEnded = evidence.event,
            evidence.stage == .banner || evidence.stage == .keyExchange && [.authentication, .session].contains(stage)
        else { return self }
        return switch stage {
        case .keyExchange, .authentication: .ended(rank, evidence.stream, at: stage, .guess, alternatives: alternatives)
        case .session: .lost(evidence.stream, .guess).ranked(rank)
        default: self
        }
    }

    /// A guessed end of the connection as one after the login; nil if this is no such end.
    var pastLogin: Self? {
        guard case .streamEnded = evidence.event, confidence == .guess else { return nil }
        return .lost(evidence.stream, .guess).ranked(rank)
    }

    /// The same failure in the part of the run that a frame of the stack tells; nil if the frame tells nothing more.
    func placed(by frame: Self) -> Self? {
        guard frame.saysLittle, frame.rank == .wrapper, confidence == .guess else { return nil }
        return switch (evidence.event, frame.evidence.stage) {
        case (.streamEnded, .session) where evidence.stage == .banner, (.streamEnded, .sftp) where evidence.stage == .banner:
            .lost(evidence.stream, .guess).ranked(rank)
        // No session was there to lose.
        case (.streamEnded, _) where frame.isConnecting && evidence.stage == .session:
            .cut(evidence.stream, at: .keyExchange, rank)
        case (.deadlinePassed, _) where frame.isConnecting && evidence.stage == .command:
            .timedOut(.keyExchange, .guess, alternatives: ["the server sent no identification"]).ranked(rank)
        case (.streamEnded, .keyExchange) where evidence.stage == .banner,
            (.streamEnded, .authentication) where evidence.stage == .banner:
            .ended(rank, evidence.stream, at: frame.evidence.stage, .guess, alternatives: alternatives)
        case (.deadlinePassed, .session), (.deadlinePassed, .sftp): .commandTimedOut(.guess).ranked(rank)
        case (.deadlinePassed, .banner) where evidence.stage == .connect: .timedOut(.banner, .guess).ranked(rank)
        default: nil
        }
    }
}

/// The connections of sshd's log, if the log does not name the processes, as `journalctl -o cat` shows it. The client's address
/// and port distinguish them.
struct DaemonConnections: Sendable {
    /// The connection of lines before the first client's address. It becomes the connection of that client.
    static let unnamed = "port ?"

    /// The connection of the last line of sshd, and whether that line ended it.
    private var last: String?
    private var hasEnded = false

    /// The connection of a line; nil if the line need not be sshd's.
    ///
    /// - Parameter isOpen: whether a connection has a line already.
    mutating func connection(of line: String, isOpen: (String) -> Bool) -> String? {
        if line.mentions(" port "), Self.openings.contains(where: { line.hasPrefix($0) }), let peer = Self.peer(in: line),
            Self.marks.contains(where: { line.mentions($0) }) || isOpen(peer)
        {
            (last, hasEnded) = (peer, Self.endings.contains { line.hasPrefix($0) })
            return peer
        }
        guard last == nil ? Self.isOwn(line) : Self.nameless.contains(where: { line.hasPrefix($0) }) else { return nil }
        let connection = hasEnded ? Self.unnamed : last ?? Self.unnamed
        (last, hasEnded) = (connection, false)
        return connection
    }

    /// `192.0.2.1 port 51022`: the last such words, because a user name may be anything.
    private static func peer(in line: String) -> String? {
        var rest = line[...]
        var found: String?
        while let place = rest.firstPlace(of: " port ") {
            let host = rest[..<place.lowerBound].split(separator: " ").last ?? ""
            let port = rest[place.upperBound...].prefix { $0.isNumber }
            if !host.isEmpty, !port.isEmpty { found = "\(host) port \(port)" }
            // `Connection from … port … on … port …`: what follows is the server's own address.
            if rest[place.upperBound...].dropFirst(port.count).hasPrefix(" on ") { break }
            rest = rest[place.upperBound...]
        }
        return found
    }

    /// The beginnings of lines that name the client. Sources: OpenSSH, auth.c, auth2.c, packet.c, sshd.c, kex.c.
    private static let openings = [
        "Failed ", "Accepted ", "Postponed ", "Invalid user ", "Connection from ", "Connection closed by ",
        "Connection reset by ",
        "Received disconnect from ", "error: Received disconnect from ", "Disconnected from ", "Disconnecting ",
        "error: maximum authentication attempts exceeded ", "Unable to negotiate with ", "fatal: Unable to negotiate with ",
        "banner exchange: Connection from ", "Did not receive identification string from ",
        "Bad protocol version identification ",
        "fatal: Timeout before authentication for ", "Timeout before authentication for ", "Timeout, client not responding from ",
        "ssh_dispatch_run_fatal: Connection from ", "fatal: ssh_dispatch_run_fatal: Connection from ",
    ]

    /// Words of such lines that ssh does not write about its server.
    private static let marks = [
        " ssh2", "[preauth]", "authenticating user ", "invalid user ", "Invalid user ", "Disconnected from user ",
        "Connection from ",
        "Did not receive ", "Bad protocol version ", "before authentication for ", "Timeout, client ",
    ]

    private static let endings = [
        "Connection closed by ", "Connection reset by ", "Disconnected from ", "Disconnecting ", "Unable to negotiate ",
        "fatal: ", "banner exchange: ", "Did not receive ", "Bad protocol ", "Timeout ", "ssh_dispatch_run_fatal: ",
    ]

    /// Whether only sshd writes such a line. Before the first address of a client, no other text shows which client a
    /// line belongs to.
    private static func isOwn(_ line: String) -> Bool {
        own.contains { line.hasPrefix($0) } || line.hasPrefix("User ") && line.mentions(" not allowed because ")
    }

    private static let own = ["pam_unix(sshd:", "pam_sss(sshd:", "userauth_pubkey: ", "Authentication refused: "]

    /// The beginnings of lines that do not name the client, or not its port.
    private static let nameless =
        own + [
            "pam_", "User ", "ROOT LOGIN REFUSED ", "fatal: Access denied ",
            "Access denied for user ", "error: PAM: ", "error: Could not get shadow ", "error: key ", "error: Certificate ",
            "Authentication key ", "Could not open authorized keys ", "Could not open user ", "Account ",
            "error: no more sessions",
            "subsystem request for ", "refused local port forward", "error: connect_to ", "error: kex_exchange_identification: ",
            "fatal: bad ownership ", "input_userauth_request: ", "Received request to connect ",
        ]
}

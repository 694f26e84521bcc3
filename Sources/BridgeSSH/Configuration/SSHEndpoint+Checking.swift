extension SSHEndpoint {
    /// An endpoint of its parts, which are checked here.
    ///
    /// - Parameters:
    ///   - host: a host name or a literal address; an IPv6 address may stand in brackets.
    ///   - port: 1 to 65535. Default 22.
    ///   - user: the name to log in as; not empty, and without control characters.
    /// - Throws: ``SSHError``: `ssh.resolve.host-name-invalid` for a host that cannot be one, `ssh.local.usage` for a port or
    ///   user.
    public init(host: String, port: Int = 22, user: String) throws {
        do { try self.init(checking: host, port: port, user: user) } catch { throw error.failure }
    }

    /// Reads `user@host`, `user@host:port`, `user@[v6]:port` or `ssh://user@host:port`.
    ///
    /// - Parameters:
    ///   - text: the destination; its port is 22 unless it names one.
    ///   - user: the name to log in as where the text names none.
    /// - Throws: ``SSHError``: `ssh.resolve.host-name-invalid` for a host that cannot be one, `ssh.local.usage` for anything
    ///   else,
    ///   a missing user among it.
    public init(parsing text: String, user: String? = nil) throws {
        do {
            let destination = try SSHDestination(parsing: text)
            guard let user = destination.user ?? user else { throw SSHDestinationProblem.missingUser(input: text) }
            try self.init(checking: destination.host, port: destination.port ?? 22, user: user)
        } catch let problem as SSHDestinationProblem {
            throw problem.failure
        }
    }
}

extension SSHDestinationProblem {
    /// The error for this problem: `ssh.resolve.host-name-invalid` or `ssh.local.usage`.
    public var failure: SSHError {
        // What a command line can do about it is another thing.
        let description =
            code == .unsafeUser
            ? description.replacing(remedy, with: "Correct the name, or give it as the user of SSHEndpoint.") : description
        let (event, stage): (SSHEvidence.Event, SSHStage) =
            concernsHostName
            ? (.hostNameInvalid(problem: description), .resolve) : (.usage(field: "destination", problem: description), .local)
        return SSHFailureClassifier.classify(SSHEvidence(local: event, stage: stage))
    }
}

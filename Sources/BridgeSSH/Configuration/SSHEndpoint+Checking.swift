extension SSHEndpoint {
    /// An endpoint from its parts, which are validated.
    ///
    /// - Parameters:
    ///   - host: a host name or a literal address. An IPv6 address may be in brackets.
    ///   - port: 1 to 65535. Default 22.
    ///   - user: the login name; not empty, and without control characters.
    /// - Throws: ``SSHError``: `ssh.resolve.host-name-invalid` for an invalid host, `ssh.local.usage` for an invalid port or
    ///   user.
    public init(host: String, port: Int = 22, user: String) throws {
        do { try self.init(checking: host, port: port, user: user) } catch { throw error.failure }
    }

    /// Reads `user@host`, `user@host:port`, `user@[v6]:port` or `ssh://user@host:port`.
    ///
    /// - Parameters:
    ///   - text: the destination. The port is 22 unless the text has one.
    ///   - user: the login name if the text has none.
    /// - Throws: ``SSHError``: `ssh.resolve.host-name-invalid` for an invalid host, `ssh.local.usage` for any other error,
    ///   including a missing user.
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
        // A command line has a different remedy.
        let description =
            code == .unsafeUser
            ? description.replacing(remedy, with: "Correct the name, or give it as the user of SSHEndpoint.") : description
        let (event, stage): (SSHEvidence.Event, SSHStage) =
            concernsHostName
            ? (.hostNameInvalid(problem: description), .resolve) : (.usage(field: "destination", problem: description), .local)
        return SSHFailureClassifier.classify(SSHEvidence(local: event, stage: stage))
    }
}

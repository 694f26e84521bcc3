extension SSHEvidence {
    /// The evidence of a local failure: the libssh2 in use, and the host where one was named.
    package init(local event: Event, stage: SSHStage = .local, endpoint: SSHEndpoint? = nil) {
        self.init(event: event, stage: stage)
        if let endpoint { (host, port, user, name) = (endpoint.host, endpoint.port, endpoint.user, endpoint.name) }
        libraryVersion = Library.version
    }
}

extension SSHClient {
    /// Goes the whole way to a command, as a run does, and reports the findings of each step.
    ///
    /// It connects once, by the same code as ``withConnection(to:configuration:sharing:isolation:_:)-(SSHEndpoint,_,_,_,_)``: no credential is
    /// offered that a run would not offer, and none twice. Then it runs one harmless command (the time and PATH), and opens TCP
    /// connections, on which it sends nothing, to the addresses that were not needed. Through jump hosts the steps are the
    /// endpoint's, except for ``SSHDiagnosisStep/route``, which has a finding for each of them; behind those or a ProxyCommand no
    /// address is connected to.
    ///
    /// - Parameters:
    ///   - endpoint: the host, port and user to connect to.
    ///   - configuration: which host keys to trust and how to authenticate.
    ///   - options: of the one command; its output limit and its timeout are 256 KiB and 30 s unless these are less.
    /// - Returns: the findings, and the ``SSHError`` of the first failure, a cancellation included.
    /// - Throws: what an ``SSHInteraction`` throws.
    public static func diagnose(
        _ endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration = SSHConnectionConfiguration(),
        options: SSHCommandOptions = SSHCommandOptions()
    ) async throws -> SSHDiagnosis {
        try await Examination(endpoint: endpoint, configuration: configuration, options: options).perform()
    }
}

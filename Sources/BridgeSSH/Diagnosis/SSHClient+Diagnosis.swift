extension SSHClient {
    /// Goes the whole way to a command, as a run does, and reports the findings of each step.
    ///
    /// It connects once, by the same code as ``withConnection(to:configuration:isolation:_:)-(Endpoint,_,_,_)``: no credential is
    /// offered that a run would not offer, and none twice. Then one harmless command is run (the time and PATH), and the
    /// addresses that were not needed are connected to without a word. Through jump hosts the steps are the endpoint's, but for
    /// ``DiagnosisStep/route``, which has a finding for each of them; behind those or a ProxyCommand no address is connected to.
    ///
    /// - Parameters:
    ///   - endpoint: the host, port and user to connect to.
    ///   - configuration: which host keys to trust and how to authenticate.
    ///   - options: of the one command; its output limit and its timeout are 256 KiB and 30 s unless these are less.
    /// - Returns: the findings, and the ``SSHError`` of the first failure, a cancellation included.
    /// - Throws: what an ``Interaction`` throws.
    public static func diagnose(
        _ endpoint: Endpoint, configuration: Configuration = Configuration(), options: CommandOptions = CommandOptions()
    ) async throws -> Diagnosis {
        try await Examination(endpoint: endpoint, configuration: configuration, options: options).perform()
    }
}

extension SSHClient {
    /// Goes the whole way to a command, as a run does, and tells of each step what was found.
    ///
    /// It connects once, by the same code as ``withConnection(to:configuration:isolation:_:)-(Endpoint,_,_,_)``: no credential is
    /// offered that a run would not offer, and none twice. Then one harmless command is run (the time and PATH), and the
    /// addresses that were not needed are connected to without a word. Through jump hosts the steps are the endpoint's, but for
    /// ``DiagnosisStep/route``, which has a finding for each of them; behind those or a ProxyCommand no address is connected to.
    ///
    /// - Parameters:
    ///   - endpoint: where to and as whom.
    ///   - configuration: whom to trust and who to be.
    ///   - options: of the one command; its output limit and its timeout are 256 KiB and 30 s unless these are less.
    /// - Returns: the findings, and the ``SSHError`` of the first failure, a cancellation included.
    /// - Throws: what an ``Interaction`` throws.
    public static func diagnose(
        _ endpoint: Endpoint, configuration: Configuration = Configuration(), options: CommandOptions = CommandOptions()
    ) async throws -> Diagnosis {
        try await Examination(endpoint: endpoint, configuration: configuration, options: options).perform()
    }
}

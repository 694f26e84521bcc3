import BridgeSSH
import SSHRun

/// A diagnosis of a host that OpenSSH's ssh reaches.
struct OpenSSHDiagnosis: Sendable {
    let route: OpenSSHRoute
    let options: SSHCommandOptions
    let control: RunControl
    let log: any RunLog

    /// - Parameter configuration: with the secrets.
    func perform(_ configuration: SSHConnectionConfiguration) async -> SSHDiagnosis {
        let diagnosis = TracedDiagnosis(route.endpoint, configuration, options)
        let call = OpenSSHCall(
            route: route, request: .command(diagnosis.command, []), timeline: diagnosis.timeline, control: control,
            log: log, options: diagnosis.options, credentials: configuration.credentials, known: diagnosis.timeline.secrets,
            isExamination: true)
        var streams = OpenSSHCall.Streams(output: .collecting(diagnosis.output, diagnosis.errors))
        streams.arrived = { diagnosis.outputArrived() }
        control.isConnected(false)
        let (end, watch) = await call.observe(streams)
        var run = TracedDiagnosis.Run()
        (run.details, run.login) = (watch?.details ?? run.details, watch?.progress.login)
        switch control.named(end) {
        case .ended(let termination, let error):
            run.error = error
            if case .exited(let status) = termination { run.exitStatus = status }
        case .failed(let error): run.error = error
        case .cancelled(let signal): run.error = failure(.cancelled(signal: signal))
        case .outputClosed: break
        case .unforeseen(let problem): run.error = failure(.internalFailure(problem: problem))
        }
        // Nothing was examined.
        if watch == nil { return SSHDiagnosis(endpoint: route.endpoint, findings: [], error: run.error) }
        return await diagnosis.diagnosis(of: run)
    }

    private func failure(_ event: SSHEvidence.Event) -> SSHError {
        let endpoint = route.endpoint
        var evidence = SSHEvidence(
            event: event, stage: .local, host: endpoint.host, port: endpoint.port, user: endpoint.user)
        evidence.name = endpoint.name
        return SSHFailureClassifier.classify(evidence)
    }
}

/// Makes the error of a connection's fault: puts together what the session, the timeline and the caller know, and asks the
/// classifier for the verdict.
struct EvidenceRecorder: Sendable {
    let endpoint: Endpoint
    let timeline: Timeline

    func evidence(of fault: Fault, session: Session? = nil, command: CommandEvidence? = nil) async -> Evidence {
        var evidence = Evidence(
            event: fault.event, stage: fault.stage ?? .local, host: endpoint.host, port: endpoint.port, user: endpoint.user)
        evidence.library = fault.library
        evidence.command = command
        evidence.elapsed = timeline.elapsed
        evidence.libraryVersion = Library.version
        evidence.notices = timeline.notices
        if let session { evidence = await session.describing(evidence) }
        return evidence
    }

    func error(_ fault: Fault, session: Session? = nil, command: CommandEvidence? = nil) async -> SSHError {
        FailureClassifier.classify(await evidence(of: fault, session: session, command: command))
    }
}

extension Session {
    func describing(_ evidence: Evidence) -> Evidence {
        var evidence = evidence
        if evidence.event == fault?.event, let stage = fault?.stage { evidence.stage = stage }
        describe(&evidence)
        return evidence
    }
}

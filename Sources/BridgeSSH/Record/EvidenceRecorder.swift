internal import ErrorCore

/// Makes the error for a connection's fault. It gathers the evidence from the session, the timeline and the caller, and asks the
/// classifier for the verdict.
struct EvidenceRecorder: Sendable {
    let hop: Hop
    let timeline: Timeline
    /// The transport of the session.
    var path = Path.network

    init(hop: Hop, timeline: Timeline, path: Path = .network) {
        self.hop = hop.withoutSecrets
        self.timeline = timeline
        self.path = path
    }

    var endpoint: SSHEndpoint { hop.endpoint }

    func note(_ change: (inout ConnectionFacts) -> Void) { timeline.note(hop, change) }

    // These are not inlined: an error's evidence would enlarge the stack frame of every success.

    /// - Parameter target: the address that the host was asked to connect to, if that failed.
    @inline(never)
    func evidence(
        of fault: Fault, session: Session? = nil, command: SSHCommandEvidence? = nil, target: SSHEndpoint? = nil
    ) async -> SSHEvidence {
        // The first error wins: that of the hop that failed.
        if fault.isOfEarlierHop, case .hop(let jumpHost) = path {
            let first = await jumpHost.session.fault ?? fault
            return await jumpHost.recorder.evidence(of: first, session: jumpHost.session, command: command)
        }
        var evidence = SSHEvidence(local: fault.event, stage: fault.stage ?? .local, endpoint: endpoint)
        // Every command's end passes here, and the redactor's tables cost a fifth of a cold run. Only an option of ssh's
        // configuration can contain a secret.
        let options = hop.configuration.reachOptions
        evidence.options = options.contains("-o") ? Redactor.standard.words(options) : options
        evidence.library = fault.library
        evidence.command = command
        evidence.elapsedSeconds = timeline.elapsed
        evidence.notices = timeline.notices
        evidence.hop = hop.place
        if let target {
            // A host that is reached directly forwards a stream like a jump host.
            evidence.hop = evidence.hop ?? SSHHopEvidence(number: 1, count: 1, via: [])
            evidence.hop?.target = target.place
        }
        switch path {
        case .network: break
        case .proxy(let process): evidence.proxy = process.evidence
        case .hop(let jumpHost): evidence.hop?.earlierHopRefused = await jumpHost.hasRefused
        }
        if let session { evidence = await session.describing(evidence) }
        evidence.setting = hop.configuration.setting(behind: evidence)
        return timeline.secrets.masking(evidence)
    }

    @inline(never)
    func error(
        _ fault: Fault, session: Session? = nil, command: SSHCommandEvidence? = nil, target: SSHEndpoint? = nil
    ) async -> SSHError {
        SSHFailureClassifier.classify(await evidence(of: fault, session: session, command: command, target: target))
    }
}

extension Session {
    func describing(_ evidence: SSHEvidence) -> SSHEvidence {
        var evidence = evidence
        if evidence.event == fault?.event, let stage = fault?.stage { evidence.stage = stage }
        describe(&evidence)
        return evidence
    }
}

extension SSHEvidence {
    /// The evidence of a local failure: the loaded libssh2, and the host if one was named.
    package init(local event: Event, stage: SSHStage = .local, endpoint: SSHEndpoint? = nil) {
        self.init(event: event, stage: stage)
        if let endpoint { (host, port, user, name) = (endpoint.host, endpoint.port, endpoint.user, endpoint.name) }
        libraryVersion = Library.version
    }
}

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A line for the developer of a program, who may not have set a logger.
enum StandardErrorLine {
    static func write(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        // If this fails, there is no other place to report it.
        _ = bytes.withUnsafeBytes { systemWrite(2, $0.baseAddress, $0.count) }
    }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

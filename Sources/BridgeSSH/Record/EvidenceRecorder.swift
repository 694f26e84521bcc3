internal import ErrorCore

/// Makes the error for a connection's fault: gathers the evidence of the session, the timeline and the caller, and asks the
/// classifier for the verdict.
struct EvidenceRecorder: Sendable {
    let hop: Hop
    let timeline: Timeline
    /// The session's transport.
    var path = Path.network

    init(hop: Hop, timeline: Timeline, path: Path = .network) {
        self.hop = hop.withoutSecrets
        self.timeline = timeline
        self.path = path
    }

    var endpoint: SSHEndpoint { hop.endpoint }

    func note(_ change: (inout ConnectionFacts) -> Void) { timeline.note(hop, change) }

    // Do not inline either: room for an error's evidence would enlarge the frame of every success.

    /// - Parameter target: what the host was asked to connect to, if that is what failed.
    @inline(never)
    func evidence(
        of fault: Fault, session: Session? = nil, command: SSHCommandEvidence? = nil, target: SSHEndpoint? = nil
    ) async -> SSHEvidence {
        // The first error wins, and it is that of the hop at fault.
        if fault.isOfEarlierHop, case .hop(let jumpHost) = path {
            let first = await jumpHost.session.fault ?? fault
            return await jumpHost.recorder.evidence(of: first, session: jumpHost.session, command: command)
        }
        var evidence = SSHEvidence(local: fault.event, stage: fault.stage ?? .local, endpoint: endpoint)
        // Every command's end comes here, and the redactor's tables cost a fifth of a cold run. Only an option of ssh's
        // configuration can hold a secret.
        let options = hop.configuration.reachOptions
        evidence.options = options.contains("-o") ? Redactor.standard.words(options) : options
        evidence.library = fault.library
        evidence.command = command
        evidence.elapsedSeconds = timeline.elapsed
        evidence.notices = timeline.notices
        evidence.hop = hop.place
        if let target {
            // One that is reached directly passes a stream on as a jump host does.
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
    /// The evidence of a local failure: the libssh2 in use, and the host where one was named.
    package init(local event: Event, stage: SSHStage = .local, endpoint: SSHEndpoint? = nil) {
        self.init(event: event, stage: stage)
        if let endpoint { (host, port, user, name) = (endpoint.host, endpoint.port, endpoint.user, endpoint.name) }
        libraryVersion = Library.version
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A line for the developer of a program, who may have set no logger.
enum StandardErrorLine {
    static func write(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        // If that fails, there is no other place to report it.
        _ = bytes.withUnsafeBytes { systemWrite(2, $0.baseAddress, $0.count) }
    }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

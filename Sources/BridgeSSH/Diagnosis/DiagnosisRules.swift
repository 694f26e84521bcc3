/// Turns observations into findings. It is pure, and has one function per step.
enum DiagnosisRules {
    /// The findings of every step, in order.
    static func findings(_ seen: Observations) -> [SSHFinding] {
        SSHDiagnosisStep.allCases.flatMap { step -> [SSHFinding] in
            var found = findings(about: step, seen)
            if seen.failedStep == step, let error = seen.error { report(error, step, in: &found) }
            if found.isEmpty { return [notReached(step, seen)] }
            if let seconds = seconds(of: step, seen), found[0].durationSeconds == nil { found[0].durationSeconds = seconds }
            return found
        }
    }

    private static func findings(about step: SSHDiagnosisStep, _ seen: Observations) -> [SSHFinding] {
        switch step {
        case .route: RouteFindings.all(seen)
        case .resolve: ReachFindings.resolve(seen)
        case .connect: ReachFindings.connect(seen)
        case .identification: ReachFindings.identification(seen)
        case .algorithms: AlgorithmFindings.all(seen)
        case .hostKey: HostKeyFindings.all(seen)
        case .methods: CredentialFindings.methods(seen)
        case .credentials: CredentialFindings.all(seen)
        case .channel: ShellFindings.channel(seen)
        case .exec: ShellFindings.exec(seen)
        case .clock: ShellFindings.clock(seen)
        case .noise: ShellFindings.noise(seen)
        case .path: ShellFindings.path(seen)
        }
    }

    /// Puts the error into its step once: into the finding that was left without text, or the finding about the only address, or
    /// else into a new finding at the end.
    private static func report(_ error: SSHError, _ step: SSHDiagnosisStep, in found: inout [SSHFinding]) {
        var finding = SSHFinding(step, .failed, "")
        if let index = found.firstIndex(where: { $0.text.isEmpty }) {
            finding = found.remove(at: index)
        } else if step == .connect, found.count == 1, found[0].level == .failed {
            finding = found.removeFirst()
        }
        finding.text = error.message
        finding.remedyText = error.remedyText
        finding.details += [.init("code", .text(error.code.rawValue)), .init("title", .text(error.title))]
        found.append(finding)
    }

    private static func notReached(_ step: SSHDiagnosisStep, _ seen: Observations) -> SSHFinding {
        let why =
            RouteFindings.reason(step, seen)
            ?? (seen.error == nil ? "our command did not run" : "something else failed first")
        return SSHFinding(step, .notReached, "Not looked at: \(why).")
    }

    private static func seconds(of step: SSHDiagnosisStep, _ seen: Observations) -> Double? {
        let stage: SSHStage? =
            switch step {
            case .resolve: .resolve
            case .connect: .connect
            case .identification: .banner
            case .algorithms: .keyExchange
            case .hostKey: .hostKey
            case .credentials: .authentication
            case .channel: .channel
            case .exec: .command
            case .route, .methods, .clock, .noise, .path: nil
            }
        return stage.flatMap { seen.durations[$0] }
    }
}

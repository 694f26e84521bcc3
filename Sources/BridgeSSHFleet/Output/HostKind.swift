import BridgeSSH

/// What hosts are counted by on the progress line: failures of SSH by the stage of a run that they belong to.
enum HostKind: String, CaseIterable {
    case ok
    case failed
    case auth
    case unreachable
    case timedOut = "timed out"
    case hostKey = "host key"
    case protocolFailure = "protocol"
    case session
    case error
    case unknown
    case skipped

    init(_ result: FleetHostResult) {
        switch result.outcome {
        case .ok: self = .ok
        case .failed: self = .failed
        case .unknown: self = .unknown
        case .skipped: self = .skipped
        case .error:
            switch result.error?.exitStatus {
            case .authenticationFailure: self = .auth
            case .unreachable: self = .unreachable
            case .timedOut: self = .timedOut
            case .hostKeyFailure: self = .hostKey
            case .protocolFailure: self = .protocolFailure
            case .sessionFailure: self = .session
            default: self = .error
            }
        }
    }
}

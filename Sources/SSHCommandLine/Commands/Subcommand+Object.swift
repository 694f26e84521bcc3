import BridgeSSH

extension Subcommand {
    /// Its JSON object for a failure before it has begun; that of `run` for one without an object of its own.
    var failureObject: UsageReport.Object {
        switch self {
        case .doctor: DoctorCommand.failureObject
        case .trust: TrustCommand.failureObject
        case .copy: CopyCommand.failureObject
        default: UsageReport.runObject
        }
    }
}

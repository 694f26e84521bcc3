internal import NIOCore

extension AddressOutcome {
    /// An end without an errno is our own cancellation: another address was faster, or the time was over.
    init(_ address: String, _ result: Result<Void, any Error>, since start: ContinuousClock.Instant) {
        let ending: Ending =
            switch result {
            case .success: .open
            case .failure(let error as IOError): .failed(systemError: error.errnoCode)
            case .failure: .unanswered
            }
        self.init(address: address, result: ending, seconds: start.duration(to: .now).seconds)
    }
}

extension SocketAddress {
    /// `192.0.2.1:22`, `[2001:db8::1]:22`.
    var endpoint: String {
        let host = ipAddress ?? "?"
        return `protocol` == .inet6 ? "[\(host)]:\(port ?? 0)" : "\(host):\(port ?? 0)"
    }
}

/// The outcome of connecting to one address.
package struct AddressOutcome: Sendable, Hashable {
    package enum ConnectResult: Sendable, Hashable {
        /// TCP's handshake was completed.
        case open
        /// `connect(2)` failed with this errno.
        case failed(systemError: Int32)
        /// The address had not answered when the wait ended.
        case unanswered
    }
    package var address: String
    package var result: ConnectResult
    /// Seconds from the connect to its result.
    package var seconds: Double

    package init(address: String, result: ConnectResult, seconds: Double) {
        self.address = address
        self.result = result
        self.seconds = seconds
    }
}

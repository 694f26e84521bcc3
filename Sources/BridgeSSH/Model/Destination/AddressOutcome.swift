/// What became of one address.
struct AddressOutcome: Sendable, Hashable {
    enum Ending: Sendable, Hashable {
        /// TCP's handshake was completed.
        case open
        /// `connect(2)` failed with this errno.
        case failed(systemError: Int32)
        /// It had not answered when the waiting ended.
        case unanswered
    }
    var address: String
    var result: Ending
    /// From the connect to its result.
    var seconds: Double
}

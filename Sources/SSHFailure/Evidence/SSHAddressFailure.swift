/// An address that was tried without success.
public struct SSHAddressFailure: Sendable, Hashable, Codable {
    /// The address and port, `192.0.2.1:22` or `[2001:db8::1]:22`.
    public var address: String
    /// The errno of `connect(2)`; nil if the deadline passed first.
    public var systemError: Int32?

    /// A failed address.
    public init(address: String, systemError: Int32?) {
        self.address = address
        self.systemError = systemError
    }
}

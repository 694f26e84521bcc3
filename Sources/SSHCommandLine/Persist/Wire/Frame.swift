import BridgeSSH

/// A message between a run and a helper.
struct Frame: Sendable {
    /// The kind of message. The numbers are those of the protocol's version; see `HelperProtocol`.
    enum Kind: UInt8, Sendable {
        // From the run.
        case hello = 1
        case open = 2
        case secret = 3
        case run = 4
        case cancel = 5
        case resize = 6
        case answer = 7
        // From the helper.
        case welcome = 32
        case ready = 33
        case unopened = 34
        case stage = 35
        case notice = 36
        case trust = 37
        case question = 38
        case running = 39
        case waiting = 40
        case standardOutput = 41
        case standardError = 42
        case outcome = 43
        /// The command is about to be sent: from here on it may run.
        case taken = 44
        case banner = 45
        case authenticated = 46
    }

    let kind: Kind
    var payload: [UInt8] = []
    /// Instead of a payload where the kind is `secret`.
    var secret: SSHSecret?
    var descriptors: [OwnedDescriptor] = []

    /// - Throws: `SSHWireError` if the payload is not one.
    func value<Value: FieldCoded>(_ type: Value.Type) throws -> Value { try FieldCoder.value(of: type, from: payload) }
}

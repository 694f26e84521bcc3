/// How a channel ended.
package struct ChannelEnd: Sendable, Hashable {
    package var exitStatus: Int?
    package var exitSignal: SSHExitSignal?
    package var endOfOutput: Bool
    package var isClosed: Bool
    /// The tail of each stream's output, whether or not it was read.
    package var standardOutputTail: [UInt8] = []
    package var standardErrorTail: [UInt8] = []
    /// The fault of the session, if that is what ended it.
    package var fault: Fault?

    package init(
        exitStatus: Int? = nil, exitSignal: SSHExitSignal? = nil, endOfOutput: Bool, isClosed: Bool,
        standardOutputTail: [UInt8] = [], standardErrorTail: [UInt8] = [], fault: Fault? = nil
    ) {
        self.exitStatus = exitStatus
        self.exitSignal = exitSignal
        self.endOfOutput = endOfOutput
        self.isClosed = isClosed
        self.standardOutputTail = standardOutputTail
        self.standardErrorTail = standardErrorTail
        self.fault = fault
    }
}

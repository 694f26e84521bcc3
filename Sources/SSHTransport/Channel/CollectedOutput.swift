/// The output of a command, for a caller that wants it whole.
package struct CollectedOutput: Sendable {
    package var standardOutput: [UInt8] = []
    package var standardError: [UInt8] = []
    /// The stream that had more than may be collected.
    package var exceeded: SSHEvidence.OutputStream?

    package init() {}
}

extension SSHError {
    /// A failure code: `ssh.<stage>.<what>`, stable for ever. New ones may be added; none is renamed.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The code itself, such as `ssh.auth.key-rejected`.
        public let rawValue: String
        /// Makes what is written beside the code; nil for one that was read from elsewhere.
        let written: (@Sendable () -> FailureDefinition)?

        /// A code of this spelling; it need not be one of those that this version knows.
        public init(rawValue: String) {
            self.rawValue = rawValue
            written = nil
        }

        /// A code of this version, with all that holds for it. The definition is made when it is asked for: a comparison costs
        /// no more than that of two strings.
        init(_ rawValue: String, _ definition: @autoclosure @escaping @Sendable () -> FailureDefinition) {
            self.rawValue = rawValue
            written = definition
        }

        /// The code itself.
        public var description: String { rawValue }

        /// Whether two codes have the same spelling.
        public static func == (one: Code, other: Code) -> Bool { one.rawValue == other.rawValue }

        /// The spelling.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }
}

extension SSHError: SSHFailureCodes {}

extension SSHError.Code: SSHFailureCodes {}

extension SSHError.Code {
    /// Whether an error is an `SSHError` of this code, for `catch SSHError.hostKeyChanged`.
    public static func ~= (code: SSHError.Code, error: any Error) -> Bool {
        (error as? SSHError)?.code == code
    }
}

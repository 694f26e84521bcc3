extension SSHError {
    /// A failure code: `ssh.<stage>.<what>`, stable for ever. New ones may be added; none is renamed.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The code itself, such as `ssh.auth.key-rejected`.
        public let rawValue: String
        /// What was written beside the code; nil for one that was read from elsewhere.
        let written: Boxed<FailureDefinition>?

        /// A code of this spelling; it need not be one of those that this version knows.
        public init(rawValue: String) {
            self.rawValue = rawValue
            written = nil
        }

        /// The code itself.
        public var description: String { rawValue }

        /// Whether two codes have the same spelling.
        public static func == (one: Code, other: Code) -> Bool { one.rawValue == other.rawValue }

        /// The spelling.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }

    /// The code of the same name, for `catch SSHError.hostKeyChanged`.
    public static subscript(dynamicMember code: KeyPath<Code.Type, Code>) -> Code { Code.self[keyPath: code] }
}

extension SSHError.Code {
    /// Whether an error is an `SSHError` of this code, for `catch SSHError.hostKeyChanged`.
    public static func ~= (code: SSHError.Code, error: any Error) -> Bool {
        (error as? SSHError)?.code == code
    }
}

/// A libssh2 call that failed: the function, its return code, and its error message.
public struct SSHLibraryCall: Sendable, Hashable, Codable {
    /// The C function.
    public var function: String
    /// Its return code: negative, one of libssh2.h's LIBSSH2_ERROR values.
    public var code: Int32
    /// The symbolic name of the code without its prefix, such as `SOCKET_RECV`.
    public var name: String
    /// `libssh2_session_last_error`, if it was about this code; else empty.
    public var message: String

    /// A failed call.
    public init(function: String, code: Int32, name: String, message: String) {
        self.function = function
        self.code = code
        self.name = name
        self.message = message
    }
}

internal import CLibSSH2

extension LibraryCall {
    /// A session call's return code, with libssh2's own error message, which the next call would overwrite.
    init(of function: StaticString, code: Int32, in session: OpaquePointer) {
        var text: UnsafeMutablePointer<CChar>?
        let isLast = libssh2_session_last_error(session, &text, nil, 0) == code
        self.init(
            function: "\(function)", code: code, name: ReturnCode(rawValue: code).name,
            message: isLast ? text.map { String(cString: $0) } ?? "" : "")
    }
}

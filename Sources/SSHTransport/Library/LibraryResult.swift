internal import CLibSSH2

/// The result of a libssh2 call; the only form in which a return code leaves the C boundary.
enum LibraryResult: Sendable {
    /// The call has ended, with 0 or a count.
    case success(Int)
    /// EAGAIN: repeat the call with the same arguments.
    case again(LibraryFunction)
    case failure(LibraryFailure)

    /// Every call that may fail returns through here. libssh2's message is copied at once: the next call would overwrite it.
    ///
    /// - Parameter hasSeenWrongMAC: whether a packet's MAC was wrong. libssh2 reports this differently in different calls.
    init(_ result: bridge_result, in session: OpaquePointer, hasSeenWrongMAC: Bool = false) {
        if result.code >= 0 {
            self = .success(result.code)
        } else if result.code == Int(LIBSSH2_ERROR_EAGAIN) {
            self = .again(LibraryFunction(result.function))
        } else {
            self = .failure(LibraryFailure(result, in: session, hasSeenWrongMAC: hasSeenWrongMAC))
        }
    }
}

/// A function of libssh2's. Its name is written where it is declared, in calls.h, and comes with each result.
///
/// `@unchecked Sendable` is safe because the pointer is to a string constant of the program, which never changes.
struct LibraryFunction: @unchecked Sendable {
    /// Ends with a zero.
    private let name: UnsafePointer<CChar>

    init(_ name: UnsafePointer<CChar>) { self.name = name }

    var text: String { String(cString: name) }
}

/// A call of libssh2 that failed.
struct LibraryFailure: Sendable {
    /// The value that the function returned.
    let code: ReturnCode
    private let storage: Storage

    /// Boxed, so that a result without a failure fits into registers.
    private final class Storage: Sendable {
        let call: SSHLibraryCall
        init(_ call: SSHLibraryCall) { self.call = call }
    }

    /// The call, with libssh2's message if it belongs to this failure.
    var call: SSHLibraryCall { storage.call }

    fileprivate init(_ result: bridge_result, in session: OpaquePointer, hasSeenWrongMAC: Bool) {
        code = ReturnCode(rawValue: Int32(truncatingIfNeeded: result.code))
        let known = hasSeenWrongMAC ? ReturnCode.wrongMAC : code
        var text: UnsafeMutablePointer<CChar>?
        let isLast = libssh2_session_last_error(session, &text, nil, 0) == known.rawValue
        storage = Storage(
            SSHLibraryCall(
                function: LibraryFunction(result.function).text, code: known.rawValue, name: known.name,
                message: isLast ? text.map { String(cString: $0) } ?? "" : ""))
    }

    /// Whether the transport can no longer be trusted or used after this failure.
    var isFatal: Bool { ReturnCode(rawValue: call.code).isFatal }

    /// A failure that libssh2 would not report.
    init(_ code: ReturnCode, of function: LibraryFunction) {
        self.code = code
        storage = Storage(SSHLibraryCall(function: function.text, code: code.rawValue, name: code.name, message: ""))
    }
}

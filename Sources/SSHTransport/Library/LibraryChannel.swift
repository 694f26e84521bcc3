internal import CLibSSH2

/// A LIBSSH2_CHANNEL: the calls that work on it. It must not be used once it has been freed, nor after its session.
struct LibraryChannel {
    /// Every read of a channel, on either stream, asks for this many bytes. libssh2 computes the window adjustment from the
    /// length. Two different lengths around a key re-exchange would make its count of the window differ from the server's.
    static let readLength = 32768

    private let raw: OpaquePointer
    private let session: LibrarySession

    init(_ raw: OpaquePointer, in session: LibrarySession) {
        self.raw = raw
        self.session = session
    }

    private func result(_ returned: bridge_result) -> LibraryResult { session.result(returned) }

    // MARK: Requests

    func requestPTY(_ terminal: String, size: WindowSize, modes: [UInt8]) -> LibraryResult {
        terminal.withCString { name in
            modes.withUnsafeBytes { modes in
                result(
                    bridge_channel_request_pty_ex(
                        raw, name, UInt32(terminal.utf8.count), modes.baseAddress?.assumingMemoryBound(to: CChar.self),
                        UInt32(modes.count), size.columns, size.rows, size.widthPixels, size.heightPixels))
            }
        }
    }

    func resize(to size: WindowSize) -> LibraryResult {
        result(
            bridge_channel_request_pty_size_ex(raw, size.columns, size.rows, size.widthPixels, size.heightPixels))
    }

    func setEnvironment(_ name: String, _ value: String) -> LibraryResult {
        result(bridge_channel_setenv_ex(raw, name, UInt32(name.utf8.count), value, UInt32(value.utf8.count)))
    }

    /// Requests a shell, a command or a subsystem. A shell has no argument, not even an empty one (RFC 4254 section 6.5).
    func start(_ type: String, _ argument: [UInt8]) -> LibraryResult {
        argument.withUnsafeBytes { argument in
            let text = type == "shell" ? nil : argument.baseAddress?.assumingMemoryBound(to: CChar.self)
            return result(
                bridge_channel_process_startup(
                    raw, type, UInt32(type.utf8.count), text,
                    UInt32(argument.count)))
        }
    }

    /// Whether the loaded libssh2 has ``signal(_:)``: from 1.11 on.
    static var canSignal: Bool { bridge_has_channel_signal_ex() != 0 }

    func signal(_ name: String) -> LibraryResult { result(bridge_channel_signal_ex(raw, name, name.utf8.count)) }

    // MARK: Data

    /// Reads into memory that holds ``readLength`` bytes at most.
    func read(_ stream: Int, into target: UnsafeMutableRawBufferPointer) -> LibraryResult {
        result(
            bridge_channel_read_ex(
                raw, Int32(stream), target.baseAddress?.assumingMemoryBound(to: CChar.self), target.count))
    }

    /// Takes as much as fits into a packet.
    func write(_ bytes: UnsafeRawBufferPointer) -> LibraryResult {
        result(bridge_channel_write_ex(raw, 0, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count))
    }

    func sendEOF() -> LibraryResult { result(bridge_channel_send_eof(raw)) }

    /// Both streams are read as one, as the first.
    func mergeStreams() -> LibraryResult {
        result(bridge_channel_handle_extended_data2(raw, LIBSSH2_CHANNEL_EXTENDED_DATA_MERGE))
    }

    // MARK: The window

    /// Lets the server send more.
    func openWindow(by count: Int) -> LibraryResult { result(bridge_channel_receive_window_adjust2(raw, UInt(count), 1)) }

    /// The bytes that the server may still send, beyond those that were read.
    var remainingWindow: Int { Int(libssh2_channel_window_read_ex(raw, nil, nil)) }

    /// As ``remainingWindow``, with the number of unread bytes over all streams, for which libssh2 searches its queue. Only
    /// this call returns that number even if libssh2 refuses to read.
    var window: (remaining: Int, unread: Int) {
        var unread: UInt = 0
        let remaining = Int(libssh2_channel_window_read_ex(raw, &unread, nil))
        return (remaining, Int(unread))
    }

    // MARK: The end

    /// Whether the server's data has ended and all of it has been read.
    var hasEnded: Bool { libssh2_channel_eof(raw) == 1 }

    /// Whether the server has closed it; libssh2 reports it only at the end of the output.
    func waitClosed() -> LibraryResult { result(bridge_channel_wait_closed(raw)) }

    /// The last exit status that libssh2 received; 0 if it received none.
    var exitStatus: Int { Int(UInt32(bitPattern: libssh2_channel_get_exit_status(raw))) }

    /// Closes and frees it.
    func free() -> LibraryResult { result(bridge_channel_free(raw)) }

    // MARK: What libssh2 does not report

    /// Nothing can be written now.
    static var writeAgain: LibraryResult { .again(LibraryFunction(bridge_name_of_channel_write_ex())) }

    /// The server exceeded the window or the size of a message. libssh2 discards such data silently.
    static var readExceeded: LibraryFailure {
        LibraryFailure(.windowExceeded, of: LibraryFunction(bridge_name_of_channel_read_ex()))
    }

    /// The server has closed the channel.
    static var writeClosed: LibraryFailure {
        LibraryFailure(.channelClosed, of: LibraryFunction(bridge_name_of_channel_write_ex()))
    }
}

/// The size of a terminal, in characters and pixels (RFC 4254 section 6.2).
package struct WindowSize: Sendable, Hashable {
    package var columns: Int32
    package var rows: Int32
    var widthPixels: Int32 = 0
    var heightPixels: Int32 = 0

    /// Clamps numbers to the range of terminals, 16 bits (ioctl_tty(2)).
    package init(columns: Int, rows: Int) {
        self.columns = Int32(UInt16(clamping: columns))
        self.rows = Int32(UInt16(clamping: rows))
    }
}

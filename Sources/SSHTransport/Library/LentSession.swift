internal import CLibSSH2
internal import CPayloadTap
internal import NIOPosix

/// A session on its way to the thread that borrows it.
///
/// `@unchecked Sendable` is safe because the session does not touch libssh2 between `lend`'s call and its return: it has one
/// user.
struct LentSession: @unchecked Sendable {
    let library: LibrarySession
    let user: String

    /// Answers the server's questions (RFC 4256), on a thread that may wait.
    func keyboardInteractive() -> LibraryResult {
        library.result(
            bridge_userauth_keyboard_interactive_ex(library.raw, user, UInt32(user.utf8.count), Self.callback))
    }

    private static let callback:
        @convention(c) (
            UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, Int32, Int32,
            UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Void = { name, nameLength, instruction, instructionLength, count, prompts, responses, abstract in
            let request = SSHPromptRequest(
                name: text(name, Int(nameLength)), instruction: text(instruction, Int(instructionLength)),
                prompts: (0..<Int(count)).compactMap { index in prompts.map { prompt(UnsafeRawPointer($0), index) } })
            guard case .answers(let answers) = LibrarySession.session(abstract)?.prompter?(request) else {
                return LibrarySession.refuseQuestions(abstract)
            }
            LibrarySession.answered(abstract)
            for index in 0..<Int(count) {
                // libssh2 frees the answers with the session's allocator, which wipes them.
                answers.dropFirst(index).first?.withBytes { bytes in
                    guard let copy = bridge_tap_alloc(max(1, bytes.count), nil), let responses else { return }
                    if let base = bytes.baseAddress { copy.copyMemory(from: base, byteCount: bytes.count) }
                    responses[index].text = copy.assumingMemoryBound(to: CChar.self)
                    responses[index].length = UInt32(bytes.count)
                }
            }
        }

    /// One prompt in the layout of the loaded library. The length is an unsigned int before 1.11 and a size_t since, whatever
    /// header this was built with.
    private static func prompt(_ prompts: UnsafeRawPointer, _ index: Int) -> SSHPromptRequest.Prompt {
        let isWide = Library.isAtLeast(1, 11)
        let start = prompts + index * (isWide ? 24 : 16)
        let length =
            isWide
            ? Int(clamping: start.load(fromByteOffset: 8, as: UInt64.self))
            : Int(start.load(fromByteOffset: 8, as: UInt32.self))
        return SSHPromptRequest.Prompt(
            text: text(start.load(as: UnsafeRawPointer?.self), length),
            echo: start.load(fromByteOffset: isWide ? 16 : 12, as: UInt8.self) != 0)
    }

    private static func text(_ start: UnsafeRawPointer?, _ length: Int) -> String {
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(length, 4096)), as: UTF8.self)
    }
}

/// Runs a lent call on a thread that may block.
package protocol LentCallRunner {
    func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value
}

/// Runs calls that may block, off the event loop.
package struct BlockingCalls: LentCallRunner, Sendable {
    package init() {}

    package func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        // This needs its own task: the pool does not begin the work of a cancelled task, and no libssh2 call may be skipped.
        // `interrupt` passes a cancellation to the call.
        await Task {
            do {
                return try await NIOThreadPool.singleton.runIfActive { call() }
            } catch {
                preconditionFailure("the process's own pool of threads is never shut down")
            }
        }.value
    }
}

internal import CLibSSH2
internal import CPayloadTap
internal import NIOPosix

/// The outcome of a round of prompts.
package enum PromptReaction: Sendable {
    /// How often a server may ask in one attempt. Each question is another round for some servers, but for none so many.
    package static let mostRounds = 64

    /// One answer per prompt; none if there is nothing to answer with.
    case answers([Secret])
    /// Nothing is answered any more: the session is ending.
    case giveUp
}

/// Answers a round of prompts. May block its thread.
package typealias KeyboardInteractivePrompter = @Sendable (PromptRequest) -> PromptReaction

/// A session's pointer on its way to the thread that borrows it.
///
/// Sendable because the session does not touch libssh2 between `lend`'s call and its return: the pointer has one user.
struct SessionLoan: @unchecked Sendable {
    let raw: OpaquePointer
    let user: String

    func keyboardInteractive() -> Int {
        Int(libssh2_userauth_keyboard_interactive_ex(raw, user, UInt32(user.utf8.count), Self.callback))
    }

    private static let callback:
        @convention(c) (
            UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, Int32, Int32,
            UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Void = { name, nameLength, instruction, instructionLength, count, prompts, responses, abstract in
            let request = PromptRequest(
                name: text(name, Int(nameLength)), instruction: text(instruction, Int(instructionLength)),
                prompts: (0..<Int(count)).compactMap { index in prompts.map { prompt(UnsafeRawPointer($0), index) } })
            guard case .answers(let answers) = LibrarySession.wire(abstract)?.prompter?(request) else {
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

    /// One prompt as the loaded library has laid it out: its length is an unsigned int before 1.11 and a size_t since, whichever
    /// header we were built with.
    private static func prompt(_ prompts: UnsafeRawPointer, _ index: Int) -> PromptRequest.Prompt {
        let isWide = Library.isAtLeast(1, 11)
        let start = prompts + index * (isWide ? 24 : 16)
        let length =
            isWide
            ? Int(clamping: start.load(fromByteOffset: 8, as: UInt64.self))
            : Int(start.load(fromByteOffset: 8, as: UInt32.self))
        return PromptRequest.Prompt(
            text: text(start.load(as: UnsafeRawPointer?.self), length),
            echo: start.load(fromByteOffset: isWide ? 16 : 12, as: UInt8.self) != 0)
    }

    private static func text(_ start: UnsafeRawPointer?, _ length: Int) -> String {
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(length, 4096)), as: UTF8.self)
    }
}

/// Runs calls that may block, off the event loop.
package struct BlockingCalls: LentCallRunner, Sendable {
    package init() {}

    package func run(_ call: @escaping @Sendable () -> Int) async -> Int {
        // In a task of its own: the pool does not begin the work of a cancelled one, and no call of libssh2 may be left out. A
        // cancellation reaches the call by `interrupt`. The pool is never shut down, so no other error can happen.
        await Task { (try? await NIOThreadPool.singleton.runIfActive { call() }) ?? Int(LIBSSH2_ERROR_BAD_USE) }.value
    }
}

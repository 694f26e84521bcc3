import Dispatch
import SSHRun
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Passes on what a person types to a helper, through a pipe. A process in the background must not read its terminal, and a
/// helper, which has none, would not be kept from it.
final class Typing: Sendable {
    /// The helper's end.
    let readEnd: Int32
    private struct State {
        var readEnd: OwnedDescriptor?
        var writeEnd: OwnedDescriptor?
        var work: Task<Void, Never>?
    }
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "typing")
    private let terminal: Int32
    private let keys: SessionKeys?
    /// Rings when the wait for a helper to take typed input is over.
    private let wake = WakePipe()

    /// Nil without descriptors left.
    ///
    /// - Parameters:
    ///   - terminal: the terminal that is read; left open.
    ///   - keys: takes the escape characters out of a terminal session's input; nil for other input.
    init?(at terminal: Int32 = 0, keys: SessionKeys? = nil) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Only our end: a helper that hangs must not block us.
        _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK)
        self.terminal = terminal
        self.keys = keys
        readEnd = ends[0]
        state = Mutex(State(readEnd: OwnedDescriptor(ends[0]), writeEnd: OwnedDescriptor(ends[1])))
    }

    /// The helper has its end; without ours, it learns from the pipe that we are gone.
    func closeReadEnd() { state.withLock { $0.readEnd = nil } }

    /// The command runs, and accepts input.
    func begin(_ use: InputUse) {
        guard let writeEnd = state.withLock({ $0.writeEnd }) else { return }
        let work = Task { await pass(to: writeEnd, use) }
        state.withLock { state in
            state.work = work
            state.writeEnd = nil
        }
    }

    /// Leaves what is typed from now on to the terminal's next reader. What the helper has not taken by now is lost.
    func end() async {
        let work = state.withLock { $0.work }
        work?.cancel()
        wake.ring()
        await work?.value
    }

    private func pass(to writeEnd: OwnedDescriptor, _ use: InputUse) async {
        let reader = InputReader(borrowing: terminal)
        while let piece = try? await reader.next() {
            use.took()
            let piece = keys?.pass(piece) ?? piece
            let isTaken = await withCheckedContinuation { continuation in
                queue.async { [wake] in
                    let failure = piece.withUnsafeBytes {
                        OutputWriter.writeAll($0, to: writeEnd.number, unless: wake.readEnd)
                    }
                    continuation.resume(returning: failure == nil)
                }
            }
            guard isTaken else { return }
        }
        // The end of input was typed too.
        if !Task.isCancelled { use.took() }
    }
}

import Dispatch
import Synchronization

/// Decides who reports how the process ended: the work, or the signal that ended it. Only one of them reports.
enum LastWord {
    private enum Speaker {
        case work
        case signal
    }
    private static let speaker = Mutex<Speaker?>(nil)

    /// For a signal.
    ///
    /// - Returns: false if the work, or another signal, has it.
    static func take() -> Bool {
        speaker.withLock { speaker in
            guard speaker == nil else { return false }
            speaker = .signal
            return true
        }
    }

    /// For the work: where a signal has the last word, this stays until the process has ended, which it does at once.
    static func takeOrStay() {
        let isOurs = speaker.withLock { speaker in
            speaker = speaker ?? .work
            return speaker == .work
        }
        if !isOurs { stay() }
    }

    /// For what depends on a child that a signal has ended too: waits for that signal's end of this process.
    static func stayIfTaken() {
        if speaker.withLock({ $0 == .signal }) { stay() }
    }

    private static func stay() -> Never {
        while true { DispatchSemaphore(value: 0).wait() }
    }
}

import Dispatch
import Foundation

/// Waits for the end of standard input or for SIGINT, SIGTERM or SIGHUP, whichever comes first.
struct StopRequest {
    private let events: AsyncStream<Never>
    private let signals: [any DispatchSourceSignal]

    init(watchingInput: Bool) {
        let (events, continuation) = AsyncStream<Never>.makeStream()
        self.events = events
        signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.finish() }
            source.resume()
            return source
        }
        guard watchingInput else { return }
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 512)
            // Only the end of the input matters.
            while read(STDIN_FILENO, &bytes, bytes.count) > 0 {}
            continuation.finish()
        }
    }

    func wait() async { for await _ in events {} }
}

/// A session with bytes that wait to be sent. Confined to its loop.
protocol LoopWriter: AnyObject {
    /// Sends them.
    func flushPending()
}

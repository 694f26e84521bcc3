/// What a run's memory is divided into, in bytes: three eighths for the windows of running hosts, two for what is kept of their
/// output, one for output that waits for the reader of the events, half of one for outputs that wait for the end to be shown. What is
/// left is for what is there twice for a moment: an output that grows, or is on its way into the journal.
package struct MemoryShares: Sendable {
    package let windows: Int
    package let kept: Int
    package let unread: Int
    package let shown: Int

    package init(of memory: Int) {
        let eighth = memory / 8
        windows = 3 * eighth
        kept = max(1 << 20, 2 * eighth)
        unread = max(256 << 10, eighth)
        shown = eighth / 2
    }
}

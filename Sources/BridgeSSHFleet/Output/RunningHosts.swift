/// The hosts that are under way, for the progress line.
package struct RunningHosts: Sendable {
    /// How many there are.
    package var count: Int
    /// The one that began first, and how long ago.
    package var slowest: (host: String, since: Duration)?
    /// How many beside them have failed and wait to be tried again.
    package var waiting: Int

    package init(count: Int = 0, slowest: (host: String, since: Duration)? = nil, waiting: Int = 0) {
        self.count = count
        self.slowest = slowest
        self.waiting = waiting
    }
}

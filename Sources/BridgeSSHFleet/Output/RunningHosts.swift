/// The hosts that are under way, for the progress line.
package struct RunningHosts: Sendable {
    /// How many there are.
    package var count: Int
    /// The one that began first, and how long ago.
    package var slowest: (host: String, since: Duration)?

    package init(count: Int = 0, slowest: (host: String, since: Duration)? = nil) {
        self.count = count
        self.slowest = slowest
    }
}

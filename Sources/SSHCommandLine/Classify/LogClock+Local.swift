import BridgeSSH

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension LogClock {
    /// This machine's clock and zone.
    static var local: LogClock {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        return LogClock(now: LogTime(seconds: Double(now)), offset: parts.tm_gmtoff)
    }
}

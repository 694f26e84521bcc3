import BridgeSSH

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `read(2)` and `write(2)` under names that no method hides.
func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

/// `write(2)`.
func writeBytes(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

/// Waits until a descriptor is ready, or `alarm` is: true for the first. Never by a timer.
func waitUntilReady(_ descriptor: Int32, _ events: Int32, unless alarm: Int32) -> Bool {
    var watched = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0), pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
    ]
    while true {
        let ready = poll(&watched, nfds_t(watched.count), -1)
        if ready < 0, errno == EINTR { continue }
        return watched[1].revents == 0
    }
}

/// Lends arguments as execve(2) takes them.
func withArgumentVector<Result>(_ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = arguments.map { PathText.withCString($0) { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}

/// The handles of files and directories that a server has open for us (filexfer-02 section 6.3). No I/O.
///
/// A server may give a handle again when the file that had it is closed, and not before: what is read and written by it would be
/// another file's. Erlang/OTP 25 does so: it numbers a file by how many are open.
struct SFTPHandles {
    private var open: Set<[UInt8]> = []
    /// Those that we have closed, oldest first, with the places of the requests: a file that was asked for earlier cannot have one of
    /// them. Servers answer in the order in which they are asked, or give no handle twice.
    private var closed: [(handle: [UInt8], place: Int)] = []

    /// So many are remembered: far more than requests are ever under way.
    private static let most = 1024

    /// Notes that a handle came.
    ///
    /// - Parameter place: that of the request for it.
    /// - Returns: whether it can be this file's alone.
    mutating func open(_ handle: [UInt8], by place: Int) -> Bool {
        // Most servers have given a handle back by then that was closed last.
        for old in closed.reversed() {
            if old.place < place { break }
            if old.handle == handle { return false }
        }
        return open.insert(handle).inserted
    }

    /// Notes that we close one by the request at this place.
    mutating func close(_ handle: [UInt8], at place: Int) {
        open.remove(handle)
        if closed.count == Self.most { closed.removeFirst(Self.most / 2) }
        closed.append((handle, place))
    }
}

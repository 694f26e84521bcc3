import SSHTestSupport

/// An SFTP server that accepts every write and fails when the file is closed, like a network file system whose quota is
/// exceeded. The sizes of `removed` and `renamed` are the numbers of those requests.
enum ClosingSFTP {
    static var options: SSHDSandbox.Options { FakeSFTP.options(script) }

    private static let script = #"""
        books = {b"removed": 0, b"renamed": 0}
        while True:
            request = packet()
            kind, ident, rest = request[0], request[1:5], request[5:]
            if kind == 1:
                send(2, u32(3) + string(b"posix-rename@openssh.com") + string(b"1"))
                continue
            size = struct.unpack(">I", rest[:4])[0]
            argument = rest[4:4 + size]
            def status(code): send(101, ident + u32(code) + string(b"Quota exceeded") + string(b""))
            if kind in (7, 17):
                if argument in books: send(105, ident + u32(5) + struct.pack(">Q", books[argument]) + u32(0o100644))
                else: status(2)
            elif kind == 3: send(102, ident + string(b"h"))
            elif kind == 4: status(4)
            elif kind in (6, 10): status(0)
            elif kind == 13:
                books[b"removed"] += 1
                status(0)
            elif kind in (18, 200):
                books[b"renamed"] += 1
                status(0)
            else: status(8)
        """#
}

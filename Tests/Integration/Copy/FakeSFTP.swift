import SSHTestSupport

/// An SFTP server in Python, which `ForceCommand` runs instead of sftp-server.
enum FakeSFTP {
    /// - Parameters:
    ///   - script: the code after the protocol's functions: `u32`, `string`, `send`, `take` and `packet`; `requests`, which answers
    ///     INIT and gives the kind, number, first string and rest of each request; and `status`, which answers the last one.
    ///   - mode: the script's only argument.
    static func options(_ script: String, mode: String = "") -> SSHDSandbox.Options {
        var options = SSHDSandbox.Options("ForceCommand /usr/bin/python3 /opt/fake-sftp.py \(mode)")
        options.files["/opt/fake-sftp.py"] = SandboxFile(words + "\n" + script)
        return options
    }

    private static let words = #"""
        import os, re, struct, sys
        mode = (sys.argv + [""])[1]
        def u32(n): return struct.pack(">I", n)
        def string(s): return u32(len(s)) + s
        def send(kind, body): os.write(1, u32(len(body) + 1) + bytes([kind]) + body)
        def take(n):
            data = b""
            while len(data) < n:
                part = os.read(0, n - len(data))
                if not part: sys.exit(0)
                data += part
            return data
        def packet(): return take(struct.unpack(">I", take(4))[0])
        def requests():
            global asked
            while True:
                request = packet()
                kind, asked, rest = request[0], request[1:5], request[5:]
                if kind == 1:
                    send(2, u32(3))
                    continue
                size = struct.unpack(">I", rest[:4])[0]
                yield kind, asked, rest[4:4 + size], rest[4 + size:]
        def status(code): send(101, asked + u32(code) + string(b"") + string(b""))
        """#
}

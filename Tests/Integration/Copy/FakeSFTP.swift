import SSHTestSupport

/// An SFTP server in Python, which `ForceCommand` runs instead of sftp-server.
enum FakeSFTP {
    /// - Parameters:
    ///   - script: the code after the protocol's functions: `u32`, `string`, `send`, `take` and `packet`.
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
        """#
}

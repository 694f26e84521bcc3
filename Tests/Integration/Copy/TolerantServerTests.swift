import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Servers other than OpenSSH's: behaviour that sftp(1) tolerates is not a failure here either.
@Suite("Copying: servers that answer in their own way")
struct TolerantServerTests {
    /// A server that keeps files in memory; it has no extensions. The mode selects the server's fault.
    private static let script = #"""
        def attrs(mode, size): return u32(5) + struct.pack(">Q", size) + u32(mode)
        files, handles, count = {b"old": bytearray(b"before")}, {}, 0
        for kind, ident, argument, rest in requests():
            if kind in (7, 17):
                if argument in files: send(105, ident + attrs(0o100644, len(files[argument])))
                elif argument in (b".", b""): send(105, ident + attrs(0o40755, 0))
                else: status(4 if mode == "missing" else 2)
            elif kind == 3:
                flags = struct.unpack(">I", rest[:4])[0]
                if flags & 32 and argument in files: status(4)
                elif not flags & 8 and argument not in files: status(2)
                else:
                    if flags & 8 and argument not in files: files[argument] = bytearray()
                    count += 1
                    handles[u32(count)] = argument
                    send(102, ident + string(u32(count)))
            elif kind == 4: status(0 if handles.pop(argument, None) else 4)
            elif kind == 5:
                start, length = struct.unpack(">QI", rest)
                data = bytes(files[handles[argument]][start:start + length])
                send(103, ident + string(data)) if data else status(1)
            elif kind == 6:
                start, data = struct.unpack(">Q", rest[:8])[0], rest[12:]
                content = files[handles[argument]]
                content.extend(bytes(max(0, start - len(content))))
                content[start:start + len(data)] = data
                status(0)
            elif kind == 8: send(105, ident + attrs(0o100644, len(files[handles[argument]])))
            elif kind == 9: status(8 if mode == "noattributes" else 0)
            elif kind == 10: status(8 if "attributes" in mode else 0)
            elif kind == 13: status(0 if files.pop(argument, None) is not None else 2)
            elif kind == 18:
                target = rest[4:]
                if target in files: status(11 if mode == "later" else 4)
                else:
                    files[target] = files.pop(argument)
                    status(0)
            elif kind == 16: send(104, ident + u32(1) + string(argument) + string(b"") + u32(0))
            else: status(8)
        """#

    @Test(
        "a file is uploaded, and replaces an old one",
        arguments: [
            ("missing", false), ("later", false), ("attributes", false), ("noattributes", true),
        ], [[String](), ["-p"]])
    func upload(_ server: (mode: String, isTold: Bool), _ options: [String]) async throws {
        try await SSHDSandbox.run(FakeSFTP.options(Self.script, mode: server.mode)) { box in
            try await box.connected { connection in
                try await ScratchDirectory.with { scratch in
                    for (name, content) in [("new", "content"), ("old", String(repeating: "after", count: 100_000))] {
                        let source = try scratch.write(content, to: name)
                        try await connection.withSFTP { sftp in
                            var copying = SFTPCopyOptions()
                            copying.preservesAttributes = options == ["-p"]
                            let result = try await sftp.upload([source], to: name, options: copying)
                            #expect(result.files == 1 && result.failures.isEmpty)
                            let notices = result.notices.filter { $0.contains("does not have the mode and times of its source") }
                            #expect(notices.count == (server.isTold && copying.preservesAttributes ? 1 : 0), "\(result.notices)")
                            #expect(try await sftp.read(name) == Array(content.utf8))
                        }
                    }
                }
            }
        }
    }
}

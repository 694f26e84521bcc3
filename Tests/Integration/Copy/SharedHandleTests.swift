import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A server that gives one handle to several open files, as Erlang/OTP 25 does: no file may get another's content.
@Suite("Copying: one handle for two files")
struct SharedHandleTests {
    /// A handle is the number of open files, up to seven, so it is given again while another file has it.
    private static let script = #"""
        def attrs(mode, size): return u32(5) + struct.pack(">Q", size) + u32(mode)
        names = [b"f%03d" % i for i in range(40)]
        open_files, listed = {}, False
        for kind, ident, argument, rest in requests():
            if kind in (7, 17):
                name = argument.split(b"/")[-1]
                if name in names: send(105, ident + attrs(0o100644, 600000))
                elif name in (b"top", b"."): send(105, ident + attrs(0o40755, 0))
                else: status(2)
            elif kind in (3, 11):
                handle = b"%d" % (len(open_files) % 7)
                open_files[handle] = argument
                send(102, ident + string(handle))
            elif kind == 12:
                if listed: status(1)
                else: send(104, ident + u32(40) + b"".join(string(n) + string(b"-") + attrs(0o100644, 600000) for n in names))
                listed = True
            elif kind == 4:
                open_files.pop(argument, None)
                status(0)
            elif kind == 5 and argument in open_files:
                start, count = struct.unpack(">QI", rest)
                name = open_files[argument].split(b"/")[-1]
                send(103, ident + string((name * 150000)[start:min(start + count, 600000)])) if start < 600000 else status(1)
            elif kind == 8: send(105, ident + attrs(0o100644, 600000))
            elif kind in (6, 10, 13, 14, 18): status(0)
            else: status(4)
        """#

    private func check(_ target: URL) throws {
        let enumerator = try #require(FileManager.default.enumerator(atPath: target.path))
        for case let name as String in enumerator where name.hasPrefix("f") {
            let content = try String(contentsOf: target.appendingPathComponent(name), encoding: .utf8)
            #expect(content == String(repeating: name, count: 150_000), "\(name) has another's content")
        }
    }

    @Test("a download of many files, of a directory, and an upload report the server's error")
    func copies() async throws {
        try await SSHDSandbox.run(FakeSFTP.options(Self.script)) { box in
            try await ScratchDirectory.with { scratch in
                let target = scratch.url.appendingPathComponent("copy")
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                for index in 0..<40 { try scratch.write(String(repeating: "\(index)", count: 300_000), to: "u\(index)") }
                let files = (0..<40).map { "127.0.0.1:top/f" + String(String(1000 + $0).dropFirst()) }
                let copies = [
                    files + [target.path], ["-r", "127.0.0.1:top", target.path],
                    (0..<40).map { scratch.path("u\($0)") } + ["127.0.0.1:top"],
                ]
                for copy in copies {
                    let result = try await box.copy(copy, home: scratch)
                    #expect(result.exitStatus == 195, "\(result.errorOutput)")
                    #expect(result.words.contains("it gave one handle to two open files"), "\(result.errorOutput)")
                    #expect(result.words.contains("Erlang/OTP 25"))
                    try check(target)
                }
                // A single file has its own handle.
                let one = try await box.copy([files[7], target.path], home: scratch)
                #expect(one.exitStatus == 0, "\(one.errorOutput)")
                try check(target)
            }
        }
    }
}

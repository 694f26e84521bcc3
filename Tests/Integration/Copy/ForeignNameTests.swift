import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Names are bytes: those that are not UTF-8 are copied as all others.
@Suite("Copying: names that are not UTF-8")
struct ForeignNameTests {
    /// Three files with similar names, a link to one of them, and a directory that contains another.
    private static let names = #"""
        b=$(printf 'x\377y'); c=$(printf 'x\376y'); d=$(printf 'd\351'); l='x\xffy'
        make() { mkdir -p "$1/$d"; printf one >"$1/$b"; printf two >"$1/$c"; printf three >"$1/$l"; printf four >"$1/$d/$b"
                 ln -s "$b" "$1/link"; }
        """#

    /// Runs a script here, with `copy` for the executable's and `h` for the host.
    private func shell(_ box: SSHDSandbox, _ scratch: ScratchDirectory, _ script: String) async throws -> ProcessResult {
        let quoted = (try await box.copyArguments()).map { "'" + $0 + "'" }.joined(separator: " ")
        let copy = "copy() { '\(try BuiltExecutable.path("bridge-ssh"))' \(quoted) \"$@\"; }; h=127.0.0.1"
        return try await ProcessRun.run(
            "/bin/bash", ["-c", "set -e; \(copy)\n\(Self.names)\n\(script)"],
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"]),
            directory: scratch.url.path)
    }

    @Test("one by one, by wildcard and recursively, up and down")
    func command() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let result = try await shell(
                box, scratch,
                #"""
                make source
                copy --checksum "source/$b" "$h:/tmp/foreign-$c"
                copy "$h:/tmp/foreign-$c" "$b"; cmp "$b" "source/$b"
                copy -rp source "$h:foreign"
                copy -rp "$h:foreign" whole; diff -r source whole; [ "$(readlink whole/link)" = "$b" ]
                mkdir some; copy "$h:foreign/x*" some; rm -r "source/$d" source/link; diff -r source some
                mkdir one; copy "$h:foreign/x?y" one; [ "$(ls one | wc -l)" = 2 ]
                copy "sftp://$h/foreign/x%FFy" url; cmp url "source/$b"
                copy -r "$h:foreign" "$h:/tmp/foreign-relayed"; copy -r "$h:/tmp/foreign-relayed" relayed; diff -r whole relayed
                """#)
            #expect(result.exitStatus == 0 && result.errorOutput.isEmpty && result.output.isEmpty, "\(result.errorOutput)")
        }
    }

    @Test("uncopied entries are named unambiguously, and the status is not 0")
    func failures() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let result = try await shell(
                box, scratch,
                #"""
                make source; copy -r source "$h:closed" 2>/dev/null
                copy --json "$h:closed/$b" "missing/$b" || echo "status $?"
                """#)
            let lines = result.output.split(separator: "\n")
            #expect(lines.last == "status 1", "\(result.output) \(result.errorOutput)")
            let one = try JSON(parsing: Data(lines.dropLast().joined(separator: "\n").utf8))
            #expect(try JSONSchema.ofCopy().faults(one) == [])
            #expect(one["sources"]?.items.first?.text == #"closed/x\xffy"# && one["target"]?.text == #"missing/x\xffy"#)
            try await box.connected { connection in
                _ = try await connection.run("chmod 0 closed/x*", check: true)
                let all = try await shell(box, scratch, #"copy -r --json "$h:closed" tree || echo "status $?""#)
                let lines = all.output.split(separator: "\n")
                #expect(lines.last == "status 1", "\(all.errorOutput)")
                let json = try JSON(parsing: Data(lines.dropLast().joined(separator: "\n").utf8))
                let paths = json["failures"]?.items.compactMap { $0["evidence"]?["event"]?["path"]?.text } ?? []
                #expect(paths.sorted() == [#"closed/x\\xffy"#, #"closed/x\xfey"#, #"closed/x\xffy"#], "\(all.output)")
                let shown = try await shell(box, scratch, #"copy "$h:closed/x*" . || echo "status $?""#)
                #expect(shown.output == "status 1\n" && !shown.errorOutput.unicodeScalars.contains { $0.value > 0x10_0000 })
                for name in [#"closed/x\\xffy"#, #"closed/x\xfey"#, #"closed/x\xffy"#] {
                    #expect(shown.words.contains(name), "\(shown.errorOutput)")
                }
                _ = try await connection.run("chmod 600 closed/x*", check: true)
            }
        }
    }

    @Test("a Swift program gets each name and can use it")
    func library() async throws {
        let box = try await SharedSandbox.plain.box()
        try await box.connected { connection in
            _ = try await connection.run(Self.names + "\nmake names", check: true)
            try await connection.withSFTP { sftp in
                var names: [String] = []
                for try await entry in sftp.list("names") { names.append(entry.name) }
                #expect(Set(names.map { Array($0.utf8) }).count == 5)
                #expect(names.contains("x\u{10F7FF}y") && names.contains(#"x\xffy"#))
                #expect(try await sftp.read("names/x\u{10F7FF}y") == Array("one".utf8))
                #expect(try await sftp.read("names/x\u{10F7FE}y") == Array("two".utf8))
                #expect(try await sftp.target(ofLink: "names/link") == "x\u{10F7FF}y")
                #expect(try await sftp.realPath(of: "names/d\u{10F7E9}").hasSuffix("/names/d\u{10F7E9}"))
                try await sftp.rename("names/x\u{10F7FE}y", to: "names/é")
                #expect(try await connection.run("cat names/é", check: true).standardOutputText == "two")
                let error = await #expect(throws: SSHError.self) { try await sftp.read("names/x\u{10F7FE}y") }
                #expect(error?.message.contains(#"names/x\xfey"#) == true)
            }
        }
    }

    @Test("other names are text")
    func words() async throws {
        let result = try await ProcessRun.run(
            "/bin/bash", ["-c", #"exec "$0" run host "$(printf 'echo \377')""#, try BuiltExecutable.path("bridge-ssh")],
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]))
        #expect(result.exitStatus == 199 && result.words.contains("argument 3: it is not UTF-8"), "\(result.errorOutput)")
    }
}

import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite("Places of a copy")
struct CopyPlaceTests {
    @Test(
        "local and remote places",
        arguments: [
            ("a", .local("a")), ("./a:b", .local("./a:b")), ("/a:b", .local("/a:b")), (":a", .local(":a")),
            ("web1:", .remote(host: "web1", path: "")), ("bob@web1:/srv/a:b", .remote(host: "bob@web1", path: "/srv/a:b")),
            ("[::1]:x", .remote(host: "[::1]", path: "x")), ("bob@[::1]:", .remote(host: "bob@[::1]", path: "")),
            ("web1:~/x", .remote(host: "web1", path: "x")), ("web1:~", .remote(host: "web1", path: "")),
            ("sftp://bob@web1:2222/a%20b", .remote(host: "bob@web1:2222", path: "a b")),
            ("scp://web1//etc/hosts", .remote(host: "web1", path: "/etc/hosts")),
            ("sftp://web1", .remote(host: "web1", path: "")),
        ] as [(String, CopyPlace)])
    func place(text: String, expected: CopyPlace) throws {
        #expect(try CopyPlace(text) == expected)
    }

    @Test("invalid places", arguments: ["", "sftp:///x", "sftp://h/%zz", "sftp://h/%00", "sftp://h/%+1", "h:~bob"])
    func refused(text: String) {
        #expect(throws: UsageProblem.self) { try CopyPlace(text) }
    }

    @Test("the progress line fits the terminal and shows the known values")
    func progress() {
        var progress = SFTPProgress()
        (progress.bytes, progress.totalBytes, progress.files, progress.totalFiles) = (45_000_000, 100_000_000, 17, 2000)
        progress.isTotalKnown = true
        progress.path = "日本\u{1B}[2J"
        let line = CopyProgressLine.text(progress, seconds: 5, width: 200)
        #expect(line.hasPrefix(" 45 %  9.0 MB/s  0:07 left  17/2000 files  日本"))
        #expect(!line.contains("\u{1B}"))
        #expect(CopyProgressLine.text(progress, seconds: 5, width: 10).count <= 10)
        #expect(CopyProgressLine.text(SFTPProgress(), seconds: 0, width: 80) == "0 B/s  ")
        #expect(CopyProgressLine.clock(3723) == "1:02:03")
    }
}

import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite("HOSTS:PATH") struct HostsAndPathTests {
    @Test(
        "the boundary between hosts and path",
        arguments: [
            ("web1:/srv", "web1", "/srv"), ("web[1-3]:/srv/", "web[1-3]", "/srv/"), ("web1:", "web1", ""),
            ("web1:notes", "web1", "notes"), ("web1:~", "web1", ""), ("web1:~/x", "web1", "x"), ("web1:.", "web1", "."),
            ("web1:/a:b/c:d", "web1", "/a:b/c:d"), ("web1:./a:b", "web1", "./a:b"), ("web1:~/a:b", "web1", "a:b"),
            ("bob@web[1-3]:2222:/srv", "bob@web[1-3]:2222", "/srv"), ("bob@web[1-3]:2222:", "bob@web[1-3]:2222", ""),
            ("web1:22:./x", "web1:22", "./x"), ("web1:./2222", "web1", "./2222"),
            ("web[01-20/2]:x", "web[01-20/2]", "x"), ("web[0:2]:/x", "web[0:2]", "/x"),
            ("r[1-4]n[01-16].lan:/x", "r[1-4]n[01-16].lan", "/x"),
            ("[::1]:/x", "[::1]", "/x"), ("[::1]:22:/x", "[::1]:22", "/x"), ("bob@[fe80::1]:", "bob@[fe80::1]", ""),
            ("@web:/x", "@web", "/x"), ("@run:last:failed:/x", "@run:last:failed", "/x"), ("@ssh:TAG:", "@ssh:TAG", ""),
            ("@*!db1:/x", "@*!db1", "/x"), ("web1,db[1-2] !db1:/x", "web1,db[1-2] !db1", "/x"),
            ("web:!db:&eu:/x", "web:!db:&eu", "/x"),
            ("web1:/logs/[ab]*.gz", "web1", "/logs/[ab]*.gz"), ("web1:logs/a:[b]", "web1", "logs/a:[b]"),
        ])
    func split(text: String, hosts: String, path: String) throws {
        #expect(try HostsAndPath(text) == HostsAndPath(hosts: hosts, path: path))
    }

    @Test(
        "an ambiguous argument is refused, with a remedy",
        arguments: [
            ("", "names no hosts"), ("file", "names no hosts"), ("/a:b", "names no hosts"), (":/x", "no hosts before"),
            ("web1:2222", "-P 2222"), ("web[1-3]:2222", "web[1-3]:2222:PATH"), ("web1:22:notes", "web1:22:./notes"),
            ("@ssh:TAG:notes", "@ssh:TAG:./notes"), ("ssh://web1/x", "names one host"), ("SFTP://web1:22/x", "names one host"),
            ("::1:/x", "IPv6 address in brackets"), ("fe80::1:x", "IPv6 address in brackets"),
            ("web[1-3:/x", "bracket is not closed"),
            ("web1:~bob/x", "another user's home"),
        ])
    func refused(text: String, remedy: String) throws {
        let problem = try #require(throws: UsageProblem.self) { try HostsAndPath(text) }
        let message = problem.verdict(ofSubcommand: "fleet copy").message
        #expect(message.contains(remedy), "\(message)")
    }

    @Test("a password in a URL is not shown") func passwordInURL() throws {
        for text in ["sftp://me:hunter2@web1/x", "ssh://me:hunter2@web1:/x"] {
            let problem = try #require(throws: UsageProblem.self) { try HostsAndPath(text) }
            #expect(!problem.verdict(ofSubcommand: "fleet copy").message.contains("hunter2"))
        }
        #expect(try CopyPlace("sftp://me:hunter2@web1/x") == .remote(host: "ssh://me:hunter2@web1", path: "x"))
    }

    @Test("several paths have the same hosts")
    func several() throws {
        let (hosts, paths) = try HostsAndPath.all(["web[1-2]:/a", "web[1-2]:"])
        #expect(hosts == "web[1-2]" && paths == ["/a", ""])
        #expect(throws: UsageProblem.self) { try HostsAndPath.all(["web1:/a", "web2:/b"]) }
        #expect(throws: UsageProblem.self) { try HostsAndPath.all([]) }
    }
}

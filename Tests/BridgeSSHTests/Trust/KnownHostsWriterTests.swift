import BridgeSSH
import CTestProcess
import Foundation
import Testing

@Suite struct KnownHostsWriterTests {
    private let directory: TemporaryDirectory
    private let key = TestKeys.ed25519(1)

    init() throws { directory = try TemporaryDirectory() }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func writer(_ name: String = "known_hosts") -> SSHKnownHostsWriter { SSHKnownHostsWriter(path: directory.path(name)) }

    private func at(_ line: Int, _ name: String = "known_hosts") -> SSHKnownHostsLocation {
        SSHKnownHostsLocation(file: directory.path(name), line: line)
    }

    @Test("keys of many hosts are one change, and the second of two for one type contradicts the first")
    func keysOfManyHostsAreOne() throws {
        let (other, third) = (TestKeys.ed25519(2), TestKeys.rsa(3))
        _ = try directory.write("known_hosts", "web1 \(key.line)\n")
        let files = SSHKnownHostsFiles(user: [directory.path("known_hosts")])
        let before = try FileManager.default.attributesOfItem(atPath: directory.path("known_hosts"))[.systemFileNumber] as? Int
        let outcomes = try files.add([
            .init(key, host: "web1", port: 22), .init(key, host: "web2", port: 22), .init(third, host: "web2", port: 22),
            .init(other, host: "WEB2", port: 22), .init(key, host: "web2", port: 22), .init(other, host: "web1", port: 22),
            .init(other, host: "web3", port: 2222),
        ])
        #expect(outcomes.count == 7)
        #expect(outcomes[0] == .alreadyKnown(at(1)) && outcomes[1] == .added(at(2)) && outcomes[2] == .added(at(3)))
        #expect(outcomes[4] == .alreadyKnown(at(2)) && outcomes[6] == .added(at(4)))
        for outcome in [outcomes[3], outcomes[5]] {
            guard case .contradicted(.changed) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        let lines = ["web1 \(key.line)", "web2 \(key.line)", "web2 \(third.line)", "[web3]:2222 \(other.line)"]
        #expect(try directory.read("known_hosts") == Array((lines.joined(separator: "\n") + "\n").utf8))
        let after = try FileManager.default.attributesOfItem(atPath: directory.path("known_hosts"))[.systemFileNumber] as? Int
        #expect(before != after)
        let problem = #expect(throws: SSHKnownHostsProblem.self) {
            try files.add([.init(key, host: "web9", port: 22), .init(key, host: "*", port: 22)])
        }
        #expect(problem?.code == .unwritableName)
        #expect(try directory.read("known_hosts") == Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    @Test(
        "a new file is private, and ssh-keygen finds the host in it",
        arguments: [("Web1", 22, "web1"), ("::1", 22, "::1"), ("web1", 2222, "[web1]:2222"), ("::1", 2222, "[::1]:2222")])
    func aNewFileIsPrivate(host: String, port: Int, name: String) throws {
        #expect(try writer().add(key, host: host, port: port) == .added(at(1)))
        #expect(try mode("known_hosts") == 0o600)
        #expect(try directory.read("known_hosts") == Array("\(name) \(key.line)\n".utf8))
        #expect(try Oracle.lines(matching: name, in: directory.path("known_hosts")) == [1])
        #expect(try directory.names == ["known_hosts"])
    }

    @Test("existing content, mode and owner are unchanged", arguments: [0o600, 0o644, 0o640, 0o400])
    func theOldContentStays(mode: Int) throws {
        let text = "# caf\u{E9}\r\n\u{0}\u{FF}junk\n\nweb2 \(TestKeys.rsa(1).line)"
        let old: [UInt8] = Array(text.utf8) + [0xFF, 0xFE]
        let path = try directory.write("known_hosts", old)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        if getuid() == 0 { chown(path, 1234, 4321) }
        #expect(try writer().add(key, host: "web1", port: 22) == .added(at(5)))
        let added = Array("\nweb1 \(key.line)\n".utf8)
        #expect(try directory.read("known_hosts") == old + added)
        #expect(try self.mode("known_hosts") == mode)
        if getuid() == 0 {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.ownerAccountID] as? Int == 1234)
            #expect(attributes[.groupOwnerAccountID] as? Int == 4321)
        }
    }

    @Test("a hashed file gets a hashed line, which ssh-keygen finds") func aHashedFileGetsAHashed() throws {
        let path = try directory.write("known_hosts", "web2 \(TestKeys.rsa(1).line)\n")
        try Oracle.sshKeygen("-H", "-f", path)
        try FileManager.default.removeItem(atPath: path + ".old")
        #expect(try writer().add(key, host: "Web1", port: 2222) == .added(at(2)))
        let text = String(decoding: try directory.read("known_hosts"), as: UTF8.self)
        #expect(!text.contains("web1"))
        #expect(try Oracle.lines(matching: "[web1]:2222", in: path) == [2])
        #expect(try Oracle.lines(matching: "web2", in: path) == [1])
    }

    @Test("links are followed, even to a file that does not exist yet") func linksAreFollowed() throws {
        try FileManager.default.createDirectory(atPath: directory.path("real"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: directory.path("known_hosts"), withDestinationPath: "step")
        try FileManager.default.createSymbolicLink(atPath: directory.path("step"), withDestinationPath: "real/file")
        for number in 1...2 {
            #expect(try writer().add(TestKeys.ed25519(UInt8(number)), host: "web\(number)", port: 22) == .added(at(number)))
        }
        #expect(try directory.names == ["known_hosts", "real", "step"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory.path("known_hosts")) == "step")
        let known = SSHKnownHosts(String(decoding: try directory.read("real/file"), as: UTF8.self))
        #expect(known.entries.count == 2)
    }

    #if os(Linux)
        @Test("the new file is durable before it takes the place of the old one, and then its name") func theNewFileIsDurable()
            throws
        {
            try directory.write("known_hosts", "web1 \(key.line)\n")
            #expect(try writer().add(key, host: "web2", port: 22) == .added(at(2)))
            #expect(test_process_synchronized(directory.path(".known_hosts.*")) == 1)
            #expect(test_process_synchronized(String(directory.path("x").dropLast(2))) == 1)
        }
    #endif

    @Test("a circle of links is a problem") func aCircleOfLinks() throws {
        try FileManager.default.createSymbolicLink(atPath: directory.path("known_hosts"), withDestinationPath: "known_hosts")
        let problem = try #require(throws: SSHKnownHostsProblem.self) { try writer().add(key, host: "web1", port: 22) }
        #expect(problem.code == .unwritable && problem.errno == ELOOP)
    }

    @Test("the user's directory is created private; no other directory is created") func theUserSDirectoryIsMade() throws {
        let home = directory.path("")
        let path = "\(home)/.ssh/known_hosts"
        let maker = SSHKnownHostsWriter(path: path, creatableDirectory: "\(home)/.ssh")
        #expect(try maker.add(key, host: "web1", port: 22) == .added(SSHKnownHostsLocation(file: path, line: 1)))
        #expect(try mode(".ssh") == 0o700)
        #expect(try mode(".ssh/known_hosts") == 0o600)
        let problem = try #require(throws: SSHKnownHostsProblem.self) { try writer("none/file").add(key, host: "web1", port: 22) }
        #expect(problem.errno == ENOENT && problem.operation == "open")
    }

    @Test("a known key is not written twice, and no key that contradicts a known one is written") func aKnownKeyIsNotWritten()
        throws
    {
        let other = TestKeys.ed25519(2)
        let path = try directory.write("known_hosts", "web1 \(key.line)\n@revoked * \(TestKeys.ed25519(3).line)\n")
        let before = try directory.read("known_hosts")
        #expect(try writer().add(key, host: "web1", port: 22) == .alreadyKnown(at(1)))
        guard case .contradicted(.changed) = try writer().add(other, host: "web1", port: 22) else {
            Issue.record("a second key was added in \(path)")
            return
        }
        #expect(try writer().add(TestKeys.ed25519(3), host: "web9", port: 22) == .contradicted(.revoked(at(2))))
        #expect(try directory.read("known_hosts") == before)
    }

    @Test(
        "a name that would match other hosts is never written",
        arguments: ["*", "?", "!web1", "a,b", "|1|x", "#x", "@revoked", "a b", "a\nb", "", "[web1]"])
    func aNameThatWouldMeanOther(host: String) throws {
        let problem = try #require(throws: SSHKnownHostsProblem.self) { try writer().add(key, host: host, port: 22) }
        #expect(problem.code == .unwritableName)
        #expect(try directory.names.isEmpty)
    }

    @Test("anything but a file is refused and not changed", arguments: ["directory", "pipe"])
    func whatIsNotAFile(kind: String) throws {
        let path = directory.path("known_hosts")
        if kind == "pipe" {
            try #require(mkfifo(path, 0o600) == 0)
        } else {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let problem = try #require(throws: SSHKnownHostsProblem.self) { try writer().add(key, host: "web1", port: 22) }
        #expect(problem.code == .unwritable)
        #expect(problem.errno == (kind == "pipe" ? EINVAL : EISDIR))
        #expect(try directory.names == ["known_hosts"])
    }

    @Test("a device is written to and never replaced") func aDeviceIsWrittenTo() throws {
        // Links to devices: to replace the target of a link, the writer would first have to write to /dev.
        try FileManager.default.createSymbolicLink(atPath: directory.path("null"), withDestinationPath: "/dev/null")
        guard case .added = try writer("null").add(key, host: "web1", port: 22) else {
            Issue.record("not added")
            return
        }
        try FileManager.default.createSymbolicLink(atPath: directory.path("full"), withDestinationPath: "/dev/full")
        let problem = try #require(throws: SSHKnownHostsProblem.self) { try writer("full").add(key, host: "web1", port: 22) }
        #expect(problem.errno == ENOSPC && problem.operation == "write")
        for device in ["/dev/null", "/dev/full"] {
            let type = try FileManager.default.attributesOfItem(atPath: device)[.type] as? FileAttributeType
            #expect(type == .typeCharacterSpecial)
        }
    }
}

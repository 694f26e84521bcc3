import Foundation
import SSHTestSupport
import Testing

@testable import SSHFileTransfer
@testable import SSHTransport

/// A later replacement of a directory is neither entered nor written to.
@Suite("Local directories of a copy")
struct LocalDirectoryTests {
    @Test("no entry is reached through a symbolic link, be it a directory or a file")
    func links() async throws {
        try await ScratchDirectory.with { scratch in
            let files = FileManager.default
            try files.createDirectory(atPath: scratch.path("outside"), withIntermediateDirectories: false)
            try scratch.write("secret", to: "outside/f")
            try files.createSymbolicLink(atPath: scratch.path("d"), withDestinationPath: "outside")
            try files.createSymbolicLink(atPath: scratch.path("f"), withDestinationPath: "outside/f")
            let top = try LocalDirectory(scratch.url.path)
            #expect(throws: LocalFault.self) { try top.directory("d") }
            #expect(throws: LocalFault.self) { try top.directory(at: "d/f") }
            #expect(throws: LocalFault.self) { try top.makeDirectory("d", permissions: 0o777) }
            #expect(throws: LocalFault.self) { try top.file("f", O_RDONLY) }
            #expect(throws: LocalFault.self) { try top.file("f", O_WRONLY | O_CREAT) }
            // The path that the user gave may be a link.
            #expect(try LocalDirectory(scratch.path("d")).names() == ["f"])
        }
    }

    @Test("a directory that replaced a created one is noticed")
    func identity() async throws {
        try await ScratchDirectory.with { scratch in
            let top = try TreeDirectory(top: LocalDirectory(scratch.url.path), SFTPAttributes())
            let made = try TreeDirectory(making: SFTPEntry(name: "d", attributes: SFTPAttributes()), in: top)
            #expect(try made.open().names() == [])
            #expect(rename(scratch.path("d"), scratch.path("away")) == 0)
            #expect(mkdir(scratch.path("d"), 0o777) == 0)
            #expect(throws: LocalFault.self) { try made.open() }
            #expect(throws: LocalFault.self) {
                try TreeDirectory(making: SFTPEntry(name: "e", attributes: SFTPAttributes()), in: made)
            }
            #expect(try LocalDirectory(scratch.path("d")).names() == [])
        }
    }

    @Test("the owner can fill a new directory, whatever mode it has on the server") func mode() async throws {
        try await ScratchDirectory.with { scratch in
            let made = try LocalDirectory(scratch.url.path).makeDirectory("d", permissions: 0o4050)
            #expect(try made.status(of: ".").st_mode & 0o7777 == 0o750)
        }
    }

    @Test("a path that names a descriptor is recognised, even through links")
    func descriptors() async throws {
        try await ScratchDirectory.with { scratch in
            try FileManager.default.createSymbolicLink(atPath: scratch.path("out"), withDestinationPath: "/dev/stdout")
            try FileManager.default.createSymbolicLink(atPath: scratch.path("round"), withDestinationPath: "round")
            try scratch.write("", to: "file")
            for (path, number) in [
                ("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/1", 1), ("/proc/self/fd/7", 7), (scratch.path("out"), 1),
                (scratch.path("round"), nil), (scratch.path("file"), nil), ("/dev/null", nil), ("/dev/fd/x", nil), ("", nil),
            ] as [(String, Int32?)] {
                #expect(LocalPath.descriptor(namedBy: path) == number, "\(path)")
            }
        }
    }
}

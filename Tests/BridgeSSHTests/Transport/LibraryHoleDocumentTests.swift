import Foundation
import Testing

@testable import BridgeSSH
@testable import SSHTransport

/// SECURITY.md lists the known defects of libssh2 as the program does.
@Suite struct LibraryHoleDocumentTests {
    private static func row(_ hole: LibraryHole) -> String {
        let cells = [hole.name, hole.versions, hole.debianUpdates.joined(separator: ", "), hole.effect, hole.defence]
        return "| \(cells.joined(separator: " | ")) |"
    }

    @Test func theTableIsTheList() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let head = try #require(lines.firstIndex { $0.hasPrefix("| defect |") })
        let rows = lines[(head + 2)...].prefix { $0.hasPrefix("|") }
        #expect(Array(rows) == LibraryHole.all.map(Self.row))
    }
}

import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

@Suite struct ToolErrorClassificationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var tool: String
        var status: Int?
        var stderr: String
        var kind: ToolErrorClassification.Kind
        var appError: AppError
        var testDescription: String { "\(tool) \(status ?? -1) \(stderr)" }
    }

    static let rows: [Row] = [
        Row(
            tool: "curl", status: 6, stderr: "curl: (6) Could not resolve host: nix.example", kind: .network,
            appError: .dnsError(host: "nix.example")),
        Row(tool: "/usr/bin/curl", status: 28, stderr: "", kind: .network, appError: .timeout(seconds: 0)),
        Row(tool: "curl", status: 7, stderr: "curl: (7) permission denied", kind: .network, appError: .networkUnavailable),
        Row(
            tool: "curl", status: 60, stderr: "curl: (60) bad", kind: .network, appError: .sslError(description: "curl: (60) bad")
        ),
        Row(
            tool: "cat", status: 1, stderr: "cat: /etc/shadow: Permission denied", kind: .permission,
            appError: .filePermissionDenied(path: "/etc/shadow")),
        Row(
            tool: "ls", status: 2, stderr: "ls: cannot open directory '/root/x': Permission denied\n", kind: .permission,
            appError: .filePermissionDenied(path: "/root/x")),
        Row(
            tool: "mount", status: 32, stderr: "mount: only root can do that\nOperation not permitted", kind: .permission,
            appError: .permissionDenied(tool: "mount")),
        Row(
            tool: "ssh", status: 255, stderr: "ssh: connect to host h port 22: Connection refused", kind: .network,
            appError: .networkUnavailable),
        Row(
            tool: "ping", status: 2, stderr: "ping: web.example: Name or service not known", kind: .network,
            appError: .dnsError(host: "web.example")),
        Row(
            tool: "jq", status: 5, stderr: "jq: bad", kind: .parse,
            appError: .decodingError(type: "jq’s input", detail: "jq: bad")),
        Row(
            tool: "sh", status: 2, stderr: "sh: 1: Syntax error: \")\" unexpected", kind: .parse,
            appError: .decodingError(type: "sh’s input", detail: "sh: 1: Syntax error: \")\" unexpected")),
        Row(tool: "x", status: 77, stderr: "", kind: .permission, appError: .permissionDenied(tool: "x")),
        Row(tool: "x", status: 65, stderr: "hm", kind: .parse, appError: .decodingError(type: "x’s input", detail: "hm")),
        Row(tool: "x", status: 77, stderr: "x: timed out", kind: .network, appError: .timeout(seconds: 0)),
        Row(
            tool: "make", status: 2, stderr: "cc\nmake: *** [all] Error 1\n", kind: .unknown,
            appError: .unknown(message: "make ended with status 2: make: *** [all] Error 1")),
        Row(tool: "x", status: nil, stderr: "", kind: .unknown, appError: .unknown(message: "x did not end by itself")),
    ]

    @Test("tool failures are classified", arguments: rows) func sorts(_ row: Row) {
        let result = ToolErrorClassification(tool: row.tool, exitStatus: row.status, standardError: row.stderr)
        #expect(result?.kind == row.kind)
        #expect(result?.appError == row.appError)
    }

    @Test("a success is never a failure") func successIsNoFailureWhateverItWrote() {
        #expect(ToolErrorClassification(tool: "cat", exitStatus: 0, standardError: "Permission denied") == nil)
    }

    @Test("an error decides by its type") func anErrorDecidesByItsType() {
        #expect(ToolErrorClassification(URLError(.timedOut)).kind == .network)
        #expect(ToolErrorClassification(POSIXError(.EACCES)).kind == .permission)
        #expect(ToolErrorClassification(AppError.agentBusy).kind == .unknown)
        #expect(ToolErrorClassification(AppError.apiMissingField(field: "permission denied")).kind == .parse)
    }

    @Test("real tools") func realTools() throws {
        #expect(try classify("cat", ["/nowhere/at/all"]).kind == .unknown)
        #expect(try classify("sh", ["-c", "echo 'if' | sh"]).kind == .parse)
        #expect(try classify("curl", ["-sS", "http://127.0.0.1:1/"]).appError == .networkUnavailable)
        #expect(try classify("python3", ["-c", "import json; json.loads('{')"]).kind == .parse)
    }

    private func classify(_ tool: String, _ arguments: [String]) throws -> ToolErrorClassification {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["LC_ALL=C", tool] + arguments
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        return try #require(
            ToolErrorClassification(tool: tool, exitStatus: Int(process.terminationStatus), standardError: text))
    }
}

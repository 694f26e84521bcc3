import ErrorCore
import Foundation
import Testing

/// Every status from 400 to 599 as a person sees it.
@Suite struct HTTPAlertTests {
    static func shown(_ status: Int, body: String = "") -> AppError? {
        AppError(response: RawResponse(status: status, body: Data(body.utf8), url: "https://h/x"))
    }

    @Test("a response reads like a server's answer", arguments: Array(400..<600)) func readsAsAnAnswerOfAServer(_ status: Int)
        throws
    {
        let error = try #require(Self.shown(status))
        // The alert offers no change of local permissions, and does not blame the server for a client's error.
        #expect(!error.recoveryOptions.contains(.retryWithPermission) && !error.recoveryOptions.contains(.skipTool))
        #expect(error.kind != .permissionDenied && error.kind != .filePermissionDenied)
        if status < 500 { #expect(error.recoverySuggestion?.contains("server’s side") == false) }
        #expect(error.userMessage.hasSuffix("."))
        let isTransient = [408, 429].contains(status) || status >= 500 && ![501, 505, 506, 507, 508, 510, 511].contains(status)
        #expect(error.isRetryable == isTransient, "\(status)")
    }

    static let rows: [(Int, title: String, part: String)] = [
        (401, "Not Signed In", "sign-in"), (402, "Payment Required", "payment"), (403, "Access Denied", "does not allow you"),
        (404, "Not Found", "https://h/x"), (406, "Request Refused", "form"), (410, "No Longer There", "no longer"),
        (405, "Request Refused", "not allowed there"),
        (407, "Proxy Sign-In Required", "proxy"),
        (409, "Request Refused", "conflicts with a change"), (413, "Request Refused", "too large"),
        (422, "Request Refused", "not valid"), (429, "Too Many Requests", "rate"), (451, "Legally Unavailable", "legal"),
        (500, "Server Error", "status 500"), (501, "Not Supported", "does not support"),
        (502, "Server Not Reachable", "upstream"),
        (503, "Server Busy", "overloaded"), (507, "Server Full", "space"), (511, "Network Sign-In Required", "network asks"),
    ]

    @Test("texts of HTTP statuses", arguments: rows) func says(_ status: Int, _ title: String, _ part: String) throws {
        let error = try #require(Self.shown(status))
        #expect(error.title == title && error.userMessage.contains(part), "\(error.title): \(error.userMessage)")
    }

    @Test("the server's own message is used") func theServersOwnWordsCount() {
        #expect(Self.shown(403, body: #"{"message":"only for members"}"#)?.userMessage.contains("only for members") == true)
        for status in [402, 403, 405, 406, 407, 409, 410, 418, 451] {
            #expect(Self.shown(status, body: #"{"message":"taken"}"#) == .serverError(status: status, message: "taken"))
            #expect(Self.shown(status)?.metadata["http_status"] == "\(status)")
        }
        #expect(Self.shown(403)?.metadata["http_status"] == "403" && Self.shown(403)?.category == .permission)
        #expect(ToolErrorClassification(AppError.serverError(status: 403, message: nil)).kind == .permission)
    }
}

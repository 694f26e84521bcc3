import ErrorCore
import Foundation
import Testing

@Suite struct HTTPMappingTests {
    static let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    static let statusRows: [(Int, AppError?)] = [
        (200, nil), (204, nil), (400, .apiBadRequest(message: "no")), (401, .apiUnauthorized),
        (407, .serverError(status: 407, message: "no")),
        (403, .serverError(status: 403, message: "no")), (404, .apiNotFound(endpoint: "https://h/x")),
        (410, .serverError(status: 410, message: "no")), (408, .timeout(seconds: 0)), (422, .apiBadRequest(message: "no")),
        (429, .apiRateLimited(retryAfter: 30)), (500, .serverError(status: 500, message: "no")),
        (503, .serverError(status: 503, message: "no")), (301, .serverError(status: 301, message: "no")),
        (999, .serverError(status: 999, message: "no")),
    ]

    @Test("statuses", arguments: statusRows) func statuses(_ status: Int, _ expected: AppError?) {
        let response = RawResponse(
            status: status, headers: ["retry-AFTER": "30"], body: Data(#"{"error":{"message":"no"}}"#.utf8),
            url: "https://u:hunter2@h/x?token=hunter2")
        #expect(AppError(response: response) == expected)
    }

    static let waits: [(String, Int?)] = [
        ("120", 120), (" 0 ", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
        ("Sun Nov  6 08:49:38 1994", 1), ("Sun, 06 Nov 1994 08:49:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:60 GMT", 23),
        ("Wed, 01 Mar 1995 08:49:37 GMT", 9_936_000),
        ("-5", nil), ("soon", nil), ("", nil), ("Sun, 99 Nov 1994 08:49:37 GMT", nil), ("1.5", nil),
        ("Sun, 06 Xxx 1994 08:49:37 GMT", nil), ("99999999999999999999999", 315_360_000),
    ]

    @Test("retry after", arguments: waits) func retryAfter(_ value: String, _ seconds: Int?) {
        let response = RawResponse(status: 429, headers: ["Retry-After": value])
        #expect(response.retryAfterSeconds(now: Self.now) == seconds)
        #expect(AppError(response: response, now: Self.now) == .apiRateLimited(retryAfter: seconds))
    }

    @Test("dates agree with Foundation") func datesAgreeWithFoundation() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for day in stride(from: 0, to: 30_000, by: 97) {
            let date = Date(timeIntervalSince1970: Double(day * 86_400 + day))
            let response = RawResponse(status: 503, headers: ["Retry-After": formatter.string(from: date)])
            #expect(response.retryAfterSeconds(now: date.addingTimeInterval(-42.5)) == 43)
        }
    }

    static let bodies: [(String, String?)] = [
        (#"{"message":"a"}"#, "a"), (#"{"error":"b"}"#, "b"), (#"{"error":{"code":3,"message":"c"}}"#, "c"),
        (#"{"errors":[{"detail":"d"}]}"#, "d"), (#"{"title":"e","status":400}"#, "e"), (#"{"errors":["f","g"]}"#, "f"),
        (#"{"x":1}"#, nil), ("<html>no</html>", nil), ("plain words", "plain words"), ("", nil), (#"{"message":""}"#, nil),
        (#"{"error":{"error":{"error":{"error":{"error":"too deep"}}}}}"#, nil),
    ]

    @Test("server message", arguments: bodies) func serverMessage(_ body: String, _ message: String?) {
        #expect(RawResponse(status: 400, body: Data(body.utf8)).serverMessage == message)
    }
}

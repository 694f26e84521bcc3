import ErrorCore
import Foundation
import Testing

/// A service that says "error" under a status of 200, and the app's own error type for it.
enum MusicError: PipelineFailureRepresentable, Equatable {
    case signInAgain
    case reported(String)
    case unreadable(type: String, bytes: Int)
    case other(AppError)

    init(failure: PipelineFailure) {
        switch failure.rootCause {
        case .clientError(.unauthorized): self = .signInAgain
        case .decoding(let failure): self = .unreadable(type: failure.type, bytes: failure.data.count)
        default: self = .other(failure.appError)
        }
    }

    static func reported(in response: RawResponse) -> MusicError? {
        struct Report: Decodable { var error: String }
        return (try? JSONDecoder().decode(Report.self, from: response.body)).map { .reported($0.error) }
    }
}

struct Song: Decodable, Equatable, Sendable { var name: String; var seconds: Int }

@Suite struct PipelineTests {
    static let rows: [(status: Int, body: String, error: MusicError)] = [
        (401, "", .signInAgain),
        (200, #"{"error":"no such song"}"#, .reported("no such song")),
        (500, #"{"error":"we broke"}"#, .reported("we broke")),
        (200, "{}", .unreadable(type: "Song", bytes: 2)),
        (200, "", .other(.apiDecodingError(type: "the expected content", detail: "the answer is empty"))),
        (404, "", .other(.apiNotFound(endpoint: "/x"))),
        (304, "", .other(.serverError(status: 304, message: nil))),
    ]

    @Test("from a response to the app's own error", arguments: rows) func fromResponseToTheAppsOwnError(
        _ status: Int, _ body: String, _ error: MusicError
    ) {
        let response = RawResponse(status: status, body: Data(body.utf8), url: "/x")
        #expect(throws: error) { try ResponsePipeline<MusicError>().value(Song.self, from: response) }
    }

    @Test("a value is passed through") func aValueComesThrough() throws {
        let response = RawResponse(status: 200, body: Data(#"{"name":"a","seconds":3}"#.utf8))
        #expect(try ResponsePipeline<MusicError>().value(Song.self, from: response) == Song(name: "a", seconds: 3))
    }

    @Test("every root cause has its case") func everyRootCauseHasItsCase() {
        let decoding = PipelineFailure.DecodingFailure(type: Song.self, data: Data(), underlying: CancellationError())
        let rows: [(PipelineFailure.RootCause, AppError.Kind)] = [
            (.redirection(302), .serverError), (.clientError(.badRequest), .apiBadRequest),
            (.clientError(.unauthorized), .apiUnauthorized),
            (.serverError(.badGateway), .serverError),
            (.noData, .apiDecodingError), (.noConnection, .networkUnavailable), (.timeout, .timeout), (.cancelled, .cancelled),
            (.decoding(decoding), .apiDecodingError), (.other(URLError(.cannotFindHost)), .dnsError),
        ]
        for (cause, kind) in rows { #expect(PipelineFailure(cause).appError.kind == kind, "\(cause)") }
    }

    @Test("the server's wait counts for every status") func theServersWaitCountsForEveryStatus() {
        let response = RawResponse(status: 503, headers: ["Retry-After": "7"])
        #expect(PipelineFailure(response: response)?.retry == .backoff(minimumWait: .seconds(7)))
        #expect(PipelineFailure(response: RawResponse(status: 501, headers: ["Retry-After": "7"]))?.retry == .never)
        #expect(PipelineFailure(response: RawResponse(status: 200)) == nil)
    }

    @Test("metadata has no secrets") func metadataHasNoSecrets() {
        let failure = PipelineFailure(response: RawResponse(status: 404, url: "https://me:hunter2@h/a?key=hunter2"))
        #expect(failure?.metadata["http_status"] == "404" && failure?.metadata["url"] == "https://h/a")
    }

    @Test("missing fields and raw data") func missingFieldsAndRawData() {
        let response = RawResponse(status: 200, body: Data(#"{"name":"a"}"#.utf8))
        do throws(PipelineFailure) {
            _ = try ResponsePipeline(failingWith: PipelineFailure.self).value(Song.self, from: response)
            Issue.record("it decoded")
        } catch {
            #expect(error.appError == .apiMissingField(field: "seconds"))
            guard case .decoding(let failure) = error.rootCause else {
                Issue.record("\(error)")
                return
            }
            #expect(
                failure.data == response.body && failure.type == "Song" && failure.metatype == Song.self
                    && error.underlyingError is DecodingError)
        }
    }
}

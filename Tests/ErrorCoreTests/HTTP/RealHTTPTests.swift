import ErrorCore
import Foundation
import Testing

/// A real URLSession against a real server on the loopback interface.
@Suite struct RealHTTPTests {
    private func outcome(of answer: String, timeout: TimeInterval = 10) async throws -> AppError {
        try await LoopbackHTTP.serving(answer) { server in
            do throws(PipelineFailure) {
                let song = try await ResponsePipeline<PipelineFailure>().value(Song.self) {
                    let parts = try await server.fetch(path: "/songs/1", timeout: timeout)
                    return RawResponse(status: parts.status, headers: parts.headers, body: parts.body, url: "/songs/1")
                }
                Issue.record("\(song)")
                return .internalError(detail: "no error")
            } catch {
                return error.appError
            }
        }
    }

    @Test("statuses") func statuses() async throws {
        #expect(try await outcome(of: httpText(404)) == .apiNotFound(endpoint: "/songs/1"))
        #expect(try await outcome(of: httpText(401)) == .apiUnauthorized)
        #expect(try await outcome(of: httpText(429, headers: ["Retry-After: 12"])) == .apiRateLimited(retryAfter: 12))
        #expect(
            try await outcome(of: httpText(503, body: #"{"message":"tea break"}"#))
                == .serverError(status: 503, message: "tea break"))
        #expect(try await outcome(of: httpText(200, body: #"{"name":"x"}"#)) == .apiMissingField(field: "seconds"))
    }

    @Test("an answer that is not HTTP") func notHTTPAtAll() async throws {
        let error = try await outcome(of: "SSH-2.0-OpenSSH_9.2\r\n")
        #expect(error.kind == .apiDecodingError, "\(error)")
    }

    @Test("a server that does not answer") func silence() async throws {
        #expect(try await outcome(of: "", timeout: 1).kind == .timeout)
    }

    @Test("a refused port") func aRefusedPort() async throws {
        // The server listens on another address. Another test may have taken a port that this test has closed.
        let port = try await LoopbackHTTP.serving(httpText(200)) { $0.port }
        await #expect(throws: AppError.networkUnavailable) {
            _ = try await ResponsePipeline<AppError>().response {
                _ = try await LoopbackHTTP.fetch("http://127.0.0.95:\(port)/")
                return RawResponse(status: 200)
            }
        }
    }

    @Test("a name that does not exist") func aNameThatDoesNotExist() async throws {
        do {
            _ = try await LoopbackHTTP.fetch("http://name.invalid/")
            Issue.record("a name under .invalid was resolved (RFC 6761 section 6.4)")
        } catch {
            #expect(AppError(error) == .dnsError(host: "name.invalid"))
        }
    }

    @Test("a task that was cancelled") func aTaskThatWasCancelled() async throws {
        let kind = try await LoopbackHTTP.serving("") { server in
            let task = Task { try await server.fetch() }
            task.cancel()
            do {
                _ = try await task.value
                return AppError.Kind.internalError
            } catch {
                return AppError(error).kind
            }
        }
        #expect(kind == .cancelled)
    }
}

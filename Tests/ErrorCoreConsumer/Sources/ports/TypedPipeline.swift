import ErrorCore
import Foundation
import Synchronization

// Design 3: from the raw response to the root cause to the app's own error, with a strategy that recovers silently.

private enum MusicError: PipelineFailureRepresentable, Equatable {
    case signInAgain, offline, tooSlow, empty, notHere, stopped
    case reported(String)
    case unreadable(String, bytes: Int)
    case other(Int)

    init(failure: PipelineFailure) {
        switch failure.rootCause {
        case .clientError(.unauthorized): self = .signInAgain
        case .clientError(451): self = .notHere
        case .noConnection: self = .offline
        case .timeout: self = .tooSlow
        case .noData: self = .empty
        case .cancelled: self = .stopped
        case .decoding(let decoding):
            self = decoding.metatype == Song.self ? .unreadable(decoding.type, bytes: decoding.data.count) : .other(-1)
        case .clientError(let status), .serverError(let status), .redirection(let status): self = .other(status.rawValue)
        case .other: self = .other(0)
        }
    }

    static func reported(in response: RawResponse) -> MusicError? {
        response.body.starts(with: Data(#"{"error""#.utf8)) ? .reported(response.serverMessage ?? "") : nil
    }
}

private struct Song: Decodable, Equatable { var name: String }

func portTypedPipeline() async -> Checks {
    var checks = Checks("typed pipeline")
    let pipeline = ResponsePipeline(failingWith: MusicError.self)
    let rows: [(Int, String, MusicError)] = [
        (401, "", .signInAgain), (451, "", .notHere), (200, "", .empty), (200, "{}", .unreadable("Song", bytes: 2)),
        (200, #"{"error":"gone"}"#, .reported("gone")), (500, "", .other(500)), (302, "", .other(302)), (404, "", .other(404)),
    ]
    for (status, body, expected) in rows {
        let response = RawResponse(status: status, headers: ["X-Id": "7"], body: Data(body.utf8), url: "https://h/song")
        do throws(MusicError) {
            _ = try pipeline.value(Song.self, from: response)
            checks.check(false, "\(status) decoded")
        } catch {
            checks.equal(error, expected, "status \(status)")
        }
        checks.equal(response[header: "x-id"], "7", "a header")
    }
    let transport: [(any Error, MusicError)] = [
        (URLError(.notConnectedToInternet), .offline), (URLError(.timedOut), .tooSlow), (CancellationError(), .stopped),
        (URLError(.cannotFindHost), .other(0)), (MusicError.notHere, .notHere),
    ]
    for (thrown, expected) in transport {
        do throws(MusicError) {
            _ = try await pipeline.value(Song.self) { throw thrown }
        } catch {
            checks.equal(error, expected, "\(thrown)")
        }
    }
    let good = RawResponse(status: 200, body: Data(#"{"name":"a"}"#.utf8))
    checks.check((try? pipeline.value(Song.self, from: good)) == Song(name: "a"), "a value")
    for status in 400..<600 {
        let failure = PipelineFailure(response: RawResponse(status: status))
        checks.check(failure?.appError == AppError(response: RawResponse(status: status)), "\(status) is one error either way")
        checks.check(failure.map { !ErrorProfile($0).options.contains(.skipTool) } == true, "\(status)’s buttons")
    }
    let posted = PipelineFailure(.timeout, method: .post)
    checks.check(posted.mayHaveTakenEffect && !posted.isRetryable, "a POST that timed out")
    checks.check(PipelineFailure(.timeout, method: .get).isRetryable, "a GET that timed out")
    await recovering(&checks, pipeline, good)
    return checks
}

private func recovering(_ checks: inout Checks, _ pipeline: ResponsePipeline<MusicError>, _ good: RawResponse) async {
    let refresh = RecoverOnce<String>(where: { $0 as? MusicError == .signInAgain }) { _ in "new" }
    var sent: [String] = []
    let song = try? await withRecovery(of: "old", by: refresh.otherwise(RecoverByWaiting(.default))) { token in
        sent.append(token)
        return try await pipeline.value(Song.self) { token == "old" ? RawResponse(status: 401) : good }
    }
    checks.check(song == Song(name: "a") && sent == ["old", "new"], "a sign-in renewed once: \(sent)")
    sent = []
    do throws(MusicError) {
        _ = try await withRecovery(of: "old", by: refresh) { (token: String) async throws(MusicError) -> Song in
            sent.append(token)
            return try await pipeline.value(Song.self) { RawResponse(status: 401) }
        }
    } catch {
        checks.check(error == .signInAgain && sent == ["old", "new"], "and not for ever: \(sent)")
    }
}

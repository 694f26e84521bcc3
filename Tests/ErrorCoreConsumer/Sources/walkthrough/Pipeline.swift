import ErrorCore
import Foundation

/// Design 3: from the raw response to the root cause to the app's own error, and recovery that the caller does not see.
enum WeatherError: PipelineFailureRepresentable {
    case signInAgain
    case service(String)
    case other(PipelineFailure)

    init(failure: PipelineFailure) {
        switch failure.rootCause {
        case .clientError(.unauthorized): self = .signInAgain
        default: self = .other(failure)
        }
    }

    static func reported(in response: RawResponse) -> WeatherError? {
        response.body.starts(with: Data(#"{"error""#.utf8)) ? .service(response.serverMessage ?? "") : nil
    }
}

struct Forecast: Decodable { var degrees: Int }

func pipeline() async throws {
    let pipeline = ResponsePipeline(failingWith: WeatherError.self)
    let refresh = RecoverOnce<String>(where: { if case WeatherError.signInAgain = $0 { true } else { false } }) { _ in "new token"
    }
    let forecast = try await withRecovery(of: "old token", by: refresh) { token in
        try await pipeline.value(Forecast.self) {
            token == "old token" ? RawResponse(status: 401) : RawResponse(status: 200, body: Data(#"{"degrees":21}"#.utf8))
        }
    }
    expect(forecast.degrees == 21, "the forecast after a new sign-in")
    do {
        try pipeline.check(RawResponse(status: 200, body: Data(#"{"error":"no such town"}"#.utf8)))
        expect(false, "an error under 200")
    } catch {
        guard case .service("no such town") = error else { return expect(false, "the server's own words") }
    }
}

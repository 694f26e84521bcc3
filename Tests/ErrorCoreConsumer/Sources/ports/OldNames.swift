import ErrorCore
import Foundation

// A port of version 0's time: until 1.0 it compiles, with warnings. These warnings are off here, because the users of the names
// are deprecated too.

@available(*, deprecated)
private enum OldMusicError: ResponseError, Equatable {
    case signInAgain, other

    init(_ failure: PipelineFailure) {
        if case .clientError(.unauthorized) = failure.rootCause { self = .signInAgain } else { self = .other }
    }
}

/// A type that had the new initialiser under the old name.
@available(*, deprecated)
private enum HalfOldError: ResponseError, Equatable {
    case any

    init(failure: PipelineFailure) { self = .any }
}

private protocol Port {
    static func run() async -> Checks
}

private struct OldPort: Port {
    @available(*, deprecated)
    static func run() async -> Checks {
        var checks = Checks("version 0")
        do throws(OldMusicError) {
            try ResponsePipeline(failingWith: OldMusicError.self).check(RawResponse(status: 401))
            checks.check(false, "401 is a success")
        } catch {
            checks.equal(error, .signInAgain, "a ResponseError with its old initialiser")
        }
        checks.equal(HalfOldError(PipelineFailure(.noData)), .any, "and with the new one")
        checks.check(PipelineFailure(RawResponse(status: 204)) == nil, "init(_:) of PipelineFailure")
        checks.equal(AppError(RawResponse(status: 404, url: "/x")), .apiNotFound(endpoint: "/x"), "init(_:) of AppError")
        let decoding = PipelineFailure.DecodingFailure(type: "Song", data: Data(), underlying: CancellationError())
        checks.equal(decoding.type, "Song", "a type by its name")
        let report = ErrorReport(AppError.agentBusy, context: ErrorContext())
        checks.check(report.record.source.contains("OldNames.swift"), "record.source is a string: \(report.record.source)")
        checks.check(report.record.source?.contains("OldNames.swift") == true, "and an optional one")
        return checks
    }
}

func portOldNames() async -> Checks {
    let port: any Port.Type = OldPort.self
    return await port.run()
}

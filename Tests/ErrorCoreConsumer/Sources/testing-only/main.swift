import ErrorCore
import ErrorCoreTesting
import Foundation

// The product ErrorCoreTesting alone brings the mapping of Foundation's errors.
let recording = RecordingHandler()
await recording.handler.handle(URLError(.timedOut))
guard await recording.codes == ["network.timeout"], AppError.samples.count == AppError.Kind.allCases.count else {
    print("ErrorCoreTesting alone: \(await recording.codes)")
    exit(1)
}
print("ErrorCoreTesting alone reads URLError")

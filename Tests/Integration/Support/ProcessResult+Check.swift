import BridgeSSH
import ErrorCore
import Foundation
import SSHTestSupport
import Testing

/// Compares the executable's output with the expectation.
extension ProcessResult {
    /// One object on one line that the schema allows, and the exit status that it names.
    func checkJSON(_ expected: Expected, _ location: SourceLocation = #_sourceLocation) throws {
        let seen = Comment(rawValue: "\(termination) \(output) \(errorOutput)")
        #expect(termination == .exited(expected.status), seen, sourceLocation: location)
        #expect(output.hasSuffix("}\n") && output.count { $0 == "\n" } == 1, seen, sourceLocation: location)
        let object = try JSON(parsing: Data(standardOutput))
        #expect(try JSONSchema.ofReport().faults(object) == [], seen, sourceLocation: location)
        #expect(object["outcome"] == .string(expected.code == nil ? "succeeded" : "failed"), seen, sourceLocation: location)
        #expect(object["exitStatus"] == (expected.remoteStatus.map { .integer($0) } ?? .null), seen, sourceLocation: location)
        if let wanted = expected.output { #expect(object["stdout"] == .string(wanted), seen, sourceLocation: location) }
        guard let code = expected.code else {
            #expect(object["error"] == .null, seen, sourceLocation: location)
            return
        }
        let definition = FailureCatalogue.definition(of: code)
        let error = object["error"]
        #expect(error?["code"] == .string(code.rawValue), seen, sourceLocation: location)
        guard error?["code"] == .string(code.rawValue) else { return }
        #expect(error?["case"] == .string(definition.appCase.caseName), seen, sourceLocation: location)
        #expect(error?["stage"] == .string(code.stage.rawValue), seen, sourceLocation: location)
        #expect(error?["retry"] == .string(expected.retry ?? definition.retry.name), seen, sourceLocation: location)
        #expect(error?["commandMayHaveRun"] == .string(expected.commandMayHaveRun.rawValue), seen, sourceLocation: location)
        // Remedies for this evidence are tested like those of the catalogue.
        let hint = error?["hint"]?.text ?? ""
        let namesCommand = hint.contains("`") || " \(hint)".contains(" --")
        #expect(!namesCommand || RemedyTable.isFollowed(code), "\(code): \(hint)", sourceLocation: location)
    }

    /// No text of bridge-ssh on standard output; one banner on standard error, unless the command reported the failure itself.
    func checkBanner(_ expected: Expected, _ location: SourceLocation = #_sourceLocation) {
        let seen = Comment(rawValue: "\(termination) \(output) \(errorOutput)")
        #expect(termination == .exited(expected.status), seen, sourceLocation: location)
        if let wanted = expected.output {
            #expect(output == wanted, seen, sourceLocation: location)
        } else if expected.commandMayHaveRun == .no {
            #expect(output.isEmpty, seen, sourceLocation: location)
        }
        guard let code = expected.code else { return }
        let title = code.title
        let isRemote = expected.remoteStatus.map { Int(expected.status) == $0 } ?? true
        // A command that timed out ends by a signal with libssh2 1.11, but the deadline must still be named as the cause.
        let speaksForItself = expected.commandMayHaveRun == .yes && isRemote && !code.rawValue.hasSuffix("timed-out")
        #expect(errorOutput.contains(title) != speaksForItself, seen, sourceLocation: location)
    }
}

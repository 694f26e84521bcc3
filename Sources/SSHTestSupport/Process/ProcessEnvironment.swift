import Foundation
import Subprocess

/// The environment of a process.
public enum ProcessEnvironment: Sendable {
    /// Ours, with these set, or removed where the value is nil.
    case inherited([String: String?])
    /// These and nothing else but LD_LIBRARY_PATH, if it is set.
    case exactly([String: String])

    /// Ours, unchanged.
    public static let inherited = ProcessEnvironment.inherited([:])

    var subprocess: Environment {
        switch self {
        case .inherited(let changes):
            var keyed: [Environment.Key: String?] = [:]
            for (name, value) in changes { keyed[Environment.Key(stringLiteral: name)] = .some(value) }
            return .inherit.updating(keyed)
        case .exactly(let values):
            var keyed: [Environment.Key: String] = [:]
            // Which libraries programs are tried with is for the whole test run to say.
            if let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] { keyed["LD_LIBRARY_PATH"] = path }
            for (name, value) in values { keyed[Environment.Key(stringLiteral: name)] = value }
            return .custom(keyed)
        }
    }
}

/// A program that must be run to have names: an inventory that is a program, or a command of ClusterShell's groups.conf.
public struct HostProgram: Sendable, Hashable {
    /// The program's path and its arguments.
    public var arguments: [String]
    /// The directory to run it in; nil for this one.
    public var directory: String?

    /// A program.
    public init(_ arguments: [String], in directory: String? = nil) {
        self.arguments = arguments
        self.directory = directory
    }
}

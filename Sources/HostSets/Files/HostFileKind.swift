/// What stands at a path.
public enum HostFileKind: Sendable, Equatable {
    /// Nothing.
    case missing
    /// A file, or a pipe.
    case file(isExecutable: Bool)
    /// A directory.
    case directory
}

/// What stands at a path.
public enum HostFileKind: Sendable, Equatable {
    /// Nothing.
    case missing
    /// A file.
    case file(isExecutable: Bool)
    /// A pipe, a device or a socket, whose content may never end.
    case special
    /// A directory.
    case directory
}

/// The type of a file.
public enum SFTPFileKind: Sendable, Hashable {
    /// S_IFREG.
    case regular
    /// S_IFDIR.
    case directory
    /// S_IFLNK.
    case symbolicLink
    /// A device, a socket, a pipe, or a type that the server does not report.
    case other

    init(mode: UInt32) {
        switch mode & 0o170000 {
        case 0o100000: self = .regular
        case 0o040000: self = .directory
        case 0o120000: self = .symbolicLink
        default: self = .other
        }
    }
}

/// The requests of filexfer-02 section 6 and of OpenSSH's extensions (its PROTOCOL file, section 4).
extension SFTPRequest {
    /// SSH_FXF flags (section 6.3).
    package struct OpenFlags: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let read = Self(rawValue: 1)
        package static let write = Self(rawValue: 2)
        package static let append = Self(rawValue: 4)
        package static let create = Self(rawValue: 8)
        package static let truncate = Self(rawValue: 16)
        package static let exclusive = Self(rawValue: 32)
    }

    /// - Parameter name: the name of the file for people, where it is not the path: the target of a partial copy.
    package static func open(
        _ path: String, _ flags: OpenFlags, _ attributes: SFTPAttributes = SFTPAttributes(), named name: String? = nil
    ) -> SFTPRequest {
        var request = SFTPRequest(.open, flags.contains(.write) ? "write" : "read", name ?? path) {
            $0.path(path)
            $0.uint32(flags.rawValue)
            attributes.write(to: &$0)
        }
        request.makesEntry = flags.contains(.exclusive)
        return request
    }

    package static func close(_ handle: [UInt8], path: String) -> SFTPRequest {
        var request = SFTPRequest(.close, "close", path) { $0.string(handle) }
        request.closedHandle = handle
        return request
    }

    package static func read(_ handle: [UInt8], _ range: Range<UInt64>, path: String) -> SFTPRequest {
        var request = SFTPRequest(.read, "read", path) {
            $0.string(handle)
            $0.uint64(range.lowerBound)
            $0.uint32(UInt32(range.count))
        }
        request.dataLimit = range.count
        return request
    }

    package static func write(_ handle: [UInt8], at offset: UInt64, _ data: FileBytes, path: String) -> SFTPRequest {
        var request = SFTPRequest(.write, "write", path) {
            $0.string(handle)
            $0.uint64(offset)
            $0.uint32(UInt32(data.count))
        }
        request.payload = data.buffer
        return request
    }

    package static func stat(_ path: String) -> SFTPRequest { SFTPRequest(.stat, "look at", path) { $0.path(path) } }
    package static func lstat(_ path: String) -> SFTPRequest { SFTPRequest(.lstat, "look at", path) { $0.path(path) } }

    package static func fstat(_ handle: [UInt8], path: String) -> SFTPRequest {
        SFTPRequest(.fstat, "look at", path) { $0.string(handle) }
    }

    package static func setstat(_ path: String, _ attributes: SFTPAttributes) -> SFTPRequest {
        SFTPRequest(.setstat, "set the attributes of", path) {
            $0.path(path)
            attributes.write(to: &$0)
        }
    }

    package static func fsetstat(_ handle: [UInt8], _ attributes: SFTPAttributes, path: String) -> SFTPRequest {
        SFTPRequest(.fsetstat, "set the attributes of", path) {
            $0.string(handle)
            attributes.write(to: &$0)
        }
    }

    package static func opendir(_ path: String) -> SFTPRequest { SFTPRequest(.opendir, "list", path) { $0.path(path) } }

    package static func readdir(_ handle: [UInt8], path: String) -> SFTPRequest {
        SFTPRequest(.readdir, "list", path) { $0.string(handle) }
    }

    package static func remove(_ path: String) -> SFTPRequest { SFTPRequest(.remove, "remove", path) { $0.path(path) } }

    package static func mkdir(_ path: String, _ attributes: SFTPAttributes) -> SFTPRequest {
        var request = SFTPRequest(.mkdir, "make the directory", path) {
            $0.path(path)
            attributes.write(to: &$0)
        }
        request.makesEntry = true
        return request
    }

    package static func rmdir(_ path: String) -> SFTPRequest {
        SFTPRequest(.rmdir, "remove the directory", path) { $0.path(path) }
    }

    package static func realpath(_ path: String) -> SFTPRequest { SFTPRequest(.realpath, "find", path) { $0.path(path) } }

    package static func rename(_ path: String, to target: String) -> SFTPRequest {
        SFTPRequest(.rename, "rename a file to", target, and: path) {
            $0.path(path)
            $0.path(target)
        }
    }

    package static func readlink(_ path: String) -> SFTPRequest {
        SFTPRequest(.readlink, "read the link", path) { $0.path(path) }
    }

    /// The draft names the link first; OpenSSH's server, and so every other, takes its target first.
    package static func symlink(at path: String, target: String) -> SFTPRequest {
        var request = SFTPRequest(.symlink, "make the symbolic link", path, and: target) {
            $0.path(target)
            $0.path(path)
        }
        request.makesEntry = true
        return request
    }

    // MARK: Extensions

    package static func posixRename(_ path: String, to target: String) -> SFTPRequest {
        SFTPRequest(.extended, "rename a file to", target, and: path) {
            $0.string("posix-rename@openssh.com")
            $0.path(path)
            $0.path(target)
        }
    }

    package static func fsync(_ handle: [UInt8], path: String) -> SFTPRequest {
        SFTPRequest(.extended, "write to disk", path) {
            $0.string("fsync@openssh.com")
            $0.string(handle)
        }
    }

    package static func statvfs(_ path: String) -> SFTPRequest {
        SFTPRequest(.extended, "look at the file system of", path) {
            $0.string("statvfs@openssh.com")
            $0.path(path)
        }
    }

    package static var limits: SFTPRequest {
        SFTPRequest(.extended, "ask for the limits", "") { $0.string("limits@openssh.com") }
    }
}

extension SSHWireWriter {
    /// A name or path: its bytes, whatever they are.
    fileprivate mutating func path(_ text: String) { string(PathText.bytes(of: text)) }
}

/// The file system access that sources of names need. ``LocalFiles`` is the real implementation.
public protocol HostFiles: Sendable {
    /// The kind of file at a path.
    func kind(of path: String) -> HostFileKind
    /// The bytes of a file.
    ///
    /// - Throws: ``HostSetProblem`` with the file's name.
    func read(_ path: String) throws -> [UInt8]
    /// The names in a directory, in any order.
    ///
    /// - Throws: ``HostSetProblem`` with the directory's name.
    func names(in directory: String) throws -> [String]
}

/// Runs a program and returns its standard output.
///
/// - Throws: ``HostSetProblem`` of kind `program-failed` if it does not end with status 0.
public typealias HostProgramRunner = @Sendable (HostProgram) throws -> String

/// Access to files and programs for the loaders of inventories and groups.
struct SourceAccess {
    var files: any HostFiles
    var runner: HostProgramRunner?

    /// The text of a file. Refuses pipes and devices: opening or reading one could take forever.
    func text(of path: String) throws(HostSetProblem) -> String {
        if files.kind(of: path) == .special { throw .special(path) }
        return try textIncludingPipes(at: path)
    }

    /// The text of a file, a pipe or a device.
    func textIncludingPipes(at path: String) throws(HostSetProblem) -> String {
        let bytes: [UInt8]
        do {
            bytes = try files.read(path)
        } catch let problem as HostSetProblem {
            throw problem
        } catch {
            throw HostSetProblem(.unreadable, "\(error)", location: .init(file: path))
        }
        return try Self.text(of: bytes, path)
    }

    /// Decodes bytes as text, without a leading byte order mark.
    static func text(of bytes: [UInt8], _ path: String) throws(HostSetProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            var line = 1
            var start = bytes.startIndex
            while let end = bytes[start...].firstIndex(of: 10), String(validating: bytes[start..<end], as: UTF8.self) != nil {
                line += 1
                start = end + 1
            }
            throw HostSetProblem(.malformed, "The file is not valid UTF-8.", location: .init(file: path, line: line))
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    func names(in directory: String) throws(HostSetProblem) -> [String] {
        do {
            return try files.names(in: directory).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        } catch let problem as HostSetProblem {
            throw problem
        } catch {
            throw HostSetProblem(.unreadable, "\(error)", location: .init(file: directory))
        }
    }

    func output(of program: HostProgram) throws(HostSetProblem) -> String {
        let name = program.arguments.first ?? ""
        guard let runner else {
            throw HostSetProblem(.unsupported, "A program had to be run to find names: \(HostSetProblem.shown(name)).")
        }
        do {
            return try runner(program)
        } catch let problem as HostSetProblem {
            throw problem
        } catch {
            throw HostSetProblem(.programFailed, "\(HostSetProblem.shown(name)) failed: \(error).")
        }
    }
}

extension HostSetProblem {
    static func special(_ path: String) -> HostSetProblem {
        HostSetProblem(
            .unreadable, "This is a pipe or a device, not a file.", location: .init(file: path),
            remedy: "Write its content into a file first.")
    }
}

/// Operations on paths as text.
enum Path {
    static func joined(_ directory: String, _ name: String) -> String {
        directory.isEmpty ? name : directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// For example `.yaml` for `hosts.yaml`; empty if there is no suffix.
    static func suffix(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return String(name[dot...])
    }
}

/// The kind of file at a path.
public enum HostFileKind: Sendable, Equatable {
    /// Nothing exists there.
    case missing
    /// A regular file.
    case file(isExecutable: Bool)
    /// A pipe, a device or a socket, whose content may never end.
    case special
    /// A directory.
    case directory
}

/// A program that prints names: an executable inventory, or a command of ClusterShell's groups.conf.
public struct HostProgram: Sendable, Hashable {
    /// The program's path and its arguments.
    public var arguments: [String]
    /// The directory to run it in; nil for the current directory.
    public var directory: String?

    /// A program.
    public init(_ arguments: [String], in directory: String? = nil) {
        self.arguments = arguments
        self.directory = directory
    }
}

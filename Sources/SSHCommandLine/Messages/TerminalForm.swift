import ErrorCore
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How our own texts look on a standard descriptor.
struct TerminalForm {
    var isTerminal = false
    var width = 80
    var color = false
    var glyphs = TerminalBanner.Glyphs.ascii

    /// As it is now.
    static func of(_ descriptor: Int32) -> TerminalForm {
        let isTerminal = isatty(descriptor) == 1
        var environment: [String: String] = [:]
        for name in ["NO_COLOR", "TERM"] { environment[name] = LaunchEnvironment.variable(name) }
        return TerminalForm(
            isTerminal: isTerminal, width: isTerminal ? LocalTerminal.width : 80,
            color: TerminalBanner.usesColor(environment: environment, isTerminal: isTerminal),
            glyphs: speaksUTF8 ? .unicode : .ascii)
    }

    /// As locale(7) has it: the first of these that is set counts.
    static let speaksUTF8: Bool = {
        let locale =
            LaunchEnvironment.variable("LC_ALL") ?? LaunchEnvironment.variable("LC_CTYPE") ?? LaunchEnvironment.variable("LANG")
            ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }()
}

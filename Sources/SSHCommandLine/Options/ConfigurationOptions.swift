import ArgumentParser
import BridgeSSH
import SSHRun

/// The options for ssh's configuration.
package struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: [.customShort("F", allowingJoined: true), .long],
        help: ArgumentHelp(
            "ssh's configuration file, instead of ~/.ssh/config and /etc/ssh/ssh_config; none reads no file.",
            valueName: "file|none"),
        completion: .file(),
        transform: FileName.parse)
    var config: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .customLong("option")],
        help: ArgumentHelp("A setting as in ssh's configuration; overrides its files. Repeatable.", valueName: "key=value"))
    var option: [String] = []

    package init() {}

    /// The source of the configuration; nil for the standard files.
    func source(home: String) -> SSHConfigSource? { Self.source(config, home: home) }

    static func source(_ file: String?, home: String) -> SSHConfigSource? {
        file.map { $0 == "none" ? .none : .file(HomePath.expand($0, home: home)) }
    }

    /// The settings, with the setting for `-J` first.
    func settings(jump: String?) -> [String] {
        (jump.map { ["ProxyJump=\($0)"] } ?? []) + option
    }
}

extension ConfigurationOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("-F", "--config") { $0.config = $1 },
        .list("-o", "--option", unset: { $0.option = [] }) { $0.option.append($1) },
    ]
}

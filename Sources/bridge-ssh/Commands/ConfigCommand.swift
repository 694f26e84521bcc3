import ArgumentParser
import BridgeSSH
import SSHRun

/// `bridge-ssh config`: ssh's resolved configuration for a host.
struct ConfigCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract: "Show what ssh's configuration says of a host.",
            discussion: """
                Prints every setting as ssh -G does, defaults included; algorithm lists are those that ssh itself would offer. \
                With --json the settings that have no effect here are listed too.
                """)
    }

    @OptionGroup var files: ConfigurationOptions

    @Option(
        name: [.customShort("p", allowingJoined: true), .long], help: ArgumentHelp("The server's port.", valueName: "port"),
        transform: PortNumber.parse)
    var port: PortNumber?

    @Option(
        name: [.customShort("l", allowingJoined: true), .long], help: ArgumentHelp("The user to log in as.", valueName: "user"))
    var user: String?

    @Option(
        name: [.customShort("J", allowingJoined: true), .customLong("jump")],
        help: ArgumentHelp("Go through these hosts, in this order.", valueName: "[user@]host[:port],…"))
    var jump: String?

    @Flag(help: "Write one JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("The host.", valueName: "[user@]host[:port]"))
    var destination: String

    func run() throws {
        let environment = LaunchEnvironment.current()
        var request = AccessRequest()
        (request.user, request.port) = (user, port?.value)
        request.configuration = files.source(home: environment.home)
        request.settings = files.settings(jump: jump)
        let settings = try HostConfigurations(request, in: environment).settings(for: destination)
        Console.standardOutput(json ? Self.json(settings.resolved) : Self.text(settings.resolved))
    }

    static func text(_ resolved: ResolvedConfiguration) -> String {
        resolved.settings.map { "\($0.name) \($0.value)\n" }.joined()
    }

    /// Keywords with several lines become arrays.
    static func json(_ resolved: ResolvedConfiguration) -> String {
        var names: [String] = []
        for setting in resolved.settings where !names.contains(setting.name) { names.append(setting.name) }
        let members = names.map { name in
            let values = resolved.settings.filter { $0.name == name }.map { JSONValue.string($0.value) }
            let isList = [
                "identityfile", "certificatefile", "sendenv", "setenv", "localforward", "remoteforward", "dynamicforward",
            ]
            .contains(name)
            return JSONValue.Member(name: name, value: isList ? .array(values) : values[0])
        }
        let unsupported = resolved.unsupported.map { setting in
            JSONValue.members([
                "name": .string(setting.name), "value": .string(setting.value),
                "place": resolved.place(of: setting.name.lowercased()).map { .string("\($0)") },
            ])
        }
        let object = JSONValue.members([
            "schema": .string("bridge-ssh-config/1"), "settings": .object(members), "unsupported": .array(unsupported),
        ])
        return String(decoding: object.bytes, as: UTF8.self) + "\n"
    }
}

import ArgumentParser
import BridgeSSH
import SSHRun

/// `bridge-ssh config`: ssh's resolved configuration for a host.
struct ConfigCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract: "Show ssh's configuration for a host.",
            discussion: """
                Prints every setting as ssh -G of OpenSSH 10.0 does, with its defaults and its lists of algorithms. With --origin \
                each line begins with the setting's origin and a tab. With --json the output also lists the settings that have no \
                effect here.

                EXAMPLES
                  bridge-ssh config web1
                  bridge-ssh config --origin -J gate deploy@web1
                  bridge-ssh config --json web1
                  bridge-ssh config web1 -- make deploy

                EXIT STATUS
                  0    the configuration was read
                  199  wrong usage, or a line that ssh would refuse too
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
        help: ArgumentHelp("Go through these hosts, in this order.", valueName: "[user@]host[:port],…"),
        completion: .jumpHosts)
    var jump: String?

    @Flag(help: "Show the origin of each setting: file:line, command-line or default.")
    var origin = false

    @Flag(help: "Write one JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("The host.", valueName: "[user@]host[:port]"), completion: .hosts)
    var destination: String

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The command that would be run, for Match command and Match sessiontype.", valueName: "command"))
    var command: [String] = []

    func run() throws {
        let environment = LaunchEnvironment.current()
        var request = AccessRequest()
        // As for ssh -G: a shell without a command.
        request.session = command.isEmpty ? .shell : .command(command.joined(separator: " "))
        (request.user, request.port) = (user, port?.value)
        request.configuration = files.source(home: environment.home)
        request.settings = files.settings(jump: jump)
        let settings = try HostConfigurations(request, in: environment).settings(for: destination)
        Console.standardOutput(json ? Self.json(settings.resolved, origin) : Self.text(settings.resolved, origin))
    }

    static func text(_ resolved: SSHConfigSettings, _ origin: Bool) -> String {
        resolved.settings.map { (origin ? "\(place(of: $0))\t" : "") + "\($0.name) \($0.value)\n" }.joined()
    }

    private static func place(of setting: SSHConfigSettings.Setting) -> String { setting.place?.description ?? "default" }

    /// Keywords with several lines become arrays.
    static func json(_ resolved: SSHConfigSettings, _ origin: Bool) -> String {
        let unsupported = resolved.unsupported.map { setting in
            JSONValue.members([
                "name": .string(setting.name), "value": .string(setting.value),
                "place": resolved.place(of: setting.name.lowercased()).map { .string("\($0)") },
            ])
        }
        let object = JSONValue.members([
            "schema": .string("bridge-ssh-config/1"), "settings": members(resolved, \.value),
            "origins": origin ? members(resolved, place) : nil, "unsupported": .array(unsupported),
        ])
        return String(decoding: object.bytes, as: UTF8.self) + "\n"
    }

    private static let lists: Set<String> = [
        "identityfile", "certificatefile", "sendenv", "setenv", "localforward", "remoteforward", "dynamicforward",
    ]

    private static func members(
        _ resolved: SSHConfigSettings, _ text: (SSHConfigSettings.Setting) -> String
    ) -> JSONValue {
        var names: [String] = []
        for setting in resolved.settings where !names.contains(setting.name) { names.append(setting.name) }
        return .object(
            names.map { name in
                let values = resolved.settings.filter { $0.name == name }.map { JSONValue.string(text($0)) }
                return JSONValue.Member(name: name, value: lists.contains(name) ? .array(values) : values[0])
            })
    }
}

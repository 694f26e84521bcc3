/// An inventory's connection variables for a host. Unset variables are nil or empty.
public struct HostVariables: Sendable, Hashable {
    /// `ansible_host`: the name or address to connect to.
    public var address: String?
    /// `ansible_port`.
    public var port: Int?
    /// `ansible_user`.
    public var user: String?
    /// `ansible_ssh_private_key_file`, unchanged: a `~` is not expanded.
    public var identityFile: String?
    /// `ansible_ssh_common_args`, split into words.
    public var commonArguments: [String]

    /// Variables.
    public init(
        address: String? = nil, port: Int? = nil, user: String? = nil, identityFile: String? = nil, commonArguments: [String] = []
    ) {
        self.address = address
        self.port = port
        self.user = user
        self.identityFile = identityFile
        self.commonArguments = commonArguments
    }

    /// Whether no variable is set.
    public var isEmpty: Bool { self == HostVariables() }

    init(_ variables: InventoryVariables, host: String) throws(HostSetProblem) {
        self.init()
        if variables.isEmpty { return }
        address = try Self.text(InventoryVariables.address, variables, host)?.text
        user = try Self.text(InventoryVariables.user, variables, host)?.text
        identityFile = try Self.text(InventoryVariables.identity, variables, host)?.text
        if let (name, text, location) = try Self.text(InventoryVariables.port, variables, host) {
            guard let number = PythonNumber.integer(text), (1...65535).contains(number) else {
                throw HostSetProblem(
                    .malformed, "\(name) of \(HostSetProblem.shown(host)) is not a port: \(HostSetProblem.shown(text)).",
                    location: location,
                    remedy: "Ports are 1 to 65535.")
            }
            port = number
        }
        if let (name, text, location) = try Self.text(InventoryVariables.arguments, variables, host) {
            guard let words = ShellWords.split(text) else {
                throw HostSetProblem(
                    .malformed, "A quote is not closed in \(name) of \(HostSetProblem.shown(host)).", location: location)
            }
            commonArguments = words
        }
        if let address, HostName.plain(address) == nil, let reason = HostName.reasonAgainst(address) {
            throw HostSetProblem(
                .notAHost, "ansible_host of \(HostSetProblem.shown(host)), \"\(HostSetProblem.shown(address))\", \(reason).",
                location: Self.value(InventoryVariables.address, variables)?.value.location)
        }
    }

    private static func value(_ names: [String], _ variables: InventoryVariables) -> (name: String, value: InventoryValue)? {
        for name in names.reversed() { if let value = variables.values[name] { return (name, value) } }
        return nil
    }

    private static func text(
        _ names: [String], _ variables: InventoryVariables, _ host: String
    ) throws(HostSetProblem) -> (name: String, text: String, location: HostSetProblem.Location)? {
        guard let (name, value) = value(names, variables) else { return nil }
        var subject: String { "\(name) of \(HostSetProblem.shown(host))" }
        switch value.content {
        case .nothing: return nil
        case .vaulted:
            throw HostSetProblem(
                .unsupported, "\(subject) is encrypted with ansible-vault.", location: value.location,
                remedy: "Write it in clear text, or leave it to ssh's configuration.")
        case .other(let kind):
            throw HostSetProblem(.malformed, "\(subject) is \(kind), not a text.", location: value.location)
        case .text(let text), .number(let text):
            guard text.utf8.contains(UInt8(ascii: "{")) else { return text.isEmpty ? nil : (name, text, value.location) }
            let filled = filled(text, host)
            if filled.contains("{{") || filled.contains("{%") {
                throw HostSetProblem(
                    .unsupported, "\(subject) is a template, which is not evaluated: \(HostSetProblem.shown(text)).",
                    location: value.location, remedy: "Write the value itself, or use the output of ansible-inventory --list.")
            }
            return filled.isEmpty ? nil : (name, filled, value.location)
        }
    }

    /// Fills in the one template that inventories commonly use.
    private static func filled(_ text: String, _ host: String) -> String {
        guard text.contains("{{") else { return text }
        let short = host.split(separator: ".").first.map(String.init) ?? host
        var result = ""
        var rest = Substring(text)
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            result += rest[..<open.lowerBound]
            switch rest[open.upperBound..<close.lowerBound].trimmingBlanks() {
            case "inventory_hostname": result += host
            case "inventory_hostname_short": result += short
            default: result += rest[open.lowerBound..<close.upperBound]
            }
            rest = rest[close.upperBound...]
        }
        return result + rest
    }
}

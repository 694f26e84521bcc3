import BridgeSSH
import ErrorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One host of a fleet: its name, what the person wrote with the name, and its settings in an inventory.
package struct NamedHost: Sendable, Codable {
    package var name: String
    package var user: String?
    package var port: Int?
    /// The address to connect to in place of the name.
    package var address: String?
    /// A key file that is tried before those of the configuration.
    package var identity: String?
    /// Further options of ssh.
    package var arguments: [String] = []
    /// Whether ``arguments`` are left out because they may show a secret. The inventory has them.
    package private(set) var isIncomplete: Bool?

    package init(name: String) { self.name = name }

    /// Adds the settings from the inventory that a remedy's command needs beside the name.
    func complete(_ configuration: inout SSHConnectionConfiguration) {
        if let address { configuration.reachOptions += ["-o", "HostName=\(address)"] }
        for case let (option, value?) in InventoryArguments(arguments) where option == "-o" || option == "-J" {
            configuration.reachOptions += [option, value]
        }
    }

    /// The JSON for a journal; nil if there is nothing beside the name.
    ///
    /// - Parameter keepsArguments: whether to keep the options that show no secret.
    package func json(keepsArguments: Bool) throws -> String? {
        guard user != nil || port != nil || address != nil || identity != nil || !arguments.isEmpty else { return nil }
        var kept = self
        if !arguments.isEmpty, !keepsArguments || Redactor.standard.words(arguments) != arguments {
            (kept.arguments, kept.isIncomplete) = ([], true)
        }
        return String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)
    }

    package init(json: String) throws { self = try JSONDecoder().decode(NamedHost.self, from: Data(json.utf8)) }
}

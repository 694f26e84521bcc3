import BridgeSSH
import Foundation

/// A command with a key of the keychain, or with a new one of the Secure Enclave: `apple-keys deploy@web1 [LABEL]`.
@main
enum AppleKeys {
    static func main() async throws {
        #if canImport(CryptoKit) && canImport(Security)
            let words = CommandLine.arguments.dropFirst()
            guard let host = words.first else { return print("usage: apple-keys user@host [label]") }
            let signer: any SSHSigner
            if let label = words.dropFirst().first {
                signer = try KeychainSigner(label: label)
            } else {
                signer = try SecureEnclaveSigner()
                print("The server has to have this line in authorized_keys:\n\(signer.publicKey.authorizedKeysLine)")
            }
            var configuration = SSHConnectionConfiguration.standard(home: NSHomeDirectory())
            configuration.credentials.identities = [SSHIdentity(signer: signer)]
            let user = try await SSHClient.withConnection(to: host, configuration: configuration) {
                try await $0.run("id -un", check: true).standardOutputText
            }
            print("logged in as \(user)")
        #else
            print("The Secure Enclave and the keychain are Apple's.")
        #endif
    }
}

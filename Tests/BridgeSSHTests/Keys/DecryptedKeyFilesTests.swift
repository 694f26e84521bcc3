import SSHTestSupport
import Testing

@testable import BridgeSSH
@testable import SSHKeys
@testable import SSHModel
@testable import SSHTransport

@Suite struct DecryptedKeyFilesTests {
    private let directory: KeyDirectory
    private let configuration: SSHConnectionConfiguration

    init() async throws {
        directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory, passphrase: "once")
        var configuration = SSHConnectionConfiguration()
        configuration.credentials.identities = [SSHIdentity(path: path)]
        configuration.credentials.passphrase = SSHSecret("once")
        self.configuration = configuration
        // Until then a change might not show in the times of the two files, so the content is not shared.
        for file in [path, path + ".pub"] {
            while FileStamp(path: file)?.isSettled(at: FileStamp.now()) != true { try await Task.sleep(for: .milliseconds(50)) }
        }
    }

    private func keyFile(of configuration: SSHConnectionConfiguration) async throws -> KeyFile? {
        let loader = CandidateLoader(
            credentials: configuration.credentials, interaction: nil,
            promptPause: PromptPause(deadline: PausableDeadline(seconds: 60)),
            decryptedKeyFiles: configuration.decryptedKeyFiles)
        return try await loader.load(AgentKeys()).candidates.first?.file
    }

    @Test("connections of a configuration, and of its copies, decrypt a key file once") func once() async throws {
        let copy = configuration
        weak var first: KeyFile?
        first = try await keyFile(of: configuration)
        let kept = try #require(first)
        #expect(try await keyFile(of: copy) === kept)
    }

    @Test("a decrypted key is released with the passphrase") func gone() async throws {
        var own = configuration
        own.decryptedKeyFiles = DecryptedKeyFiles()
        weak var file: KeyFile?
        file = try await keyFile(of: own)
        // `#expect` would keep references to its values.
        let isKept = file != nil
        own = own.withoutSecrets
        let remains = file != nil
        #expect(isKept && !remains)
    }
}

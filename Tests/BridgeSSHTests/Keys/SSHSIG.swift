import BridgeSSH
import Crypto

/// The signature files of `ssh-keygen -Y` (OpenSSH PROTOCOL.sshsig). With them, OpenSSH checks the library's signature blobs.
enum SSHSIG {
    static func make(
        message: [UInt8], publicKey: SSHPublicKey, sign: ([UInt8]) async throws -> [UInt8]
    ) async throws -> String {
        var signed = SSHWireWriter()
        signed.raw("SSHSIG".utf8)
        signed.string("file")
        signed.string("")
        signed.string("sha512")
        signed.string(Array(SHA512.hash(data: message)))

        var blob = SSHWireWriter()
        blob.raw("SSHSIG".utf8)
        blob.uint32(1)
        blob.string(publicKey.blob)
        blob.string("file")
        blob.string("")
        blob.string("sha512")
        blob.string(try await sign(signed.bytes))
        return "-----BEGIN SSH SIGNATURE-----\n" + Base64.encode(blob.bytes) + "\n-----END SSH SIGNATURE-----\n"
    }
}

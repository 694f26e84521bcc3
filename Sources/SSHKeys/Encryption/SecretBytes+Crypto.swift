internal import Crypto

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension SecretBytes {
    /// Takes over what a cipher returned and overwrites the original.
    convenience init(moving data: inout Data) {
        self.init(copying: data)
        data.withUnsafeMutableBytes { wipe($0) }
    }

    /// Some of the bytes as a key for a cipher.
    func symmetricKey(_ range: Range<Int>) -> SymmetricKey {
        withBytes { SymmetricKey(data: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

/// Status codes (filexfer-02 section 7).
package enum SFTPStatus {
    package static let ok: UInt32 = 0
    package static let endOfFile: UInt32 = 1
    package static let noSuchFile: UInt32 = 2
    package static let permissionDenied: UInt32 = 3
    package static let failure: UInt32 = 4
    package static let badMessage: UInt32 = 5
    package static let noConnection: UInt32 = 6
    package static let connectionLost: UInt32 = 7
    package static let unsupported: UInt32 = 8
    /// Of filexfer-05 and later.
    package static let fileAlreadyExists: UInt32 = 11
}

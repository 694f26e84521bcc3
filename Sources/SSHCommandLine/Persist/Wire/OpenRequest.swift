import BridgeSSH

/// What a helper is to connect to, and how. The password and the passphrase follow, one secret each, empty for none.
struct OpenRequest: FieldCoded {
    var named = ""
    var endpoint = SSHEndpoint.blank
    var configuration = SSHConnectionConfiguration.blank
    /// Whether a person may be asked about the destination, and about each jump host.
    var mayAsk = false
    var mayAskAbout: [Bool] = []
    var keepFor = 0.0
    var files = HelperFiles.blank

    static var blank: OpenRequest { OpenRequest() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&named)
        try coder.code(&endpoint)
        try coder.code(&configuration)
        try coder.code(&mayAsk)
        try coder.code(&mayAskAbout)
        try coder.code(&keepFor)
        try coder.code(&files)
    }
}

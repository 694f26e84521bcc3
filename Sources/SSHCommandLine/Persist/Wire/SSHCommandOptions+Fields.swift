package import BridgeSSH

extension SSHCommandOptions: FieldCoded {
    package static var blank: SSHCommandOptions { SSHCommandOptions() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var variables = environment.flatMap { [$0.name, $0.value] }
        try coder.code(&variables)
        environment = stride(from: 0, to: variables.count - 1, by: 2).map { (variables[$0], variables[$0 + 1]) }
        try coder.code(&timeout)
        try coder.code(&idleTimeout)
        try coder.code(&drain)
        try coder.code(&outputLimit)
        try coder.code(&mergesOutput)
        try coder.code(&pty)
    }
}

extension SSHPTYOptions: FieldCoded {
    package static var blank: SSHPTYOptions { SSHPTYOptions() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&terminal)
        try coder.code(&columns, in: 0...Int(Int32.max))
        try coder.code(&rows, in: 0...Int(Int32.max))
        try coder.code(bytes: &modes)
    }
}

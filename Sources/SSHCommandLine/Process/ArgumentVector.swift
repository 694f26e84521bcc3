import CProcessGuard

/// The arguments as the process got them, with the program name. Swift's `CommandLine` needs /proc for them.
enum ArgumentVector {
    /// The count is negative if the C library does not provide the arguments.
    static var raw: (count: Int, vector: UnsafePointer<UnsafeMutablePointer<CChar>?>?) {
        var count: Int32 = 0
        let vector = bridge_arguments(&count)
        return (Int(count), vector)
    }

    static var words: [UnsafeMutablePointer<CChar>] {
        let (count, vector) = raw
        guard count >= 0 else { return (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] } }
        return (0..<count).compactMap { vector?[$0] }
    }
}

/// What the program was called with.
enum FleetArguments {
    static let all = Array(CommandLine.arguments.dropFirst())
}

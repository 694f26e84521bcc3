@main
enum Main {
    static func main() {
        // Before Swift's concurrency starts, which opens descriptors and threads.
        ProcessSetup.prepare()
        Program.run(Array(CommandLine.arguments.dropFirst()))
    }
}

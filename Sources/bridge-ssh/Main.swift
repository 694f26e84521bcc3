@main
enum Main {
    static func main() async {
        leave(with: await Program.run(Array(CommandLine.arguments.dropFirst())))
    }
}

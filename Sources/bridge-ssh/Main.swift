internal import SSHCommandLine

@main
enum Main {
    static func main() {
        Program.main()
    }
}

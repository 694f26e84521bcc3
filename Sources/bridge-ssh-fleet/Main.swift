@main
enum Main {
    static func main() {
        FleetMain.main()
    }
}

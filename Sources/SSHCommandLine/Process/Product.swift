/// This program.
enum Product {
    static let version = "0.1.0"
}

import Foundation

/// The executables of this package, as `swift build` left them beside the tests.
public enum BuiltExecutable {
    /// The path of an executable product.
    ///
    /// - Throws: ``MissingTool`` if it has not been built.
    public static func path(_ name: String) throws -> String {
        let tests = URL(fileURLWithPath: CommandLine.arguments.first ?? ".").resolvingSymlinksInPath()
        return try MissingTool.locate(tests.deletingLastPathComponent().appendingPathComponent(name).path)
    }
}

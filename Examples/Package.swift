// swift-tools-version: 6.2
// Small programs that use the library, each in a folder of its own. scripts/check-examples builds them.
import PackageDescription

let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let names = [
    "run-command", "tell-errors-apart", "stream-lines", "two-way", "many-hosts", "copy-files", "through-ssh-config", "diagnose",
]

let package = Package(
    name: "bridge-ssh-examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "bridge-ssh", path: "..")],
    targets: names.map { name in
        .executableTarget(
            name: name, dependencies: [.product(name: "BridgeSSH", package: "bridge-ssh")], swiftSettings: swift)
    },
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// What is measured by scripts/bench/run: the executable, a client of the library's public API, and the limit of both, plain C.
import PackageDescription

let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "bridge-ssh-bench",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "bridge-ssh", path: "../..")],
    targets: [
        .executableTarget(
            name: "plain-c",
            dependencies: ["CUsage"],
            cSettings: [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("ssh2")]),
        .executableTarget(name: "meter", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CUsage", cSettings: [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "bench-client",
            dependencies: ["CUsage", .product(name: "BridgeSSH", package: "bridge-ssh")],
            swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6]
)

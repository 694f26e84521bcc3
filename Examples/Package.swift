// swift-tools-version: 6.2
// Small programs that use the library, each in a folder of its own. scripts/check-examples builds them.
import PackageDescription

let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Each program, and what it uses beside the library.
let programs: [(name: String, libraries: [Target.Dependency])] = [
    ("run-command", []), ("tell-errors-apart", []), ("stream-lines", []), ("two-way", []), ("many-hosts", []), ("copy-files", []),
    ("through-ssh-config", []), ("diagnose", []), ("apple-keys", []),
    (
        "pool-service",
        [
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        ]
    ),
    (
        "traced-command",
        [
            .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            .product(name: "Tracing", package: "swift-distributed-tracing"),
        ]
    ),
    ("fleet-run", [.product(name: "BridgeSSHFleet", package: "bridge-ssh")]),
    ("fleet-copy", [.product(name: "BridgeSSHFleet", package: "bridge-ssh")]),
]

// scripts/check-examples has a version of the package, as if it were published; without it, it is the one around this directory.
let bridge: Package.Dependency =
    if let version = Context.environment["BRIDGE_SSH_VERSION"] {
        .package(
            url: "file://\(Context.packageDirectory)/../.build/published/bridge-ssh", exact: Version(stringLiteral: version),
            traits: ["Fleet", "ServiceLifecycle", "Tracing"])
    } else {
        .package(name: "bridge-ssh", path: "..", traits: ["Fleet", "ServiceLifecycle", "Tracing"])
    }

let package = Package(
    name: "bridge-ssh-examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        bridge,
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    ],
    targets: programs.map { program in
        .executableTarget(
            name: program.name, dependencies: [.product(name: "BridgeSSH", package: "bridge-ssh")] + program.libraries,
            swiftSettings: swift)
    },
    swiftLanguageModes: [.v6]
)

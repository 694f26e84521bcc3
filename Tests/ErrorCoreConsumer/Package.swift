// swift-tools-version: 6.2
// Another package, which knows ErrorCore by its public API alone: see scripts/check-consumer and scripts/bench/error-core.
import PackageDescription

let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]
let errorCore: Target.Dependency = .product(name: "ErrorCore", package: "bridge-ssh")

// Without traits, so that the dependencies of SSH are not fetched. scripts/check-consumer makes a version of the package, as
// if it were published.
let bridge: Package.Dependency =
    if let version = Context.environment["BRIDGE_SSH_VERSION"] {
        .package(
            url: "file://\(Context.packageDirectory)/../../.build/published/bridge-ssh", exact: Version(stringLiteral: version),
            traits: [])
    } else {
        .package(name: "bridge-ssh", path: "../..", traits: [])
    }

let package = Package(
    name: "error-core-consumer",
    platforms: [.macOS(.v15)],
    dependencies: [bridge],
    targets: [
        .executableTarget(name: "walkthrough", dependencies: [errorCore], swiftSettings: swift),
        // Ports of the five designs, as their users wrote them.
        .executableTarget(name: "ports", dependencies: [errorCore], swiftSettings: swift),
        // An app that depends only on one of the other products.
        .executableTarget(
            name: "interface-only", dependencies: [.product(name: "ErrorCoreUI", package: "bridge-ssh")], swiftSettings: swift),
        .executableTarget(
            name: "testing-only", dependencies: [.product(name: "ErrorCoreTesting", package: "bridge-ssh")], swiftSettings: swift),
        // An app whose code is isolated to the main actor by default.
        .executableTarget(
            name: "main-actor-app", dependencies: [errorCore],
            swiftSettings: swift + [
                .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ]),
        .target(name: "CAllocations", cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(name: "benchmark", dependencies: [errorCore, "CAllocations"], swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6]
)

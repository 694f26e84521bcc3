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

let package = Package(
    name: "error-core-consumer",
    platforms: [.macOS(.v15)],
    // Without traits: what SSH needs is not fetched.
    dependencies: [.package(name: "bridge-ssh", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "walkthrough", dependencies: [errorCore], swiftSettings: swift),
        // Each of the five designs as its users wrote it, ported.
        .executableTarget(name: "ports", dependencies: [errorCore], swiftSettings: swift),
        // An app that names one of the other products only.
        .executableTarget(
            name: "interface-only", dependencies: [.product(name: "ErrorCoreUI", package: "bridge-ssh")], swiftSettings: swift),
        .executableTarget(
            name: "testing-only", dependencies: [.product(name: "ErrorCoreTesting", package: "bridge-ssh")], swiftSettings: swift),
        // An app all of whose code is of the main actor, unless it says otherwise.
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

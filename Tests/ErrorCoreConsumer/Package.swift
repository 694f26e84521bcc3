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
    dependencies: [.package(name: "bridge-ssh", path: "../..")],
    targets: [
        .executableTarget(name: "walkthrough", dependencies: [errorCore], swiftSettings: swift),
        .target(name: "CAllocations", cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(name: "benchmark", dependencies: [errorCore, "CAllocations"], swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

// The compiler divides a module's files into batches of 25, and each batch expands the macros of all files again. With only as
// many batches as processors, a module of tests compiles in half the time.
let tests = swift + [.unsafeFlags(["-driver-batch-size-limit", "1000"])]

// glibc checks the sizes of buffers that it knows (feature_test_macros(7)), but only with optimisation. scripts/release
// adds the flags that SwiftPM does not accept in a library's manifest.
let fortified: [CSetting] = [
    .treatAllWarnings(as: .error),
    .define("_FORTIFY_SOURCE", to: "3", .when(platforms: [.linux], configuration: .release)),
]

let package = Package(
    name: "bridge-ssh",
    // The lowest that have Synchronization's Mutex. Linux needs no entry.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "BridgeSSH", targets: ["BridgeSSH"]),
        .library(name: "BridgeSSHFleet", targets: ["BridgeSSHFleet"]),
        .library(name: "BridgeSSHTesting", targets: ["BridgeSSHTesting"]),
        // Lets ErrorCore, and BridgeSSH with it, read NSError and URLError; brings the whole of Foundation.
        .library(name: "FoundationErrors", targets: ["FoundationErrors"]),
        .library(name: "ErrorCore", targets: ["ErrorCore", "FoundationErrors"]),
        .library(name: "ErrorCoreUI", targets: ["ErrorCoreUI", "FoundationErrors"]),
        .library(name: "ErrorCoreTesting", targets: ["ErrorCoreTesting", "FoundationErrors"]),
        .executable(name: "bridge-ssh", targets: ["bridge-ssh"]),
        .executable(name: "bridge-ssh-fleet", targets: ["bridge-ssh-fleet"]),
        .executable(name: "ssh-sandbox", targets: ["ssh-sandbox"]),
    ],
    // A package that depends on this one enables only the traits it needs, and fetches only their dependencies: `traits: ["SSH"]`
    // for BridgeSSH, `traits: []` for ErrorCore alone.
    traits: [
        .trait(name: "SSH", description: "BridgeSSH: libssh2 over SwiftNIO, keys with swift-crypto."),
        .trait(name: "Fleet", description: "BridgeSSHFleet: many hosts, with SQLite and YAML.", enabledTraits: ["SSH"]),
        .trait(
            name: "Testing", description: "BridgeSSHTesting: a sandboxed sshd, with swift-subprocess.", enabledTraits: ["SSH"]),
        // A trait enables at most one other. Each is an argument of the compiler; if one trait enabled two, SwiftPM would
        // order them at random, and each new order would compile every module again.
        .trait(
            name: "CommandLine", description: "The executables and the sandbox, with swift-argument-parser and swift-subprocess.",
            enabledTraits: ["Fleet"]),
        .trait(
            name: "Tracing", description: "Spans of connections and commands with swift-distributed-tracing.",
            enabledTraits: ["SSH"]),
        .trait(
            name: "ServiceLifecycle", description: "A pool is a Service of swift-service-lifecycle.", enabledTraits: ["SSH"]),
        .default(enabledTraits: ["CommandLine"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibSSH2", pkgConfig: "libssh2",
            providers: [.apt(["libssh2-1-dev"]), .brew(["libssh2"])]),
        .target(name: "CProcessGuard", cSettings: fortified),
        .target(name: "CLocalSocket", cSettings: [.define("_GNU_SOURCE")] + fortified),
        .target(name: "CPayloadTap", cSettings: fortified),
        .target(
            name: "ErrorCore",
            dependencies: [
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swift),
        // The rules of ErrorCore for NSError and URLError. The executable leaves it out: it costs 45 MB of
        // Foundation.
        .target(name: "FoundationErrors", dependencies: ["ErrorCore"], swiftSettings: swift),
        .target(name: "ErrorCoreUI", dependencies: ["ErrorCore"], swiftSettings: swift),
        .target(
            name: "ErrorCoreTesting",
            dependencies: ["ErrorCore", .product(name: "Logging", package: "swift-log")],
            swiftSettings: swift),
        // The floors of the library, from the ground up; docs/ARCHITECTURE.md draws them. Each sees only the targets that it
        // names.
        .target(name: "SSHModel", dependencies: [.product(name: "Crypto", package: "swift-crypto")], swiftSettings: swift),
        .target(name: "SSHFailure", dependencies: ["SSHModel", "ErrorCore"], swiftSettings: swift),
        .target(name: "SSHTranscripts", dependencies: ["ErrorCore", "SSHFailure"], swiftSettings: swift),
        .target(
            name: "SSHConfig", dependencies: ["ErrorCore", "SSHFailure", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: swift),
        .target(
            name: "SSHTrust", dependencies: ["SSHFailure", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: swift),
        .target(
            name: "SSHKeys",
            dependencies: [
                "SSHFailure",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: swift),
        .target(
            name: "SSHTransport",
            dependencies: [
                "CLibSSH2", "CPayloadTap", "CProcessGuard", "SSHFailure", "SSHKeys",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: swift),
        .target(
            name: "SSHFileTransfer",
            dependencies: [
                "ErrorCore", "SSHTransport",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: swift),
        .target(
            name: "BridgeSSH",
            dependencies: [
                "ErrorCore", "SSHConfig", "SSHFileTransfer", "SSHTranscripts", "SSHTransport", "SSHTrust",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ],
            swiftSettings: swift),
        .target(
            name: "BridgeSSHTesting",
            dependencies: ["BridgeSSH", .target(name: "SSHTestSupport", condition: .when(platforms: [.linux]))],
            swiftSettings: swift),
        // A run as a value: a command line performs one, a fleet ten thousand in one process.
        .target(
            name: "SSHRun",
            dependencies: ["BridgeSSH", "ErrorCore", .product(name: "Logging", package: "swift-log")],
            swiftSettings: swift),
        // Names of hosts: expressions, groups, inventories. Knows nothing of SSH.
        .target(
            name: "HostSets", dependencies: ["ErrorCore", .product(name: "Yams", package: "Yams")], swiftSettings: swift),
        .target(
            name: "BridgeSSHFleet",
            dependencies: [
                "BridgeSSH", "ErrorCore", "HostSets", "SSHRun",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: swift),
        // A fleet's run as text, for a terminal, a file or another program. The library's users get events and values instead.
        .target(
            name: "FleetOutput",
            dependencies: ["BridgeSSHFleet", "ErrorCore", "SSHRun", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: swift),
        // The parts of the command line tools: options, prompts, terminal, banners, the kept connection's helper.
        .target(
            name: "SSHCommandLine",
            dependencies: [
                "BridgeSSH", "CLocalSocket", "CProcessGuard", "ErrorCore", "SSHRun",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swift),
        .executableTarget(
            name: "bridge-ssh", dependencies: ["SSHCommandLine"], swiftSettings: swift),
        // A program of its own: SQLite and YAML bring the whole of Foundation, which a run on one host would pay for at its start.
        .executableTarget(
            name: "bridge-ssh-fleet",
            dependencies: [
                "BridgeSSH", "BridgeSSHFleet", "ErrorCore", "FleetOutput", "SSHCommandLine", "SSHRun",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swift),
        .target(
            name: "SSHTestSupport",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: swift,
            linkerSettings: [.linkedLibrary("crypt", .when(platforms: [.linux]))]),
        // Simulates a session's surroundings, for its tests and its fuzzer.
        .target(
            name: "SSHTransportTesting",
            dependencies: ["SSHTestSupport", "SSHTransport", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: swift),
        .executableTarget(
            name: "ssh-sandbox",
            dependencies: [
                "SSHTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swift),
        // Linked into the one program that all tests are: its setup, and which files it makes durable.
        .target(name: "CTestProcess", path: "Tests/TestProcess", cSettings: fortified),
        .testTarget(
            name: "SSHTestSupportTests",
            dependencies: [
                "CTestProcess", "SSHTestSupport", "ssh-sandbox",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "ErrorCoreTests",
            dependencies: [
                "ErrorCore", "ErrorCoreTesting", "ErrorCoreUI", "FoundationErrors",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "BridgeSSHTests",
            dependencies: [
                "BridgeSSH", "CPayloadTap", "CTestProcess", "ErrorCore", "ErrorCoreTesting", "SSHTestSupport",
                "SSHConfig", "SSHFailure", "SSHFileTransfer", "SSHKeys", "SSHModel", "SSHTranscripts", "SSHTransport",
                "SSHTransportTesting", "SSHTrust",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            // Not copied into the bundle: tests read the recordings from the source folder.
            exclude: ["Failure/Transcript/Wordings", "Failure/Transcript/Recorded", "Failure/Transcript/Wild"],
            swiftSettings: tests),
        .testTarget(
            name: "CorpusTests",
            dependencies: ["BridgeSSH", "ErrorCore", "SSHTestSupport"],
            exclude: ["Sandbox/hosts", "Sandbox/prepare", "Sandbox/serve"],
            swiftSettings: tests),
        .testTarget(name: "HostSetsTests", dependencies: ["HostSets", "SSHTestSupport"], swiftSettings: tests),
        .testTarget(
            name: "BridgeSSHFleetTests",
            dependencies: [
                "BridgeSSH", "BridgeSSHFleet", "CTestProcess", "ErrorCore", "FleetSamples", "HostSets", "SSHRun",
                "SSHTestSupport", "journal-crash",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "FleetOutputTests",
            dependencies: ["BridgeSSHFleet", "ErrorCore", "FleetOutput", "FleetSamples", "SSHTestSupport"],
            swiftSettings: tests),
        // A run and host keys without a network, for both of these tests.
        .target(
            name: "FleetSamples", dependencies: ["BridgeSSHFleet", "SSHRun"], path: "Tests/FleetSamples", swiftSettings: swift),
        // A run that the tests of the journal kill with SIGKILL.
        .executableTarget(
            name: "journal-crash", dependencies: ["BridgeSSHFleet"], path: "Tests/JournalCrash", swiftSettings: swift),
        // Journals of invented runs, with hostile names and outputs, for scripts/check-report.
        .executableTarget(
            name: "report-sample", dependencies: ["BridgeSSH", "BridgeSSHFleet"], path: "Tests/ReportSample", swiftSettings: swift
        ),
        .testTarget(
            name: "SSHRunTests",
            dependencies: [
                "BridgeSSH", "ErrorCore", "ErrorCoreTesting", "SSHRun", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "bridge-ssh", "BridgeSSH", "CLocalSocket", "ErrorCore", "SSHCommandLine", "SSHRun", "SSHTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        // The guide's programs again, in a target whose code is isolated to the main actor by default.
        .target(
            name: "MainActorGuide",
            dependencies: ["BridgeSSH", "BridgeSSHTesting", "ErrorCore", .product(name: "NIOCore", package: "swift-nio")],
            path: "Tests/MainActorGuide", swiftSettings: swift + [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "MainActorGuide", "BridgeSSH", "BridgeSSHFleet", "BridgeSSHTesting", "bridge-ssh", "bridge-ssh-fleet",
                "ErrorCore",
                "SSHCommandLine", "SSHModel", "SSHTestSupport", "SSHTransport", "ssh-sandbox",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Integration",
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

// Feeds the parsers with generated input. A build of its own: scripts/fuzz.
if Context.environment["BRIDGE_SSH_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "BridgeSSH", "ErrorCore", "SSHConfig", "SSHFailure", "SSHFileTransfer", "SSHKeys", "SSHModel", "SSHTestSupport",
                "SSHTranscripts", "SSHTransport", "SSHTransportTesting", "SSHTrust",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Fuzz", exclude: ["Dictionaries", "Seeds"], swiftSettings: swift + [.unsafeFlags(["-parse-as-library"])]))
}

// The traits for which a package is fetched: SSH if none is named here. The dependencies of ErrorCore are fetched with any
// traits.
let always: Set = ["swift-log", "swift-metrics"]
let wanting: [String: Set<String>] = [
    "swift-argument-parser": ["CommandLine"], "GRDB.swift": ["Fleet"], "Yams": ["Fleet"],
    "swift-subprocess": ["CommandLine", "Testing"], "swift-system": ["CommandLine", "Testing"],
]
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let owner?, _, nil) = dependency, !always.contains(owner) else { return dependency }
        return .product(name: name, package: owner, condition: .when(traits: wanting[owner] ?? ["SSH"]))
    }
}

// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same manners: Swift 6, no implicit existentials, no member that was
/// imported by accident, no warnings. The arrows between rooms are the `dependencies` below; the build
/// is run with `--explicit-target-dependency-import-check error`, so no other arrow can creep in.
let manners: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// What `openmarket --version` tells of this build; `.ci/package` names what it builds with.
let revision = Context.gitInformation.map { $0.currentCommit.prefix(12) + ($0.hasUncommittedChanges ? "+" : "") } ?? ""
let facts: [CSetting] = [
  .define("OPENMARKET_REVISION", to: "\"\(revision)\""),
  .define("OPENMARKET_SWIFT", to: "\"\(Context.environment["OPENMARKET_SWIFT"] ?? "")\""),
  .define("OPENMARKET_LIBRARIES", to: "\"\(Context.environment["OPENMARKET_LIBRARIES"] ?? "")\""),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTPCompression = Target.Dependency.product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let collections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")

/// A room: a target of the house with the rooms and libraries it may import.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: manners + settings)
}

/// Loops over pixels take a hundred times as long unoptimised: a clone that is run or tested should not wait for them.
let optimized = [SwiftSetting.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The tests of one room.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: manners)
}

let package = Package(
  name: "openmarket",
  products: [.executable(name: "openmarket", targets: ["openmarket"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.36.0"),
  ],
  targets: [
    .systemLibrary(name: "CEditLine", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    // No pkgConfig: libchafa is opened when a picture is drawn, and linked to nothing.
    .systemLibrary(name: "CChafa", providers: [.apt(["libchafa0"])]),
    // Nor here: libwebp and libheif are opened when such a picture comes.
    .systemLibrary(name: "CPhonePictures", providers: [.apt(["libwebp7", "libheif1"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CFileSystem"),
    // Its name stands before `Archive` in the alphabet: the linker takes SQLite from where it is named first.
    .target(name: "AllInOne", cSettings: facts + [.define("STANDALONE", .when(configuration: .release))]),

    room("Text"),
    room("Catalog", ["Text"]),
    room("Networking", [asyncHTTPClient, nioCore, nioPosix, nioHTTP1, nioHTTPCompression, nioSSL]),
    room("Marketplace", ["Networking", "Catalog", "Text"]),
    room("Weather", ["Networking", "Text"]),
    room("Language", ["Catalog", "Networking", "Text"]),
    room("Assistance", ["Language", "Catalog", "Text"]),
    room("Journal", ["CFileSystem", "Catalog", "Text", grdb]),
    room("Archive", ["CZlib", "Catalog", "Text", grdb, sqlite]),
    room("Pictures", ["CChafa", "CPhonePictures", "CTurboJPEG", "CPNG"], settings: optimized),
    room("Presentation", ["Catalog", "Text", "Pictures"]),
    room("LineEditing", ["CEditLine", "Text"]),
    room("Platform", ["Text"]),
    room("Scanning", ["Marketplace", "Catalog", "Language", "Networking"]),
    room(
      "Failures",
      [
        "Text", "Catalog", "Networking", "Marketplace", "Weather", "Language", "Journal", "Pictures", "Presentation",
        "Platform", "Scanning",
      ]),
    room(
      "Interchange",
      [
        "Failures", "Text", "Catalog", "Networking", "Marketplace", "Language", "Journal", "Presentation", "Platform",
      ]),
    room(
      "Engine",
      [
        "Archive", "Failures", "Interchange",
        "Text", "Catalog", "Networking", "Marketplace", "Weather", "Language", "Assistance", "Journal", "Pictures",
        "Presentation",
        "Platform", "Scanning", collections,
      ]),
    room(
      "Exploration",
      [
        "Archive", "Engine", "Failures", "Interchange", "Text", "Catalog", "Networking", "Marketplace", "Weather",
        "Language",
        "Journal", "Pictures",
        "Presentation", "Platform", "Scanning", collections,
      ]),
    room(
      "Commands",
      [
        "Archive", "Exploration", "Engine", "Failures", "Interchange", "Text", "Catalog", "Networking", "Marketplace",
        "Weather",
        "Language",
        "Journal", "Pictures",
        "Presentation", "Platform", "Scanning", collections,
      ]),
    room(
      "Shell",
      [
        "Commands", "Exploration", "Engine", "Failures", "Interchange", "LineEditing", "Text", "Catalog", "Networking",
        "Marketplace",
        "Language", "Assistance", "Journal",
        "Presentation", "Platform", "Scanning", collections,
      ]),
    room(
      "EmbeddedMarket",
      [hummingbirdCore, grdb, "Pictures", nioCore, nioPosix, nioHTTP1, httpTypes, logging]),
    .executableTarget(
      name: "openmarket",
      dependencies: [
        "Shell", "Commands", "Exploration", "Engine", "Archive", "Failures", "Interchange", "Platform",
        "EmbeddedMarket",
        "Networking",
        "Marketplace", "Catalog", "Text",
        "Language",
        "Presentation",
        "LineEditing",
        "Journal", "AllInOne", argumentParser,
      ],
      swiftSettings: manners,
      // Nothing is exported, and what nobody uses is left out.
      linkerSettings: [
        .unsafeFlags(
          ["-Xclang-linker", "-static-libgcc", "-Xlinker", "--no-export-dynamic"],
          .when(configuration: .release))
      ]),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Archive", "Catalog", argumentParser], swiftSettings: manners),

    .target(name: "Pacing", path: "Tests/Pacing", swiftSettings: manners),
    .target(name: "TerminalTesting", path: "Tests/TerminalTesting", swiftSettings: manners),
    .executableTarget(
      name: "EditorProbe", dependencies: ["LineEditing"], path: "Tests/EditorProbe", swiftSettings: manners),
    tests("Text", ["Text", "Pacing"]),
    tests("Catalog", ["Catalog", "Pacing"]),
    .target(
      name: "ServerTesting", dependencies: ["Pacing", nioCore, nioPosix], path: "Tests/ServerTesting",
      swiftSettings: manners),
    tests("Networking", ["Networking", "ServerTesting", "Pacing", nioCore, nioPosix, nioHTTP1]),
    tests("Marketplace", ["Marketplace", "Networking", "Catalog", "Text", "Pacing"], exclude: ["Captures", "Golden"]),
    tests(
      "Weather", ["Weather", "Networking", "Text", "EmbeddedMarket", "Pacing"],
      resources: [.copy("Captures"), .copy("Golden")]),
    tests("Language", ["Language", "Assistance", "Catalog", "Networking", "Text", "Pacing"], exclude: ["Tables"]),
    tests("Journal", ["Journal", "Catalog", "Text", "Pacing", grdb], exclude: ["Journals"]),
    tests("Archive", ["Archive", "Catalog", "Text", "Pacing", grdb], exclude: ["Formats"]),
    tests("Pictures", ["Pictures", "Pacing"]),
    tests("Presentation", ["Presentation", "Catalog", "Text", "Pacing", "Pictures"], exclude: ["Golden"]),
    tests("LineEditing", ["LineEditing", "Text", "Pacing", "TerminalTesting", "EditorProbe"], exclude: ["Formats"]),
    tests("EmbeddedMarket", ["EmbeddedMarket", "Pacing", "Pictures", grdb, nioCore, httpTypes], exclude: ["Captures"]),
    tests(
      "Shell",
      [
        "Shell", "Commands", "Exploration", "Engine", "Archive", "Failures", "Interchange", "Scanning", "Platform",
        "Text",
        "Catalog",
        "Networking", "Marketplace",
        "Weather",
        "Language", "Assistance", "Journal", "Pictures",
        "Presentation",
        "LineEditing", "EmbeddedMarket", "Pacing", "ServerTesting", grdb,
      ], exclude: ["Transcripts", "Captures", "Golden", "Formats"]),
    tests(
      "openmarket",
      [
        "openmarket", "Shell", "Commands", "Exploration", "Engine", "Failures", "Interchange", "Platform", "Pacing",
        "TerminalTesting", "EmbeddedMarket", "Language", "Marketplace", argumentParser,
      ],
      exclude: ["Golden", "Schemas"]),
    tests(
      "Safety",
      [
        "openmarket", "EmbeddedMarket", "Archive", "Journal", "Shell", "Commands", "Exploration", "Engine", "Failures",
        "Interchange", "Platform",
        "Pacing", "Pictures",
        "TerminalTesting", grdb,
      ], exclude: ["LostWrites"]),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target.
///
/// The build is run with `--explicit-target-dependency-import-check error`: a target imports what its `dependencies` name.
let swiftSettings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
  + warnings + debugInformation

/// Warnings are errors, unless `OPENMARKET_EXPRESSION_LIMIT` is set: then the compiler also warns of expressions that take
/// more milliseconds than that to type-check. This warning can't be excepted from the errors, as it has no diagnostic group;
/// `.ci/run` sets the variable and fails at every other warning.
var warnings: [SwiftSetting] {
  guard let limit = Context.environment["OPENMARKET_EXPRESSION_LIMIT"] else { return [.treatAllWarnings(as: .error)] }
  return [.unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=\(limit)"])]
}

/// Without debug information, if `OPENMARKET_DEBUG_INFORMATION` is `none`, as in `.ci/run`: making it takes a fifth of the
/// time of the compiler.
var debugInformation: [SwiftSetting] {
  guard Context.environment["OPENMARKET_DEBUG_INFORMATION"] == "none" else { return [] }
  return [.unsafeFlags(["-Xfrontend", "-gnone"])]
}

/// The build as `openmarket --version` reports it; `.ci/package` sets the versions of the compiler and the libraries.
let revision = Context.gitInformation.map { $0.currentCommit.prefix(12) + ($0.hasUncommittedChanges ? "+" : "") } ?? ""
let buildInformation: [CSetting] = [
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
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let collections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")

func library(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings + settings)
}

/// The test target of the library or program `name`.
func testTarget(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies, exclude: exclude, resources: resources,
    swiftSettings: swiftSettings, linkerSettings: debugLinkerSettings)
}

/// Optimization also in debug builds, for loops over pixels and over the characters and bytes of texts: without it the former
/// take a hundred times as long, and the tests a third more of the processor.
let optimized = [SwiftSetting.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The linker of debug builds: LLD, which comes with the compiler and takes less than half of the time of the default one.
let debugLinkerSettings = [LinkerSetting.unsafeFlags(["-use-ld=lld"], .when(configuration: .debug))]

/// Options of the release program that have no other spelling: libgcc is linked in, as the package depends on libc alone,
/// and no symbols are exported, which lets the linker drop what is not called.
let releaseLinkerSettings = [
  LinkerSetting.unsafeFlags(
    ["-Xclang-linker", "-static-libgcc", "-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
]

let package = Package(
  name: "openmarket",
  products: [.executable(name: "openmarket", targets: ["openmarket"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.36.0"),
  ],
  targets: [
    .systemLibrary(name: "CEditLine", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    // No pkgConfig: libchafa is opened with dlopen when a picture is drawn, and is not linked.
    .systemLibrary(name: "CChafa", providers: [.apt(["libchafa0"])]),
    // The same for libwebp and libheif, for libqrencode, and for libxlsxwriter.
    .systemLibrary(name: "CPhonePictures", providers: [.apt(["libwebp7", "libheif1"])]),
    .systemLibrary(name: "CQRCode", providers: [.apt(["libqrencode4"])]),
    .systemLibrary(name: "CXLSXWriter", providers: [.apt(["libxlsxwriter4"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CGlibc"),
    .systemLibrary(name: "CMessageDigest", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .target(name: "BuildInformation", cSettings: buildInformation),

    library("Text", ["CMessageDigest"], settings: optimized),
    library("Catalog", ["Text"], settings: optimized),
    library(
      "Networking", ["CZlib", "Text", asyncHTTPClient, nioCore, nioPosix, nioHTTP1, nioSSL], settings: optimized),
    library("ModelContextProtocol", ["Text", "Networking"]),
    library("MarketAPI", ["Text", "Catalog", "Networking"], settings: optimized),
    library("WeatherAPI", ["Text", "Networking"]),
    library("CommandLanguage", ["Text", "Catalog", "Networking"], settings: optimized),
    library("SQLiteSupport", [grdb]),
    library("WriteJournal", ["CGlibc", "Text", "Catalog", "SQLiteSupport", grdb], settings: optimized),
    library("History", ["CZlib", "Text", "Catalog", "SQLiteSupport", grdb, sqlite]),
    library("Images", ["CChafa", "CPNG", "CPhonePictures", "CTurboJPEG"], settings: optimized),
    library("Presentation", ["CXLSXWriter", "Text", "Catalog", "Networking", "WeatherAPI", "Images"]),
    library("LineEditing", ["CEditLine", "CGlibc", "Text"]),
    library("Platform", ["CGlibc", "Text"], settings: optimized),
    library(
      "ShellRuntime",
      [
        "Text", "Catalog", "Networking", "MarketAPI", "WeatherAPI", "CommandLanguage", "WriteJournal", "History",
        "Images", "Presentation", "Platform", collections,
      ]),
    library(
      "MarketOperations",
      [
        "Text", "Catalog", "Networking", "MarketAPI", "CommandLanguage", "WriteJournal", "History", "Images",
        "Presentation", "Platform", "ShellRuntime",
      ]),
    library(
      "Commands",
      [
        "CExpat", "CGlibc", "CZlib", "Text", "Catalog", "Networking", "MarketAPI", "WeatherAPI", "CommandLanguage",
        "WriteJournal", "History", "Images", "Presentation", "Platform", "ShellRuntime", "MarketOperations",
        collections,
      ]),
    library(
      "AgentTools",
      [
        "Text", "Catalog", "Networking", "ModelContextProtocol", "MarketAPI", "CommandLanguage", "WriteJournal",
        "History", "Presentation", "Platform", "ShellRuntime", "MarketOperations", "Commands",
      ]),
    library(
      "Shell",
      [
        "Text", "Catalog", "Networking", "MarketAPI", "CommandLanguage", "WriteJournal", "Presentation", "LineEditing",
        "Platform", "ShellRuntime", "MarketOperations", "Commands", collections,
      ]),
    library(
      "EmbeddedMarket",
      ["Images", "SQLiteSupport", grdb, hummingbirdCore, nioCore, nioPosix, nioHTTP1, nioSSL, logging, httpTypes],
      settings: optimized),
    .executableTarget(
      name: "openmarket",
      dependencies: [
        "BuildInformation", "Text", "Catalog", "Networking", "MarketAPI", "CommandLanguage", "WriteJournal",
        "Presentation", "LineEditing", "Platform", "ShellRuntime", "MarketOperations", "Commands", "Shell",
        "EmbeddedMarket", "ModelContextProtocol", "AgentTools", "CQRCode", argumentParser,
      ],
      swiftSettings: swiftSettings, linkerSettings: debugLinkerSettings + releaseLinkerSettings),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Text", "Platform", "Catalog", "History", argumentParser],
      swiftSettings: swiftSettings),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    .target(
      name: "TerminalTesting", dependencies: ["CGlibc", "TestSupport"], path: "Tests/TerminalTesting",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "EditorProbe", dependencies: ["LineEditing"], path: "Tests/EditorProbe", swiftSettings: swiftSettings),
    testTarget(
      "Text", ["Text", "TestSupport"]),
    testTarget(
      "Catalog", ["Text", "Catalog", "TestSupport"]),
    .target(
      name: "ServerTesting", dependencies: ["TestSupport", nioCore, nioPosix], path: "Tests/ServerTesting",
      swiftSettings: swiftSettings),
    testTarget(
      "Networking", ["Text", "Networking", "TestSupport", "ServerTesting", nioCore, nioPosix, nioSSL]),
    testTarget(
      "ModelContextProtocol", ["Networking", "ModelContextProtocol", "TestSupport"]),
    testTarget(
      "MarketAPI", ["Text", "Catalog", "Networking", "MarketAPI", "TestSupport", "ShellTesting"],
      exclude: ["Captures", "Golden"]),
    testTarget(
      "WeatherAPI", ["Text", "Networking", "WeatherAPI", "Presentation", "EmbeddedMarket", "TestSupport"],
      resources: [.copy("Captures"), .copy("Golden")]),
    testTarget(
      "CommandLanguage", ["Text", "Catalog", "Networking", "CommandLanguage", "TestSupport"], exclude: ["Tables"]),
    testTarget(
      "WriteJournal", ["Text", "Catalog", "SQLiteSupport", "WriteJournal", "TestSupport", grdb],
      exclude: ["Journals"]),
    testTarget(
      "History", ["Catalog", "History", "TestSupport", grdb], exclude: ["Formats"]),
    testTarget(
      "Images", ["Images", "TestSupport"]),
    testTarget(
      "Presentation", ["Text", "Catalog", "Presentation", "TestSupport"], exclude: ["Golden"]),
    testTarget(
      "LineEditing", ["LineEditing", "TestSupport", "TerminalTesting"], exclude: ["Formats"]),
    testTarget(
      "EmbeddedMarket",
      ["Images", "EmbeddedMarket", "TestSupport", grdb, nioCore, nioEmbedded, nioHTTP1, httpTypes]),
    .target(
      name: "ShellTesting",
      dependencies: [
        "Text", "Catalog", "Networking", "MarketAPI", "WeatherAPI", "WriteJournal", "Images", "Platform",
        "ShellRuntime", "Commands", "Shell", "EmbeddedMarket", "TestSupport", "ServerTesting", grdb,
      ],
      path: "Tests/ShellTesting", exclude: ["Captures"], swiftSettings: swiftSettings),
    testTarget(
      "Platform",
      [
        "Text", "Networking", "MarketAPI", "WeatherAPI", "Platform", "ShellRuntime", "Shell", "TestSupport",
        "ShellTesting",
      ]),
    testTarget(
      "ShellRuntime",
      [
        "Text", "Catalog", "Networking", "MarketAPI", "WeatherAPI", "CommandLanguage", "WriteJournal", "Images",
        "Presentation", "Platform", "ShellRuntime", "MarketOperations", "Commands", "Shell", "EmbeddedMarket",
        "TestSupport", "ServerTesting", "ShellTesting",
      ]),
    testTarget(
      "MarketOperations",
      [
        "Text", "Catalog", "Networking", "MarketAPI", "CommandLanguage", "WriteJournal", "History", "Images",
        "Presentation", "Platform", "ShellRuntime", "MarketOperations", "Commands", "Shell", "EmbeddedMarket",
        "TestSupport", "ShellTesting", grdb,
      ], exclude: ["Golden"]),
    testTarget(
      "Commands",
      [
        "CZlib", "Text", "Catalog", "Networking", "MarketAPI", "WeatherAPI", "CommandLanguage", "WriteJournal",
        "History", "Presentation", "LineEditing", "Platform", "ShellRuntime", "MarketOperations", "Commands", "Shell",
        "EmbeddedMarket", "TestSupport", "ServerTesting", "ShellTesting", grdb, collections,
      ], exclude: ["Formats", "Golden", "Import/Workbooks", "Recipes/Suppliers"]),
    testTarget(
      "AgentTools",
      [
        "Text", "Networking", "WriteJournal", "Platform", "ShellRuntime", "Shell", "ModelContextProtocol", "AgentTools",
        "TestSupport", "ShellTesting",
      ], exclude: ["Golden"]),
    testTarget(
      "Shell",
      [
        "Text", "Catalog", "Networking", "MarketAPI", "CommandLanguage", "WriteJournal", "Images", "Presentation",
        "LineEditing", "Platform", "ShellRuntime", "MarketOperations", "Commands", "Shell", "EmbeddedMarket",
        "TestSupport", "ServerTesting", "ShellTesting", grdb,
      ], exclude: ["Captures", "Golden", "Transcripts"]),
    testTarget(
      "Documentation",
      [
        "Text", "Catalog", "CommandLanguage", "SQLiteSupport", "WriteJournal", "History", "Presentation", "Platform",
        "ShellRuntime", "Commands", "Shell", "EmbeddedMarket", "TestSupport",
      ]),
    testTarget(
      "openmarket",
      [
        "Text", "MarketAPI", "CommandLanguage", "Presentation", "ShellRuntime", "Shell", "EmbeddedMarket", "openmarket",
        "TestSupport", "ServerTesting", "TerminalTesting", argumentParser,
      ],
      exclude: ["Golden", "Schemas"]),
    testTarget(
      "Safety",
      [
        "Text", "Catalog", "Networking", "WriteJournal", "History", "Images", "LineEditing", "Platform", "ShellRuntime",
        "MarketOperations", "Commands", "Shell", "EmbeddedMarket", "TestSupport", "ShellTesting", "TerminalTesting",
        grdb,
      ], exclude: ["LostWrites", "Transcripts"]),
  ],
  swiftLanguageModes: [.v6]
)

import ArgumentParser
import Foundation
import Platform
import Text

/// Compares the program with named peers in the same run and prints a table of ratios, without pass or fail.
@main
struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the openmarket program beside named peers.",
    discussion: "Build it first: swift build -c release --static-swift-stdlib --product openmarket")

  @Argument(help: "The openmarket program to measure.") var program = ".build/release/openmarket"
  @Option(help: "Runs of each; the median is printed.") var runs = 15
  @Option(help: "Keys typed to measure their echo.") var keys = 1000

  @Option(
    help: "Only this part: prompt, page, write, patches, market, described, keys, versions or calls; may be repeated.")
  var only: [String] = []
  @Option(help: "Products to export from nginx; 0 leaves that out.") var exported = 1_000_000
  @Option(help: "Products that one line patches; 0 leaves that out.") var batched = 100_000

  func run() throws {
    let folder = NSTemporaryDirectory() + "openmarket-benchmark-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var report = BenchmarkResult.Report()
    // The results measured before a part failed are printed nevertheless.
    let measured = Result { try measure(into: &report, folder: folder) }
    try Descriptor.write(report.text, to: STDOUT_FILENO)
    try measured.get()
  }

  private func measure(into report: inout BenchmarkResult.Report, folder: String) throws {
    if wants("prompt") { try FirstPromptBenchmark(program: program, home: folder, runs: runs).measure(into: &report) }
    if wants("page") { try SinglePageBenchmark(program: program, home: folder, runs: runs).measure(into: &report) }
    if wants("write") { try SingleWriteBenchmark(program: program, folder: folder, runs: runs).measure(into: &report) }
    if wants("patches") {
      try BatchPatchBenchmark(program: program, folder: folder, batchSize: batched).measure(into: &report)
    }
    if wants("market") {
      try FullScanBenchmark(program: program, home: folder, runs: runs, exported: exported).measure(into: &report)
    }
    if wants("described") {
      try DescribedScanBenchmark(program: program, home: folder, runs: runs).measure(into: &report)
    }
    if wants("versions") {
      try VersionArchiveBenchmark(program: program, folder: folder, runs: runs).measure(into: &report)
    }
    if wants("calls") {
      try CallRecordingBenchmark(program: program, folder: folder, runs: runs).measure(into: &report)
    }
    if wants("keys") { try KeyEcho(program: program, home: folder, keys: keys).measure(into: &report) }
  }

  private func wants(_ part: String) -> Bool { only.isEmpty || only.contains(part) }
}

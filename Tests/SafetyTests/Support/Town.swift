import EmbeddedMarket
import Foundation
import Images
import Platform
import Shell
import Synchronization
import TerminalTesting
import WriteJournal

/// A market in this process, a proxy in front of it, and a home for shells that use the proxy.
final class Town: Sendable {
  let folder: String
  let home: AppDirectories
  let proxy: Proxy
  let market: EmbeddedMarket
  /// The market's own port.
  let direct: Int
  let pictures: [String]
  let edition: ServedEdition
  private let runs = Mutex(0)

  private init(
    _ folder: String, _ market: EmbeddedMarket, _ direct: Int, _ proxy: Proxy, _ pictures: [String],
    _ edition: ServedEdition
  ) {
    self.edition = edition
    self.folder = folder
    self.direct = direct
    self.market = market
    self.proxy = proxy
    self.pictures = pictures
    home = AppDirectories(folder: folder + "/home")
  }

  /// Runs `body` with a temporary town.
  static func with(_ edition: ServedEdition = .open, _ body: (Town) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "town-" + UUID().uuidString
    try Files.createDirectory(folder + "/market")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let market = EmbeddedMarket(MarketOptions(dataDirectory: folder + "/market", edition: edition, startsEmpty: true))
    let url = try await market.start()
    let proxy = try Proxy(to: url.port ?? 0)
    var pictures: [String] = []
    for index in 0..<2 {
      pictures.append(folder + "/picture\(index).jpg")
      let picture = Bitmap(width: 24 + index, height: 16, fill: Pixel(red: 200, green: 40, blue: 40))
      try Files.write(try picture.jpeg(quality: 80), to: pictures[index])
    }
    let town = Town(folder, market, url.port ?? 0, proxy, pictures, edition)
    do {
      try town.furnish()
      try await body(town)
    } catch {
      proxy.stop()
      await market.stop()
      throw error
    }
    proxy.stop()
    await market.stop()
  }

  private func furnish() throws {
    let vendor = EmbeddedMarket.demoVendor
    let profile = """
      [profiles.town]
      url = "\(address)"
      api = "\(edition.rawValue)"
      settle = 1
      vendor_id = \(vendor.vendorID)

      [profiles.patient]
      url = "\(address)"
      api = "\(edition.rawValue)"
      settle = 50
      vendor_id = \(vendor.vendorID)

      """
    let credentials = ["town", "patient"].map { name in
      """
      [vendors.\(name)]
      identifier = "\(vendor.identifier)"
      secret = "\(vendor.secret)"

      """
    }.joined()
    try Files.createDirectory(home.configuration)
    try Files.write(Data(profile.utf8), to: home.profilesFile, mode: 0o600)
    try Files.write(Data(credentials.utf8), to: home.credentialsFile, mode: 0o600)
  }

  /// The name of the first picture for a file in the folder of the town.
  var pictureName: String { pictures[0].split(separator: "/").last.map(String.init) ?? "" }

  var address: String { "http://127.0.0.1:\(proxy.port)" }

  var binding: MarketLogin {
    MarketLogin(profile: "town", baseURL: address, vendor: EmbeddedMarket.demoVendor.identifier)
  }

  /// Starts a shell that runs these lines.
  ///
  /// - Parameters:
  ///   - lines: The lines of its script.
  ///   - fileLimit: The maximum size of a file that it writes, in blocks of 512 bytes.
  ///   - environment: Additional variables.
  ///   - tracer: A program that starts it, with its own arguments.
  func start(
    _ lines: [String], fileLimit: Int? = nil, environment: [String: String] = [:], under tracer: [String] = []
  ) throws -> Child {
    let number = runs.withLock { runs in
      runs += 1
      return runs
    }
    let place = folder + "/runs/\(number)"
    try Files.createDirectory(place)
    try Files.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: place + "/script")
    let limit = fileLimit.map { ["/bin/sh", "-c", "ulimit -f \($0); exec \"$0\" \"$@\""] } ?? []
    return try launch(
      ["--keep-going", "-f", place + "/script"], environment: environment, under: tracer.isEmpty ? limit : tracer)
  }

  /// Starts a shell with these arguments at the profile `town`, without questions.
  ///
  /// `tracer` is a program that starts it, with its own arguments.
  func launch(
    _ words: [String], environment: [String: String] = [:], under tracer: [String] = []
  ) throws -> Child {
    let command = tracer + [builtProgram("openmarket")] + usual + words
    let environment = ["HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
    return try Child(command[0], Array(command.dropFirst()), environment: environment)
  }

  /// The options of every shell.
  var usual: [String] { ["--home", folder + "/home", "--profile", "town", "--yes", "--lang", "en"] }

  /// Runs the program with these arguments, and finishes the run that holds it back, as a user does who wants the old one.
  func finishing(_ words: [String]) async throws -> Child.Ended {
    let run = try await launch(words).ended()
    guard run.code == 4, run.errors.contains("would repeat a part of") else { return run }
    // Without its number, `resume` also ends with 5 because of an earlier change whose outcome can't be known.
    guard let hint = run.errors.firstMatch(of: /`(resume r[0-9]+)`/) else { return run }
    let resumed = try await launch(["-c", String(hint.1)]).ended()
    return Child.Ended(code: resumed.code, output: run.output + resumed.output, errors: run.errors + resumed.errors)
  }

  @discardableResult
  func run(
    _ lines: [String], fileLimit: Int? = nil, environment: [String: String] = [:]
  ) async throws -> Child.Ended {
    try await start(lines, fileLimit: fileLimit, environment: environment).ended()
  }

  /// Runs lines as the same vendor on another machine: without the proxy, and with another journal.
  func elsewhere(_ lines: [String]) async throws -> Child.Ended {
    let place = folder + "/elsewhere"
    try Files.createDirectory(place)
    try Files.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: place + "/script")
    let vendor = EmbeddedMarket.demoVendor
    let environment = [
      "HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENMARKET_IDENTIFIER": vendor.identifier,
      "OPENMARKET_SECRET": vendor.secret,
    ]
    return try await Child(
      builtProgram("openmarket"),
      ["--home", place + "/home", "--url", "http://127.0.0.1:\(direct)", "--api", "open", "-f", place + "/script"],
      environment: environment
    ).ended()
  }

  /// The error if the initial products of a test can't be created.
  struct NotStocked: Error, CustomStringConvertible {
    let description: String
  }

  /// Creates a number of products, and returns their ids in order.
  func stock(_ count: Int) async throws -> [Int64] {
    // A few with each start, because on a busy machine one program with all of them would exceed the time limit.
    for first in stride(from: 1, through: count, by: 15) {
      let run = try await run((first..<min(first + 15, count + 1)).map { new("Good \($0)") })
      guard run.code == 0 else { throw NotStocked(description: "\(run.code): \(run.errors.suffix(2_000))") }
    }
    return try await market.auditLog().map(\.product)
  }

  func new(_ name: String, pictures count: Int = 1) -> String {
    "new name=\"\(name)\" description=\"something to be counted\" price=1000 currency=KRW stock=3 images="
      + pictures.prefix(count).joined(separator: ",")
  }
}

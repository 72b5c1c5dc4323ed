import ArgumentParser
import Catalog
import EmbeddedMarket
import Engine
import Foundation
import LineEditing
import Platform
import Presentation
import Shell
import Text

/// `openmarket serve`: the embedded market alone, until SIGINT or SIGTERM.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run the embedded market alone.")

  /// Where clients look for it; the next free one of ten is taken where it is in use.
  private static let usualPort = 8080

  @Option(help: "The port to listen on; 0 picks a free one, without it 8080 or the next free one.") var port: Int?
  @Option(help: "The address to listen on, 0.0.0.0 for all; without it only this machine is served.")
  var host = "127.0.0.1"
  @Option(
    help: "The edition to speak: camp1, camp2, training or open.",
    completion: .list(ServedEdition.allCases.map(\.rawValue)))
  var api = "open"
  @Option(help: "Vendors for a class: how many, or a file with NAME,IDENTIFIER,SECRET lines.", completion: .file())
  var vendors: String?
  @Option(help: "The folder that keeps the market's data.", completion: .directory) var data: String?
  @Option(help: "Keep everything under this folder.", completion: .directory) var home: String?
  @Flag(help: "Enforce the documented limits with 400.") var strict = false
  @Flag(help: "Start without products.") var empty = false
  @Flag(help: "Do what the real servers did wrong: too many rows, nulls, a 202, pictures that come late.")
  var quirks = false
  @Flag(help: "Print a line for each request.") var log = false
  @Option(help: .init("Wait so many milliseconds before each answer.", valueName: "ms")) var slow = 0
  @Option(help: .init("Answer this part of the requests with 503: 0.2 or 20%.", valueName: "rate")) var fail: String?

  /// The shell has options of the same names and is read first, so their values are found there.
  @ParentCommand private var shell: OpenMarket

  func validate() throws {
    guard (0...65_535).contains(port ?? 0) else { throw ValidationError("--port is 0 to 65535.") }
    guard (0...30_000).contains(slow) else { throw ValidationError("--slow is 0 to 30000 milliseconds.") }
    _ = try failureRate
    if vendors != nil, try !edition.knowsVendors {
      throw ValidationError("--vendors: \(try edition.rawValue) knows no vendors; each product has a password.")
    }
  }

  private var edition: ServedEdition {
    get throws {
      let word = shell.api ?? api
      if let edition = ServedEdition(rawValue: word) { return edition }
      let all = ServedEdition.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--api is one of \(all), not '\(word)'.")
    }
  }

  private var failureRate: Double {
    get throws {
      guard let fail else { return 0 }
      let isPercent = fail.hasSuffix("%")
      guard let number = Double(isPercent ? String(fail.dropLast()) : fail) else {
        throw ValidationError("--fail is a rate such as 0.2 or 20%, not '\(fail)'.")
      }
      let rate = isPercent ? number / 100 : number
      guard (0...1).contains(rate) else { throw ValidationError("--fail is 0 to 1, or 0% to 100%.") }
      return rate
    }
  }

  func run() async throws {
    let signals = Signals.stream([SIGINT, SIGTERM])
    let console = DescriptorConsole()
    do {
      let options = try options()
      try Files.makeFolder(options.dataDirectory)
      let market = EmbeddedMarket(options)
      let url = try await market.start()
      let served = ServedMarket(
        edition: options.edition, address: url.absoluteString, vendors: await market.vendors)
      try console.data(served.lines.map { $0 + "\n" }.joined())
      for message in notes(url) { say(message, on: console) }
      for await _ in signals { break }
      await market.stop()
    } catch let error as ValidationError {
      throw error
    } catch {
      Foundation.exit(EarlyFailure(error).say(on: console, startOptions).rawValue)
    }
  }

  private func options() throws -> MarketOptions {
    var options = MarketOptions(dataDirectory: folder)
    options.host = host
    options.port = port ?? Serve.usualPort
    options.lastPort = port == nil ? Serve.usualPort + 9 : nil
    options.edition = try edition
    options.strict = strict
    options.empty = empty
    options.quirks = quirks
    options.vendors = try vendors.map { try VendorList($0).wanted } ?? []
    options.faults = FaultInjection(delay: .milliseconds(slow), failureRate: try failureRate)
    options.page = { [edition = options.edition, empty] visit in
      ServedMarket(edition: edition, address: visit.base, vendors: visit.vendors, isEmpty: empty)
        .page(MessageLanguage(accepting: visit.languages))
    }
    // A reader that went away is no reason to stop serving.
    if log { options.log = { try? Descriptor.write($0 + "\n", to: STDOUT_FILENO) } }
    return options
  }

  /// What is worth saying about where it listens.
  private func notes(_ url: URL) -> [Message] {
    var notes: [Message] = []
    if port == nil, let taken = url.port, taken != Serve.usualPort {
      notes.append(
        .note(
          "Port \(Serve.usualPort) is in use; this is \(taken), the next free one.",
          ko: "\(Serve.usualPort)번 포트가 이미 사용 중이라 다음 빈 포트인 \(taken)번을 씁니다."))
    }
    guard host != "localhost", host != "::1", !host.hasPrefix("127.") else { return notes }
    let message = Message.warning(
      "Everyone who reaches this machine can read and change this market.",
      ko: "이 컴퓨터에 접속할 수 있는 사람은 누구나 이 마켓을 읽고 바꿀 수 있습니다.")
    let others = ["0.0.0.0", "::"].contains(host) ? OwnAddresses.all.map { "http://\($0):\(url.port ?? 0)" } : []
    guard !others.isEmpty else { return notes + [message] }
    let list = others.joined(separator: ", ")
    return notes + [message.next("Others reach it at \(.value(list)).", ko: "다른 사람의 주소: \(.value(list))")]
  }

  private func say(_ message: Message, on console: any Console) {
    let tongue = (try? MessageLanguage(option: shell.lang, environment: Environment.ofProcess())) ?? .english
    let drawing = RenderOptions(
      tongue: tongue, width: console.width, colors: false, ascii: shell.ascii, ambiguousWide: false,
      isTerminal: console.errorIsTerminal)
    console.say(MessageRenderer().render(message, drawing))
  }

  private var startOptions: StartOptions {
    var options = StartOptions()
    options.language = shell.lang
    options.ascii = shell.ascii
    return options
  }

  private var folder: String {
    if let data { return data }
    return Home(shell.home ?? home, Environment.ofProcess()).demoFolder
  }
}

/// The addresses by which others reach this machine.
private enum OwnAddresses {
  /// Of IPv4, loopback left out.
  static var all: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var names: [String] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, let address = entry.ifa_addr,
        address.pointee.sa_family == sa_family_t(AF_INET)
      else { continue }
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      guard getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
      names.append(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return names
  }
}

/// The vendors that `serve --vendors` asks for: a number of them, or a file with one on each line.
///
/// A line of the file is `NAME`, `NAME,IDENTIFIER` or `NAME,IDENTIFIER,SECRET`; what is left out is made, and kept with the
/// market's data. Blank lines and lines that begin with `#` are passed over.
struct VendorList {
  static let most = 500

  let wanted: [WantedVendor]

  /// Throws a `ValidationError` that names the line, or what is wrong with the number.
  init(_ text: String) throws {
    if let count = Int(text) {
      guard (0...VendorList.most).contains(count) else {
        throw ValidationError("--vendors is 0 to \(VendorList.most), or a file.")
      }
      wanted = count == 0 ? [] : (1...count).map { WantedVendor(name: "vendor\($0)") }
    } else {
      let rows = try VendorList.read(text).rows.enumerated().map { ($0.offset + 1, $0.element.trimmed) }
      wanted = try rows.filter { !$0.1.isEmpty && !$0.1.hasPrefix("#") }.map { number, row in
        try VendorList.vendor(row) { ValidationError("\(text), line \(number): \($0)") }
      }
    }
    try check()
  }

  private static func read(_ path: String) throws -> String {
    guard let bytes = try? Files.read(path), let text = String(validating: bytes, as: UTF8.self) else {
      throw ValidationError("--vendors is a number, or a file that can be read; '\(path)' is neither.")
    }
    return text
  }

  private static func vendor(_ row: String, _ problem: (String) -> ValidationError) throws -> WantedVendor {
    let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard (1...3).contains(cells.count), !cells[0].isEmpty else {
      throw problem("NAME, IDENTIFIER and SECRET are wanted.")
    }
    guard row.unicodeScalars.allSatisfy(\.isVisible) else { throw problem("It holds characters that cannot be seen.") }
    let rest = cells.dropFirst().map { $0.isEmpty ? nil : $0 }
    guard rest.compactMap({ $0 }).joined().utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw problem("An identifier goes into a header: letters, digits and signs of ASCII only.")
    }
    return WantedVendor(name: cells[0], identifier: rest.first ?? nil, secret: rest.count > 1 ? rest.last ?? nil : nil)
  }

  /// Two of one name would be one vendor, and an identifier tells who it is.
  private func check() throws {
    let identifiers = wanted.compactMap { $0.identifier?.lowercased() } + [EmbeddedMarket.demoVendor.identifier]
    guard Set(wanted.map(\.name)).count == wanted.count, Set(identifiers).count == identifiers.count else {
      throw ValidationError("--vendors: names and identifiers come once each.")
    }
  }
}

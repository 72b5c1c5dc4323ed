import ArgumentParser
import EmbeddedMarket
import Foundation
import LineEditing
import MarketAPI
import Platform
import Presentation
import Shell
import ShellRuntime
import Text

/// `openmarket serve`: runs the embedded market without a shell until SIGINT or SIGTERM.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the built-in market as a server.", usage: "openmarket serve [OPTIONS]",
    helpNames: [])

  /// The default port, where clients look for the server.
  ///
  /// If it is in use, the next free one of ten is taken.
  private static let defaultPort = 8080

  @Option var port: Int?
  @Option var host = "127.0.0.1"
  @Option var name: [String] = []
  @Option var publicUrl: String?
  @Option(parsing: .upToNextOption) var tls: [String] = []
  @Option var api: String?
  @Option var vendors: String?
  @Option var data: String?
  @Option var home: String?
  @Option var lang: String?
  @Flag var strict = false
  @Flag var empty = false
  @Flag var fresh = false
  @Flag var yes = false
  @Flag var quirks = false
  @Flag var log = false
  @Option(help: .init(valueName: "ms")) var slow = 0
  @Option(help: .init(valueName: "rate")) var fail: String?
  @Flag var ascii = false
  @Flag(name: .shortAndLong) var help = false

  /// The options before `serve`.
  ///
  /// Options that both commands have may precede or follow the word.
  @ParentCommand private var shell: OpenMarketCommand

  var edition: ServedEdition {
    get throws {
      guard let word = api ?? shell.api else { return .open }
      if let edition = ServedEdition(rawValue: word) { return edition }
      throw CommandLineError.unknownValue(word, of: "--api", ServedEdition.allCases.map(\.rawValue))
    }
  }

  private var failureRate: Double {
    get throws {
      guard let fail else { return 0 }
      let isPercent = fail.hasSuffix("%")
      guard let number = Double(isPercent ? String(fail.dropLast()) : fail) else {
        throw CommandLineError.failure(
          "Invalid value for \(.command("--fail")): \(.value(fail)). Use a rate such as 0.2 or 20%.",
          ko: "\(.command("--fail"))에 쓸 수 없는 값입니다: \(.value(fail)). 0.2나 20% 같은 비율을 쓰세요.")
      }
      let rate = isPercent ? number / 100 : number
      guard (0...1).contains(rate) else {
        throw CommandLineError.failure(
          "\(.command("--fail")) must be from 0 to 1, or 0% to 100%.",
          ko: "\(.command("--fail"))에는 0부터 1, 또는 0%부터 100%까지 쓸 수 있습니다.")
      }
      return rate
    }
  }

  /// The further names of this machine, without a port.
  private var names: [String] {
    get throws {
      for name in name {
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        guard isName, (1...253).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-") else {
          throw CommandLineError.failure(
            "Invalid value for \(.command("--name")): \(.value(name)). Use a name such as teacher.local, without a port.",
            ko: "\(.command("--name"))에 쓸 수 없는 값입니다: \(.value(name)). teacher.local 같은 이름을 포트 없이 쓰세요.")
        }
      }
      return name
    }
  }

  /// The URL of a proxy in front of the server, without a slash at its end.
  private var publicAddress: String? {
    get throws {
      guard let publicUrl else { return nil }
      var text = publicUrl
      while text.hasSuffix("/") { text.removeLast() }
      guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
        url.host?.isEmpty == false, url.query == nil, url.fragment == nil, url.user == nil
      else {
        throw CommandLineError.failure(
          "Invalid value for \(.command("--public-url")): \(.value(publicUrl)). Use a URL such as https://market.example.",
          ko: "\(.command("--public-url"))에 쓸 수 없는 값입니다: \(.value(publicUrl)). https://market.example 같은 URL을 쓰세요.")
      }
      return text
    }
  }

  private func check() throws {
    guard (0...65_535).contains(port ?? 0) else {
      throw CommandLineError.failure(
        "\(.command("--port")) must be from 0 to 65535.", ko: "\(.command("--port"))에는 0부터 65535까지 쓸 수 있습니다.")
    }
    guard (0...30_000).contains(slow) else {
      throw CommandLineError.failure(
        "\(.command("--slow")) must be from 0 to 30000 milliseconds.",
        ko: "\(.command("--slow"))에는 0부터 30000까지(밀리초) 쓸 수 있습니다.")
    }
    let edition = try edition
    if vendors != nil, !edition.hasVendors {
      throw CommandLineError.failure(
        "\(.command("--vendors")) cannot be used with \(edition.rawValue): it has no vendors, only a password per product.",
        ko: "\(.command("--vendors"), .topic) \(edition.rawValue)에서 쓸 수 없습니다. 판매자가 없고 상품마다 비밀번호가 있습니다.")
    }
    if let option = shell.asksForLines {
      throw CommandLineError.failure(
        "\(.command(option)) and \(.command("serve")) cannot be combined: \(.command("serve")) runs no commands.",
        ko:
          "\(.command(option), .with) \(.command("serve"), .topic) 함께 쓸 수 없습니다. \(.command("serve"), .topic) 명령을 실행하지 않습니다."
      )
    }
  }

  func run() async throws {
    var document = shell
    (document.lang, document.help) = (language, document.help || help)
    if let text = try document.document(help: ProgramHelp.serve) {
      return try Descriptor.write(text, to: STDOUT_FILENO)
    }
    try await CommandLineError.$isServing.withValue(true) {
      try check()
      // The connections of a server are work for every thread, not only for the one that the process began with.
      try await serve()
    }
  }

  private func serve() async throws {
    DescriptorLimit.raise()
    let signals = SignalDispatcher.stream([SIGINT, SIGTERM])
    let console = DescriptorConsole()
    do {
      var random = SystemRandomNumberGenerator()
      let key = TeacherKey(using: &random)
      var options = try options(key)
      try Files.createDirectory(options.dataDirectory)
      let own = try ownCertificate(of: options)
      options.certificate = try certificate(own)
      options.replacesProducts = try await replacesProducts(in: options.dataDirectory, on: console)
      let market = EmbeddedMarket(options)
      let url = try await market.start()
      let served = ServerGreeting(
        edition: options.edition,
        addresses: options.addresses.printed(port: url.port ?? 0, local: LocalAddresses.ipv4),
        vendors: await market.vendors, key: key)
      try console.writeOutput(served.lines.map { $0 + "\n" }.joined())
      for message in startupMessages(url, options.addresses) { say(message, on: console) }
      if let own { say(Serve.trust(own), on: console) }
      for await _ in signals { break }
      await market.stop()
    } catch {
      Foundation.exit(StartupError(error).say(on: console, startOptions).rawValue)
    }
  }

  /// Returns the certificate that `--tls self` makes.
  private func ownCertificate(of options: MarketOptions) throws -> OwnCertificate? {
    guard tls == ["self"] else { return nil }
    let listened = options.addresses.listensOnAllAddresses ? LocalAddresses.ipv4 : [host]
    var names: [String] = []
    for name in options.names + listened + ["localhost", "127.0.0.1"] where !names.contains(name) { names.append(name) }
    return try OwnCertificate(for: names, in: options.dataDirectory)
  }

  /// Returns the certificate of `--tls`.
  private func certificate(_ own: OwnCertificate?) throws -> ServerCertificate? {
    guard !tls.isEmpty else { return nil }
    let files = own.map { [$0.path, $0.keyPath] } ?? tls
    guard files.count == 2 else {
      throw CommandLineError.failure(
        "\(.command("--tls")) takes the files of a certificate and its key, or \(.command("self")).",
        ko: "\(.command("--tls"))에는 인증서 파일과 키 파일, 또는 \(.command("self"), .object) 쓰세요.")
    }
    do {
      return try ServerCertificate(certificates: files[0], key: files[1])
    } catch {
      throw CommandLineError.failure(
        "Could not use the certificate \(.value(files[0])) with the key \(.value(files[1])): \(.foreign("\(error)")).",
        ko: "인증서 \(.value(files[0]), .with) 키 \(.value(files[1]), .object) 쓸 수 없습니다: \(.foreign("\(error)")).")
    }
  }

  /// Returns how clients trust a certificate that the server made.
  private static func trust(_ own: OwnCertificate) -> Message {
    Message.note(
      "The certificate is \(.value(own.path)), SHA-256 \(.value(own.fingerprint)).",
      ko: "인증서는 \(.value(own.path)), SHA-256 \(.value(own.fingerprint))입니다."
    ).next(
      "A Simulator trusts it after \(.command("xcrun simctl keychain booted add-root-cert certificate.pem")); curl takes \(.command("--cacert certificate.pem")).",
      ko:
        "시뮬레이터는 \(.command("xcrun simctl keychain booted add-root-cert certificate.pem")) 후에 신뢰하고, curl에는 \(.command("--cacert certificate.pem"), .object) 붙입니다."
    )
  }

  /// Returns whether the products of an existing market are replaced, which `--empty` and `--fresh` do after a question.
  ///
  /// - Throws: `CommandError` if they must not be.
  private func replacesProducts(in folder: String, on console: any Console) async throws -> Bool {
    guard empty || fresh, let count = try await EmbeddedMarket.productCount(in: folder) else { return false }
    if count == 0 || yes || shell.yes { return true }
    let products = count == 1 ? "1 product" : "\(NumberFormatting.grouped(count)) products"
    let isAttended = console.errorIsTerminal && isatty(STDIN_FILENO) == 1
    guard isAttended else {
      throw CommandError(
        .blocked,
        .failure(
          "The market in \(.value(folder)) has \(products). Nothing was deleted.",
          ko: "\(.value(folder))의 마켓에 상품이 \(NumberFormatting.grouped(count))개 있습니다. 아무것도 삭제하지 않았습니다."
        ).next(
          "Add \(.command("--yes")) to delete them, or choose another folder with \(.command("--data")).",
          ko: "삭제하려면 \(.command("--yes"), .object) 붙이고, 아니면 \(.command("--data"), .with) 다른 폴더를 고르세요."),
        code: .notConfirmed)
    }
    let question = LocalizedText(
      "Delete the \(products) of the market in \(.value(folder))? [y/N] ",
      ko: "\(.value(folder))에 있는 마켓의 상품 \(NumberFormatting.grouped(count))개를 삭제할까요? [y/N] ")
    tcflush(STDIN_FILENO, TCIFLUSH)
    console.writeMessage(
      question[(try? MessageLanguage(option: language, environment: Environment.current())) ?? .english].plain)
    guard ConfirmationPrompt.isYes(readLine() ?? "") else {
      throw CommandError(.blocked, ConfirmationPrompt.declined.message, code: .canceled)
    }
    return true
  }

  private func options(_ key: TeacherKey) throws -> MarketOptions {
    var options = MarketOptions(dataDirectory: folder)
    options.host = host
    options.names = try names
    options.publicURL = try publicAddress
    options.port = port ?? Serve.defaultPort
    options.portRangeEnd = port == nil ? Serve.defaultPort + 9 : nil
    options.edition = try edition
    options.enforcesDocumentedLimits = strict
    options.startsEmpty = empty
    options.emulatesKnownBugs = quirks
    options.vendors = try vendors.map { try VendorList($0).vendors } ?? []
    options.faults = FaultInjection(delay: .milliseconds(slow), failureRate: try failureRate)
    options.teacherKey = key
    options.landingPage = { [edition = options.edition, addresses = options.addresses] visit in
      let address = addresses.handedOut(visitedAt: visit.base, local: LocalAddresses.ipv4)
      return ServedPage(edition: edition, visit: visit, address: address).html
    }
    options.classReport = { [edition = options.edition] rows, languages in
      let page = ClassPage(edition: edition, rows: rows)
      return languages.map { page.html(MessageLanguage(accepting: $0)) } ?? page.csv
    }
    // A closed standard output doesn't stop the server.
    if log { options.log = { try? Descriptor.write($0 + "\n", to: STDOUT_FILENO) } }
    options.notify = { [startOptions] in $0.say(startOptions) }
    return options
  }

  /// Returns the notes about the address.
  private func startupMessages(_ url: URL, _ addresses: ServedAddresses) -> [Message] {
    var notes: [Message] = []
    if port == nil, let taken = url.port, taken != Serve.defaultPort {
      notes.append(
        .note(
          "Port \(Serve.defaultPort) is in use. Using port \(taken) instead.",
          ko: "\(Serve.defaultPort)번 포트가 이미 사용 중이라 다음 빈 포트인 \(taken)번을 씁니다."))
    }
    guard !addresses.isLoopback else { return notes }
    let message = Message.warning(
      "Anyone who can reach this computer can read and change this market.",
      ko: "이 컴퓨터에 접속할 수 있는 사람은 누구나 이 마켓을 읽고 바꿀 수 있습니다.")
    return notes + [message]
  }

  private func say(_ message: Message, on console: any Console) {
    let language = (try? MessageLanguage(option: language, environment: Environment.current())) ?? .english
    let drawing = RenderOptions(
      language: language, width: console.width, colors: false, usesASCII: drawsPlain, treatsAmbiguousAsWide: false,
      isTerminal: console.errorIsTerminal)
    console.writeMessage(MessageRenderer().render(message, drawing))
  }

  private var startOptions: SessionOptions {
    var options = SessionOptions()
    options.language = language
    options.ascii = drawsPlain
    return options
  }

  private var language: String? { lang ?? shell.lang }

  private var drawsPlain: Bool { ascii || shell.ascii }

  private var folder: String {
    if let data { return data }
    return AppDirectories(home ?? shell.home, Environment.current()).servedDirectory
  }
}

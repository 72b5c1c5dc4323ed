import ArgumentParser
import Commands
import EmbeddedMarket
import Foundation
import LineEditing
import MarketAPI
import Networking
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
  private static let defaultPort = 8080

  @Option var port: Int?
  @Option var host = "127.0.0.1"
  @Option var name: [String] = []
  @Option var publicUrl: String?
  @Option var origin: [String] = []
  @Option(parsing: .upToNextOption) var tls: [String] = []
  @Option var api: String?
  @Option var vendors: String?
  @Option var lesson: String?
  @Option var data: String?
  @Option(help: .init(valueName: "MB")) var quota = Serve.defaultQuota
  @Option var home: String?
  @Option var lang: String?
  @Flag var strict = false
  @Flag var empty = false
  @Flag var fresh = false
  @Flag var yes = false
  @Flag var quirks = false
  @Flag var log = false
  @Option(help: .init(valueName: "ms")) var slow: Int?
  @Option(help: .init(valueName: "rate")) var fail: String?
  @Flag var ascii = false
  @Flag(name: .shortAndLong) var help = false

  /// The default quota of each vendor, in megabytes.
  private static let defaultQuota = 200
  private static let quotas = 1...1_000_000

  /// The ports of which the first free one is taken.
  var ports: ClosedRange<Int> { port.map { $0...$0 } ?? Serve.defaultPort...(Serve.defaultPort + 9) }

  /// The options before `serve`.
  ///
  /// Options that both commands have may precede or follow the word.
  @ParentCommand private var shell: OpenMarketCommand

  /// Returns the API to serve: that of the option, else that of the lesson.
  ///
  /// - Throws: `CommandError` for an unknown word, and the errors of a file that describes the API.
  func servedAPI(_ lesson: Lesson?) throws -> ServedAPI {
    guard let word = api ?? shell.api else {
      switch lesson?.api {
      case .edition(let edition)?: return .edition(edition)
      case .file(let file)?: return .described(try DescribedAPI(file).description)
      case nil: return .edition(.open)
      }
    }
    if let edition = ServedEdition(rawValue: word) { return .edition(edition) }
    if APIWord.isFile(word) {
      return .described(try DescribedAPI(path: APIWord.path(word, home: Environment.current()["HOME"])).description)
    }
    throw CommandLineError.unknownValue(word, of: "--api", ServedEdition.allCases.map(\.rawValue))
  }

  private var failureRate: Double {
    get throws {
      guard let fail else { return 0 }
      if let rate = FaultRate(fail) { return rate.value }
      throw CommandLineError.failure(
        "Invalid value for \(.command("--fail")): \(.value(fail)). Use a rate from 0 to 1, such as 0.2, or 20%.",
        ko: "\(.command("--fail"))에 쓸 수 없는 값입니다: \(.value(fail)). 0부터 1까지의 비율, 예를 들어 0.2나 20%를 쓰세요.")
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

  /// Returns the origins whose pages may use the API: those of the options, and the pages of this machine if a file describes
  /// it.
  func origins(for api: ServedAPI) throws -> AllowedOrigins {
    if let origins = AllowedOrigins(origin, includesLoopback: api.edition == nil) { return origins }
    let wrong = origin.first { AllowedOrigins([$0], includesLoopback: false) == nil } ?? ""
    throw CommandLineError.failure(
      "Invalid value for \(.command("--origin")): \(.value(wrong)). Use the origin of a web page, such as https://app.example, without a path.",
      ko: "\(.command("--origin"))에 쓸 수 없는 값입니다: \(.value(wrong)). https://app.example 같은 웹 페이지의 출처를 경로 없이 쓰세요.")
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

  private func check(_ api: ServedAPI, in lesson: Lesson?, vendors list: VendorList?) throws {
    guard (0...65_535).contains(port ?? 0) else {
      throw CommandLineError.failure(
        "\(.command("--port")) must be from 0 to 65535.", ko: "\(.command("--port"))에는 0부터 65535까지 쓸 수 있습니다.")
    }
    guard (0...DelayDistribution.maximum).contains(slow ?? 0) else {
      throw CommandLineError.failure(
        "\(.command("--slow")) must be from 0 to \(DelayDistribution.maximum) milliseconds.",
        ko: "\(.command("--slow"))에는 0부터 \(DelayDistribution.maximum)까지(밀리초) 쓸 수 있습니다.")
    }
    guard Serve.quotas.contains(quota) else {
      throw CommandLineError.failure(
        "\(.command("--quota")) must be from \(Serve.quotas.lowerBound) to \(Serve.quotas.upperBound) megabytes.",
        ko: "\(.command("--quota"))에는 \(Serve.quotas.lowerBound)부터 \(Serve.quotas.upperBound)까지(메가바이트) 쓸 수 있습니다.")
    }
    let isOfLesson = [("--slow", slow != nil), ("--fail", fail != nil), ("--empty", empty)].first { $0.1 }?.0
    if lesson != nil, let option = isOfLesson {
      throw CommandLineError.failure(
        "\(.command(option)) and \(.command("--lesson")) cannot be combined. State it in the lesson.",
        ko: "\(.command(option), .with) \(.command("--lesson"), .topic) 함께 쓸 수 없습니다. 수업 파일에 적으세요.")
    }
    if empty, fresh {
      throw CommandLineError.failure(
        "\(.command("--empty")) and \(.command("--fresh")) cannot be combined: without products, or with the sample products.",
        ko: "\(.command("--empty"), .with) \(.command("--fresh"), .topic) 함께 쓸 수 없습니다. 상품 없이 시작하거나 예시 상품으로 시작합니다.")
    }
    try check(vendorsOf: list, api)
    let limits = [("--strict", strict || lesson?.isStrict == true), ("--quirks", quirks || lesson?.hasQuirks == true)]
    if api.edition == nil, let option = limits.first(where: \.1)?.0 {
      throw CommandLineError.failure(
        "\(.command(option)) cannot be used with \(api.name): it is for the editions, whose real servers are known.",
        ko: "\(.command(option), .topic) \(api.name)에서 쓸 수 없습니다. 실제 서버가 알려진 API 버전에만 씁니다.")
    }
    if let option = shell.asksForLines {
      throw CommandLineError.failure(
        "\(.command(option)) and \(.command("serve")) cannot be combined: \(.command("serve")) runs no commands.",
        ko:
          "\(.command(option), .with) \(.command("serve"), .topic) 함께 쓸 수 없습니다. \(.command("serve"), .topic) 명령을 실행하지 않습니다."
      )
    }
  }

  /// Throws an error if there are vendors in an API without their logins.
  private func check(vendorsOf list: VendorList?, _ api: ServedAPI) throws {
    guard list != nil, !api.hasVendors else { return }
    let name = api.name
    switch (vendors == nil, api.edition == nil) {
    case (true, false):
      throw CommandLineError.failure(
        "The lesson's vendors cannot be used with \(name): it has no vendors, only a password per product.",
        ko: "\(name)에서는 수업의 판매자를 쓸 수 없습니다. 판매자가 없고 상품마다 비밀번호가 있습니다.")
    case (false, false):
      throw CommandLineError.failure(
        "\(.command("--vendors")) cannot be used with \(name): it has no vendors, only a password per product.",
        ko: "\(.command("--vendors"), .topic) \(name)에서 쓸 수 없습니다. 판매자가 없고 상품마다 비밀번호가 있습니다.")
    case (true, true):
      throw CommandLineError.failure(
        "The lesson's vendors cannot be used with \(name): everybody may write there, without a login.",
        ko: "\(name)에서는 수업의 판매자를 쓸 수 없습니다. 로그인 없이 누구나 쓸 수 있습니다.")
    case (false, true):
      throw CommandLineError.failure(
        "\(.command("--vendors")) cannot be used with \(name): everybody may write there, without a login.",
        ko: "\(.command("--vendors"), .topic) \(name)에서 쓸 수 없습니다. 로그인 없이 누구나 쓸 수 있습니다.")
    }
  }

  func run() async throws {
    var document = shell
    (document.lang, document.help) = (language, document.help || help)
    if let text = try document.document(help: ProgramHelp.serve) {
      return try Descriptor.write(text, to: STDOUT_FILENO)
    }
    try await CommandLineError.$isServing.withValue(true) {
      // The connections of a server are work for every thread, not only for the one that the process began with.
      try await serve()
    }
  }

  private func serve() async throws {
    DescriptorLimit.raise()
    let signals = SignalDispatcher.stream([SIGINT, SIGTERM])
    let console = DescriptorConsole()
    do {
      let lesson = try lesson.map { try Lesson($0, home: Environment.current()["HOME"]) }
      let list = try vendors.map { try VendorList($0) } ?? lesson?.vendors
      let api = try servedAPI(lesson)
      try check(api, in: lesson, vendors: list)
      var random = SystemRandomNumberGenerator()
      let key = TeacherKey(using: &random)
      var options = try options(for: api, in: lesson, key)
      options.vendors = list?.vendors ?? []
      let existing = try await EmbeddedMarket.productCount(in: options.dataDirectory)
      // The lesson's products are read before anything is asked and deleted.
      if existing == nil || fresh, case .file(let path)? = lesson?.products {
        let names = EmbeddedMarket.sampleVendorNames.union(options.vendors.map(\.name))
        let listed = try LessonProducts(path, vendors: names)
        options.products = .listed(listed.products)
        for remark in listed.remarks { say(remark, on: console) }
      }
      let own = try await ownCertificate(of: options)
      options.certificate = try own?.certificate ?? certificate
      options.replacesProducts = try replacesProducts(existing, in: options.dataDirectory, on: console)
      let isNew = existing == nil || options.replacesProducts
      let market = EmbeddedMarket(options)
      let url = try await market.start()
      let served = ServerGreeting(
        api: api,
        addresses: options.addresses.printed(port: url.port ?? 0, local: LocalAddresses.ipv4),
        vendors: await market.vendors, key: key, language: console.outputIsTerminal ? messageLanguage : .english)
      try console.writeOutput(served.lines.map { $0 + "\n" }.joined())
      for message in startupMessages(url, options.addresses) { say(message, on: console) }
      if let remark = list?.remark { say(remark, on: console) }
      if let own { say(Serve.trust(own), on: console) }
      if lesson != nil, !isNew, let existing { say(Serve.continuing(existing), on: console) }
      await run(market, until: signals, takesKeys: lesson != nil, on: console)
      await market.stop()
    } catch {
      Foundation.exit(StartupError(error).say(on: console, startOptions).rawValue)
    }
  }

  /// Serves until a signal arrives, or until q is pressed at the terminal of a lesson.
  private func run(
    _ market: EmbeddedMarket, until signals: AsyncStream<Int32>, takesKeys: Bool, on console: any Console
  ) async {
    guard takesKeys, let keyboard = SingleKeyInput(STDIN_FILENO) else {
      for await _ in signals { break }
      return
    }
    say(TeacherKeys.summary, on: console)
    await withTaskGroup { group in
      group.addTask { for await _ in signals { break } }
      group.addTask {
        let keys = TeacherKeys(market, say: { say($0, on: console) }, ask: { ask($0, on: console) })
        // A terminal that was closed does not end the lesson.
        if await !keys.run(keyboard.keys) { try? await Task.sleep(for: .seconds(Int64.max)) }
      }
      await group.next()
      group.cancelAll()
    }
    keyboard.end()
  }

  private static func continuing(_ count: Int) -> Message {
    Message.note(
      "The lesson continues with its \(NumberFormatting.grouped(count)) products.",
      ko: "수업을 이어서 합니다. 상품 \(NumberFormatting.grouped(count))개."
    ).next(
      "Press r to begin again, or start with \(.command("--fresh")) to read the lesson's products again.",
      ko: "처음부터 하려면 r을 누르고, 수업의 상품을 다시 읽으려면 \(.command("--fresh"), .with) 시작하세요.")
  }

  /// Returns the certificate that `--tls self` makes.
  private func ownCertificate(of options: MarketOptions) async throws -> OwnCertificate? {
    guard tls == ["self"] else { return nil }
    let listened = options.addresses.listensOnAllAddresses ? LocalAddresses.ipv4 : [host]
    var names: [String] = []
    for name in options.names + listened + ["localhost", "127.0.0.1"] where !names.contains(name) { names.append(name) }
    try Files.createDirectory(options.dataDirectory)
    return try await OwnCertificate(for: names, in: options.dataDirectory)
  }

  /// The certificate in the files of `--tls`.
  private var certificate: ServerCertificate? {
    get throws {
      guard !tls.isEmpty else { return nil }
      guard tls.count == 2 else {
        throw CommandLineError.failure(
          "\(.command("--tls")) takes the files of a certificate and its key, or \(.command("self")).",
          ko: "\(.command("--tls"))에는 인증서 파일과 키 파일, 또는 \(.command("self"), .object) 쓰세요.")
      }
      do {
        return try ServerCertificate(certificates: tls[0], key: tls[1])
      } catch {
        let reason = ErrorDescription.text(of: error) ?? "no valid certificate with its key"
        throw CommandLineError.failure(
          "Could not use the certificate \(.value(tls[0])) with the key \(.value(tls[1])): \(.foreign(reason)).",
          ko: "인증서 \(.value(tls[0]), .with) 키 \(.value(tls[1]), .object) 쓸 수 없습니다: \(.foreign(reason)).")
      }
    }
  }

  /// Returns the message about how to make clients trust the server's own certificate.
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
  private func replacesProducts(_ count: Int?, in folder: String, on console: any Console) throws -> Bool {
    guard empty || fresh, let count else { return false }
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
    ask(question, on: console)
    guard ConfirmationPrompt.isYes(readLine() ?? "") else {
      throw CommandError(
        .blocked, .note("Canceled. Nothing was deleted.", ko: "취소했습니다. 아무것도 삭제하지 않았습니다."), code: .canceled)
    }
    return true
  }

  private func options(for api: ServedAPI, in lesson: Lesson?, _ key: TeacherKey) throws -> MarketOptions {
    var options = MarketOptions(dataDirectory: folder(api, lesson))
    options.host = host
    options.names = try names
    options.publicURL = try publicAddress
    options.origins = try origins(for: api)
    (options.port, options.portRangeEnd) = (ports.lowerBound, ports.upperBound)
    options.api = api
    options.enforcesDocumentedLimits = strict || lesson?.isStrict == true
    options.startsEmpty = empty || lesson?.products == Lesson.Products.none
    options.emulatesKnownBugs = quirks || lesson?.hasQuirks == true
    options.faults =
      try lesson?.faults
      ?? FaultPlan(delay: slow ?? 0, failureRate: failureRate, seed: UInt64.random(in: .min ... .max))
    options.clockStart = lesson?.clock
    options.seed = lesson?.seed ?? options.seed
    options.copiesBeginning = lesson != nil
    if let steps = lesson?.steps, !steps.isEmpty { options.learningSteps = LessonStep.document(of: steps) }
    options.storage = StorageLimits(vendorBytes: Int64(quota) * 1_000_000, keepsDiskFree: true)
    options.teacherKey = key
    options.landingPage = { [addresses = options.addresses] visit in
      let address = addresses.handedOut(visitedAt: visit.base, local: LocalAddresses.ipv4)
      return ServedPage(api: api, visit: visit, address: address).html
    }
    options.classReport = { visit in
      let page = ClassPage(api: api, rows: visit.rows, language: MessageLanguage(accepting: visit.languages))
      if let requests = visit.requests { return page.csv(of: requests) }
      return visit.isCSV ? page.csv : page.html
    }
    // A closed standard output doesn't stop the server.
    if log { options.log = { try? Descriptor.write($0 + "\n", to: STDOUT_FILENO) } }
    options.notify = { [startOptions] in $0.say(startOptions) }
    return options
  }

  /// Returns the notes about the address.
  private func startupMessages(_ url: URL, _ addresses: ServedAddresses) -> [Message] {
    let notes = url.port.flatMap { portNote(listeningOn: $0) }.map { [$0] } ?? []
    guard !addresses.isLoopback else { return notes }
    let message = Message.warning(
      "Anyone who can reach this computer can read and change this market.",
      ko: "이 컴퓨터에 접속할 수 있는 사람은 누구나 이 마켓을 읽고 바꿀 수 있습니다.")
    return notes + [message]
  }

  /// Returns the note about another port than the default one.
  func portNote(listeningOn used: Int) -> Message? {
    guard port == nil, used != Serve.defaultPort else { return nil }
    return .note(
      "Port \(Serve.defaultPort) is in use. Using port \(used) instead.",
      ko: "\(Serve.defaultPort)번 포트가 이미 사용 중이라 다음 빈 포트인 \(used)번을 씁니다.")
  }

  private var messageLanguage: MessageLanguage {
    (try? MessageLanguage(option: language, environment: Environment.current())) ?? .english
  }

  /// Shows a question without a new line after it.
  private func ask(_ question: LocalizedText, on console: any Console) {
    console.writeMessage(question[messageLanguage].plain)
  }

  private func say(_ message: Message, on console: any Console) {
    let drawing = RenderOptions(
      language: messageLanguage, width: console.width, colors: false, usesASCII: drawsPlain,
      treatsAmbiguousAsWide: false,
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

  private func folder(_ api: ServedAPI, _ lesson: Lesson?) -> String {
    if let data { return data }
    let directories = AppDirectories(home ?? shell.home, Environment.current())
    if let lesson { return directories.lessonDirectory(lesson.name) }
    return api.edition == nil ? directories.servedDirectory(of: api.name) : directories.servedDirectory
  }
}

import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Synchronization
import Text
import WriteJournal

/// Creates a session from options, environment, profile and defaults, in this order of precedence.
package struct SessionFactory {
  private let environment: Environment
  private let home: AppDirectories
  private let demo: DemoLogin?
  private let commands: CommandRegistry
  private let markets: MarketRegistry

  package init(
    _ environment: Environment, _ home: AppDirectories, demo: DemoLogin?, commands: CommandRegistry,
    markets: MarketRegistry = MarketRegistry()
  ) {
    self.environment = environment
    self.home = home
    self.demo = demo
    self.commands = commands
    self.markets = markets
  }

  /// Returns the initial session.
  ///
  /// - Throws: `CommandError` for invalid options and variables, `FileError` for a file that can't be read.
  package func session(_ options: SessionOptions) throws -> Session {
    var settings = Settings()
    settings.language = try MessageLanguage(option: options.language, environment: environment)
    settings.format = options.format ?? .table
    settings.colors = !options.noColor && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    settings.ascii = options.ascii
    settings.messageFormat = options.messageFormat ?? .text
    var opened = try session(profile: try profile(options), settings: settings, url: address(options))
    let userHome = environment["HOME"]
    if let path = options.description {
      opened.server.dialect = try APIWord.dialect(path, home: userHome).map { Sourced($0, .option) }
    } else if let edition = options.edition {
      opened.server.dialect = Sourced(Dialect(edition), .option)
    } else if let text = environment["OPENMARKET_API"], !text.isEmpty {
      guard let dialect = try APIWord.dialect(text, home: userHome) else { throw SessionFactory.noEdition(text) }
      opened.server.dialect = Sourced(dialect, .environment)
    } else if opened.server.dialect == nil, let url = opened.server.url?.value {
      opened.server.dialect = DetectedEditions(home).edition(at: url).map { Sourced(Dialect($0), .detected) }
    }
    try SessionFactory.checkDescription(opened.server)
    if options.allowsPlainHTTP { opened.server.http = Sourced(.allow, .option) }
    opened.script.continuesOnError = options.keepGoing
    opened.script.key = options.onceKey
    // Also without a profile: a file with a mistake is mended before anything is written.
    _ = try ProfileStore(home).load()
    let aliases = try SessionFactory.checked { () throws(FileError) in try AliasStore(home, commands.grammar).load() }
    if let aliases, !aliases.isEmpty { opened.aliases = aliases }
    let session = opened
    let stored = try SessionFactory.checked { () throws(FileError) in try SettingStore(home).load(tryingIn: session) }
    opened.applySavedSettings(stored ?? [], unless: options)
    if options.readOnly { opened.server.access = Sourced(.readOnly, .option) }
    return opened
  }

  /// Returns the content of a file, or `nil` for one that can't be read: that is reported by the command that changes it,
  /// and must not prevent the start.
  ///
  /// - Throws: `FileError.syntax` for a line that can't be used.
  private static func checked<Content>(_ load: () throws(FileError) -> Content) throws(FileError) -> Content? {
    do {
      return try load()
    } catch {
      if case .syntax = error { throw error }
      return nil
    }
  }

  /// Returns the session of a profile, or of a URL without one.
  ///
  /// - Throws: `CommandError` for an unknown profile, URL or edition, `FileError` if the home folder can't be read.
  package func session(profile name: Sourced<String>?, settings: Settings, url: Sourced<URL>? = nil) throws -> Session {
    var profile = Profile()
    if let name {
      let profiles = ProfileStore(home)
      guard let found = try profiles.profile(named: name.value) else {
        if name.origin == .default { throw SessionFactory.noDefault(name.value) }
        throw CommandError.unknownProfile(name.value, of: try profiles.load().keys)
      }
      profile = found
    }
    var server = ServerConfiguration(
      profile: name, url: url, dialect: nil, confirm: Sourced(.always, .default), access: Sourced(.readWrite, .default))
    server.markets = markets
    for setting in ProfileSetting.all { try setting.configure(&server, profile) }
    if url == nil { try SessionFactory.checkDescription(server) }
    if server.isEmbedded, server.dialect == nil { server.dialect = Sourced(Dialect(.newest), .default) }
    var session = Session(server: server, settings: settings)
    try logIn(&session, profile)
    return session
  }

  /// - Throws: `CommandError` if a file describes the API of a server that has no URL.
  private static func checkDescription(_ server: ServerConfiguration) throws {
    guard server.isEmbedded, let dialect = server.dialect?.value, dialect.edition == nil else { return }
    throw APIWord.withoutURL(dialect.name)
  }

  private func profile(_ options: SessionOptions) throws -> Sourced<String>? {
    if let name = options.profile { return Sourced(name, .option) }
    if options.url != nil { return nil }
    if let name = environment["OPENMARKET_PROFILE"], !name.isEmpty { return Sourced(name, .environment) }
    if let url = environment["OPENMARKET_URL"], !url.isEmpty { return nil }
    return Sourced(try ProfileStore(home).defaultName() ?? ServerConfiguration.demo, .default)
  }

  private func address(_ options: SessionOptions) throws -> Sourced<URL>? {
    if let text = options.url {
      guard let address = ServerAddress(text) else { throw SessionFactory.noAddress(text) }
      return Sourced(address.url, .option)
    }
    guard let text = environment["OPENMARKET_URL"], !text.isEmpty else { return nil }
    guard let address = ServerAddress(text) else { throw SessionFactory.noAddress(text) }
    return Sourced(address.url, .environment)
  }

  private func logIn(_ session: inout Session, _ profile: Profile) throws {
    if session.server.isEmbedded, let demo {
      session.credentials = demo.credentials
      session.credentialOrigins = demo.origins
    }
    // The saved credentials of the profile's own server aren't sent to another one that an option names.
    if profile.isAt(session.server.url?.value), let name = session.server.profile?.value,
      let stored = try CredentialStore(home).load(name)
    {
      identify(stored.identifier, &session)
      session.credentialOrigins.identifier = stored.identifier == nil ? nil : .profile
      if session.server.secretCommand == nil {
        session.credentials.secret = stored.secret
        session.credentialOrigins.secret = stored.secret == nil ? nil : .profile
      }
    }
    if let vendorID = profile.vendorID {
      session.credentials.vendorID = vendorID
      session.credentialOrigins.vendorID = .profile
    }
    if let identifier = environment["OPENMARKET_IDENTIFIER"], !identifier.isEmpty {
      identify(identifier, &session)
      session.credentialOrigins.identifier = .environment
    }
    if let secret = environment["OPENMARKET_SECRET"], !secret.isEmpty {
      guard let secret = Secret(password: secret) else { throw CommandError.unsendableSecret }
      session.credentials.secret = secret
      session.credentialOrigins.secret = .environment
    }
    if let text = environment["OPENMARKET_VENDOR_ID"], !text.isEmpty {
      guard let vendorID = Int(text), vendorID > 0 else { throw SessionFactory.noVendor(text) }
      session.credentials.vendorID = vendorID
      session.credentialOrigins.vendorID = .environment
    }
  }

  /// Sets the identifier.
  ///
  /// Another vendor has another number, so that is cleared.
  private func identify(_ identifier: String?, _ session: inout Session) {
    if identifier != session.credentials.identifier {
      session.credentials.vendorID = nil
      session.credentialOrigins.vendorID = nil
    }
    session.credentials.identifier = identifier
  }

  /// Returns the error for a default profile that is no longer in the file.
  ///
  /// Starting with another market instead could send changes to the wrong server.
  private static func noDefault(_ name: String) -> CommandError {
    CommandError(
      .refused,
      .failure(
        "The default profile \(.value(name)) no longer exists.", ko: "기본 프로필 \(.value(name), .subject) 없습니다."
      ).next(
        "Run \(.command("openmarket --profile demo profile default demo")) to start with demo again.",
        ko: "다시 demo로 시작하려면 \(.command("openmarket --profile demo profile default demo"), .object) 실행하세요."))
  }

  private static func noVendor(_ text: String) -> CommandError {
    CommandError(
      .usageError,
      .failure(
        "Invalid OPENMARKET_VENDOR_ID: \(.value(text)).", ko: "OPENMARKET_VENDOR_ID에 \(.value(text)) 값은 쓸 수 없습니다."
      )
      .next("Use the vendor ID, a number of 1 or more.", ko: "판매자 번호는 1 이상의 정수입니다."))
  }

  package static func noAddress(_ text: String) -> CommandError {
    // A password typed in a URL must not be shown again.
    let shown = text.withoutUserInformation
    var message = Message.failure("Invalid server URL: \(.value(shown)).", ko: "\(.value(shown), .topic) 서버 주소가 아닙니다.")
    if text.contains("@") {
      message = message.because(
        "It contains a user name or a password, which the API does not use.",
        ko: "API에서 쓰지 않는 사용자 이름이나 비밀번호가 들어 있습니다.")
    } else if text.contains(where: { $0 == "?" || $0 == "#" }) {
      message = message.because(
        "It contains \(.value("?")) or \(.value("#")), but it is only the beginning of the URL of each request.",
        ko: "\(.value("?"), .with) \(.value("#"), .topic) 쓸 수 없습니다. 모든 요청의 주소가 이 주소로 시작합니다.")
    } else if text.contains(where: \.isWhitespace) {
      message = message.because("It contains a space or a line break.", ko: "공백이나 줄바꿈이 들어 있습니다.")
    }
    return CommandError(
      .usageError,
      message
        .next(
          "For example: \(.value("https://openmarket.example.com"))",
          ko: "예: \(.value("https://openmarket.example.com"))"))
  }

  /// Returns the error for the URL of an endpoint in place of the base URL of a server.
  package static func isEndpoint(_ url: URL, _ base: URL) -> CommandError {
    CommandError(
      .usageError,
      .failure(
        "\(.value(url.absoluteString)) is the URL of an endpoint, not of the server.",
        ko: "\(.value(url.absoluteString), .topic) 서버 주소가 아니라 API 경로의 주소입니다."
      ).next("Use \(.value(base.absoluteString)).", ko: "\(.value(base.absoluteString), .object) 쓰세요."))
  }

  package static func noProxy(_ text: String) -> CommandError {
    let text = text.withoutUserInformation
    return CommandError(
      .usageError,
      .failure("Invalid proxy URL: \(.value(text)).", ko: "\(.value(text), .topic) 프록시 주소가 아닙니다.")
        .next(
          "For example: \(.value("http://proxy.example.com:3128")) (without a password)",
          ko: "예: \(.value("http://proxy.example.com:3128")) (비밀번호 없이)"))
  }

  static func noEdition(_ text: String) -> CommandError {
    CommandError(
      .usageError,
      .failure("Unknown edition: \(.value(text)).", ko: "\(.value(text)) API 버전은 없습니다.")
        .next(
          "API editions: \(Edition.allCases.map(\.rawValue).joined(separator: ", "))",
          ko: "API 버전: \(Edition.allCases.map(\.rawValue).joined(separator: ", "))"))
  }
}

extension CommandContext {
  /// A factory with the environment of this process's start.
  package var opening: SessionFactory {
    SessionFactory(
      program.environment, stores.home, demo: network.embedded.login, commands: program.commands,
      markets: network.markets)
  }
}

extension MessageLanguage {
  /// Chooses the language from `--lang`, then LC_ALL, LC_MESSAGES and LANG, otherwise English.
  ///
  /// - Throws: `CommandError` for an unknown language.
  package init(option: String?, environment: Environment) throws {
    if let option {
      guard let language = MessageLanguage(rawValue: option) else {
        throw CommandError(
          .usageError,
          .failure("Unknown language: \(.value(option)).", ko: "언어 \(.value(option), .topic) 없습니다.")
            .next("Languages: en, ko", ko: "언어: en, ko"))
      }
      self = language
      return
    }
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    self = locale?.hasPrefix("ko") == true ? .korean : .english
  }
}

extension Session {
  /// Adopts the saved settings, except those given by the program's options.
  package mutating func applySavedSettings(_ stored: [(name: String, value: String)], unless options: SessionOptions) {
    for (name, value) in stored where SettingStore.persists(name) {
      switch name {
      case SettingStore.format:
        if options.format == nil { settings.format = OutputFormat(rawValue: value) ?? settings.format }
      case "lang": if options.language == nil { _ = Setting.byName[name]?.set(&self, value) }
      // A terminal without colors, or NO_COLOR, takes precedence.
      case "colors": if value == "off" { _ = Setting.byName[name]?.set(&self, value) }
      default: _ = Setting.byName[name]?.set(&self, value)
      }
    }
  }

  /// Saves a setting for later sessions.
  ///
  /// In a script it is not saved, because it applies to the script.
  package func persistSetting(_ name: String, _ value: String, in context: CommandContext) {
    guard SettingStore.persists(name), script.stack.isEmpty, !script.isReading else { return }
    do {
      try SettingStore(context.stores.home).save(name, value)
    } catch {
      CommandScope(self, context).say(
        .warning(
          "Could not save the setting \(.field(name)). It applies to this session only.",
          ko: "설정을 저장할 수 없어 \(.field(name)) 설정은 이번 세션에만 적용됩니다."))
    }
  }
}

/// The program's options for the server and the output.
///
/// `nil` means that the option wasn't given.
package struct SessionOptions: Hashable, Sendable {
  package var profile: String?
  package var url: String?
  package var edition: Edition?
  /// The path of the file that describes the API, in place of an edition.
  package var description: String?
  package var format: OutputFormat?
  package var language: String?
  /// The form of messages; decided before the session is created.
  package var messageFormat: MessageFormat?
  package var readOnly = false
  package var noColor = false
  package var ascii = false
  package var keepGoing = false
  /// The key that names the intent of the scripts: `--once`.
  package var onceKey: String?
  /// The option `--insecure-http`.
  package var allowsPlainHTTP = false

  package init() {}
}

/// A journal that is opened when it is first needed.
package final class LazilyOpenedJournal: Sendable {
  private let opened = Mutex<Journal?>(nil)

  package init() {}

  /// Returns the journal, after calling `open` the first time.
  ///
  /// - Parameter open: Opens the journal.
  /// - Returns: The journal.
  /// - Throws: The error of `open`, which is tried again the next time.
  package func journal(_ open: () throws -> Journal) throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      let journal = try open()
      opened = journal
      return journal
    }
  }
}

/// The initial login of the embedded market.
///
/// The executable, which knows the server, passes it.
package struct DemoLogin: Hashable, Sendable {
  package var credentials: Credentials
  package var origins: CredentialOrigins

  package init(identifier: String, secret: String, vendorID: Int) {
    credentials = Credentials(identifier: identifier, secret: Secret(secret), vendorID: vendorID)
    origins = CredentialOrigins()
    origins.identifier = .default
    origins.secret = .default
    origins.vendorID = .default
  }
}

/// A vendor of the embedded market, whose secret is no secret to the user: the market is inside the program.
package struct EmbeddedVendor: Hashable, Sendable {
  package let number: Int
  package let name: String
  package let credentials: Credentials

  package init(number: Int, name: String, identifier: String, secret: String) {
    self.number = number
    self.name = name
    credentials = Credentials(identifier: identifier, secret: Secret(password: secret), vendorID: number)
  }
}

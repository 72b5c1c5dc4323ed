import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Text

/// The program of a profile that prints the vendor's secret, such as `pass show shop`.
///
/// It is started without a shell when a command first needs the secret. What it prints is stored nowhere, and only its
/// first line is used, because password managers print notes below it. Its standard error is shown as it comes.
package struct SecretCommand: Hashable, Sendable {
  /// The time after which a program that hangs is terminated.
  package static let timeout = Duration.seconds(60)
  /// The maximum number of bytes that are read.
  private static let maximumBytes = 1 << 14

  package let words: [String]

  /// Splits the command into words as a shell does.
  ///
  /// - Throws: `ParseError` for what only a shell can do.
  package init(_ text: String) throws(ParseError) {
    let tokens: ShellTokenizer
    do {
      tokens = try ShellTokenizer(text)
    } catch {
      throw SecretCommand.needsShell(text)
    }
    guard !tokens.words.isEmpty, tokens.pipe == nil, tokens.file == nil,
      !tokens.words.contains(where: { ShellTokenizer.holdsVariable($0) })
    else { throw SecretCommand.needsShell(text) }
    words = tokens.words
  }

  private static func needsShell(_ text: String) -> ParseError {
    ParseError(
      LocalizedText(
        "secret_command runs one program without a shell: \(.value(text)).",
        ko: "secret_command는 셸 없이 프로그램 하나를 실행합니다: \(.value(text))."),
      suggestion: LocalizedText(
        "Use words only, or \(.command("secret_command=\"sh -c '…'\"")).",
        ko: "단어만 적거나 \(.command("secret_command=\"sh -c '…'\""), .object) 쓰세요."))
  }

  /// Runs the program.
  ///
  /// - Throws: `CommandError` with exit status 4 if it fails, hangs, or prints no secret; `CancellationError`.
  func secret(_ scope: CommandScope) async throws -> Secret {
    let program = Subprocess(
      words, environment: scope.context.program.environment, scope.context.program.interruption.shutdown)
    let (ending, output, isTerminated) = await program.captureInMemory(
      maximumBytes: SecretCommand.maximumBytes, timeout: scope.context.program.secretTimeout)
    if Task.isCancelled || scope.context.program.interruption.isRequested || ending == .signal(SIGINT) {
      throw CancellationError()
    }
    let seconds = scope.context.program.secretTimeout.components.seconds
    if isTerminated {
      throw failure(
        LocalizedText("It did not end within \(seconds) s.", ko: "\(seconds)초 안에 끝나지 않았습니다."))
    }
    switch ending {
    case .exit(0): break
    case .exit(let code):
      throw failure(LocalizedText("It ended with exit code \(code).", ko: "종료 코드 \(code, .toward) 끝났습니다."))
    case .signal(let number):
      throw failure(LocalizedText("It was ended by signal \(number).", ko: "시그널 \(number, .toward) 끝났습니다."))
    case .failedToStart(let code):
      let reason = String(cString: strerror(code))
      throw failure(LocalizedText("It cannot be started: \(.foreign(reason)).", ko: "실행할 수 없습니다: \(.foreign(reason))."))
    }
    let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let text = String(validating: lines.first ?? [], as: UTF8.self)?.trimmed, !text.isEmpty else {
      throw failure(LocalizedText("It printed no secret in its first line.", ko: "첫 줄에 시크릿을 출력하지 않았습니다."))
    }
    guard let secret = Secret(password: text) else { throw CommandError.unsendableSecret }
    let rest = lines.dropFirst().count { !$0.isEmpty }
    if rest > 0 {
      scope.say(
        .note(
          "secret_command printed \(rest + 1) lines. The first one is used as the secret.",
          ko: "secret_command가 \(rest + 1)줄을 출력했습니다. 첫 줄을 시크릿으로 씁니다."))
    }
    return secret
  }

  private func failure(_ reason: LocalizedText) -> CommandError {
    let command = words.map(POSIXWord.quoted).joined(separator: " ")
    return CommandError(
      .blocked,
      .failure(
        "secret_command gave no secret. Nothing was sent.", ko: "secret_command에서 시크릿을 얻지 못했습니다. 아무것도 보내지 않았습니다."
      ).because(reason).next(
        "Run \(.command(command)) in a terminal. It must print the secret and exit with 0.",
        ko: "터미널에서 \(.command(command), .object) 실행해 보세요. 시크릿을 출력하고 0으로 끝나야 합니다."), code: .notLoggedIn)
  }
}

extension CommandScope {
  /// Asks the profile's program for the secret, unless the session has one.
  ///
  /// - Throws: The errors of `SecretCommand`.
  package mutating func resolveSecret() async throws {
    guard session.credentials.secret == nil, let command = session.server.secretCommand?.value else { return }
    session.credentials.secret = try await SecretCommand(command).secret(self)
    session.credentialOrigins.secret = .secretCommand
    context.stores.remember(session.secrets)
  }
}

extension Session {
  /// A Boolean value that indicates that the session has a secret, or a program that prints it.
  package var hasSecret: Bool { credentials.secret != nil || server.secretCommand != nil }
}

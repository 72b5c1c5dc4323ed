import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The signature beside a plan file, made and verified by `ssh-keygen -Y` (the format that Git uses for commits).
///
/// It is over the bytes of the file, in a namespace of its own, so that a signature for another purpose is none for a
/// plan. Source: ssh-keygen(1), "ALLOWED SIGNERS".
package struct PlanSignature {
  package static let namespace = "openmarket-plan"

  private let context: CommandContext

  package init(_ context: CommandContext) { self.context = context }

  /// Returns the path of the signature of a plan.
  package static func path(of plan: String) -> String { plan + ".sig" }

  /// The file of the keys whose signatures count, one line each: `kim@example.com ssh-ed25519 AAAA…`.
  package var allowedSignersFile: String { context.home.configuration + "/allowed_signers" }

  /// Returns the signature of the bytes with a private key.
  ///
  /// ssh-keygen asks at the terminal for a passphrase or for a touch of a hardware key.
  ///
  /// - Throws: `CommandError` with exit status 4 if there is no signature.
  package func sign(_ bytes: Data, key: String) async throws -> String {
    let (ending, output) = await run(
      ["-Y", "sign", "-q", "-f", key, "-n", PlanSignature.namespace], bytes, seesErrors: true)
    guard case .exit(0) = ending, output.hasPrefix("-----BEGIN SSH SIGNATURE-----") else {
      throw PlanSignature.failure("Not signed.", ko: "서명하지 못했습니다.", ending)
    }
    return output
  }

  /// Returns the name of the signer in the file of allowed signers.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the plan.
  ///   - path: The path of the plan.
  ///   - name: The name of the plan in messages.
  /// - Throws: `CommandError` with exit status 4 unless a listed key signed exactly these bytes as a plan.
  package func signer(of bytes: Data, at path: String, named name: String) async throws -> String {
    let signature = PlanSignature.path(of: path)
    guard access(signature, F_OK) == 0 else { throw PlanSignature.missing(name) }
    try checkAllowedSigners()
    let (found, output) = await run(["-Y", "find-principals", "-s", signature, "-f", allowedSignersFile], Data())
    let signers = output.split { $0 == "\n" || $0 == "," }.map(String.init)
    if case .failedToStart = found {
      throw PlanSignature.failure("Cannot verify the signature.", ko: "서명을 확인할 수 없습니다.", found)
    }
    guard case .exit(0) = found, let signer = signers.first else {
      throw PlanSignature.invalid(
        name,
        LocalizedText(
          "No key in \(.value(allowedSignersFile)) made it.", ko: "\(.value(allowedSignersFile))에 있는 키의 서명이 아닙니다."))
    }
    let arguments = [
      "-Y", "verify", "-f", allowedSignersFile, "-I", signer, "-n", PlanSignature.namespace, "-s", signature,
    ]
    guard case .exit(0) = await run(arguments, bytes).ending else {
      throw PlanSignature.invalid(
        name,
        LocalizedText(
          "It was made for other content, for another purpose, or with a key that is no longer valid.",
          ko: "다른 내용이나 다른 용도의 서명이거나, 더 이상 유효하지 않은 키의 서명입니다."))
    }
    return signer
  }

  /// - Throws: `CommandError` if the file of allowed signers is missing, or if others could change it.
  private func checkAllowedSigners() throws {
    var facts = stat()
    guard stat(allowedSignersFile, &facts) == 0 else {
      throw CommandError(
        .blocked,
        .failure(
          "There is no list of allowed signers. Nothing was sent.", ko: "서명을 허용할 사람의 목록이 없습니다. 아무것도 보내지 않았습니다."
        ).next(
          "Add a line with a name and a public key to \(.value(allowedSignersFile)).",
          ko: "\(.value(allowedSignersFile))에 이름과 공개 키를 한 줄로 추가하세요."),
        code: .needsSignature)
    }
    guard facts.st_mode & 0o022 == 0, facts.st_uid == getuid() || facts.st_uid == 0 else {
      throw CommandError(
        .blocked,
        .failure(
          "Others can change \(.value(allowedSignersFile)). Nothing was sent.",
          ko: "다른 사용자가 \(.value(allowedSignersFile)) 파일을 바꿀 수 있습니다. 아무것도 보내지 않았습니다."
        ).next(
          "Run \(.command("chmod 644 \(allowedSignersFile)"))", ko: "\(.command("chmod 644 \(allowedSignersFile)"))"),
        code: .needsSignature)
    }
  }

  private func run(
    _ arguments: [String], _ input: Data, seesErrors: Bool = false
  ) async -> (ending: Subprocess.Ending, output: String) {
    await Subprocess(
      ["ssh-keygen"] + arguments, environment: context.environment, context.interruption.shutdown
    ).capture(input: [UInt8](input), seesErrors: seesErrors)
  }

  private static func failure(
    _ english: StyledText, ko korean: StyledText, _ ending: Subprocess.Ending
  ) -> CommandError {
    let message = Message.failure(english, ko: korean)
    guard case .failedToStart(let code) = ending else {
      return CommandError(
        .blocked, message.because("ssh-keygen failed.", ko: "ssh-keygen이 실패했습니다."), code: .needsSignature)
    }
    return CommandError(
      .blocked,
      message.because(CommandError.reason(code)).next(
        "Install ssh-keygen (the package openssh-client).", ko: "ssh-keygen(openssh-client 패키지)을 설치하세요."),
      code: .needsSignature)
  }

  private static func missing(_ name: String) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "\(.value(name)) is not signed. Nothing was sent.", ko: "\(.value(name)) 계획에 서명이 없습니다. 아무것도 보내지 않았습니다."
      ).because(
        "The profile is set to \(.command("apply=signed")).", ko: "프로필이 \(.command("apply=signed"))입니다."
      ).next(
        "Run \(.command("approve \(name)")) to review and sign it.",
        ko: "검토하고 서명하려면 \(.command("approve \(name)"), .object) 실행하세요."),
      code: .needsSignature)
  }

  private static func invalid(_ name: String, _ reason: LocalizedText) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "The signature of \(.value(name)) is not valid. Nothing was sent.",
        ko: "\(.value(name))의 서명이 유효하지 않습니다. 아무것도 보내지 않았습니다."
      ).because(reason), code: .needsSignature)
  }
}

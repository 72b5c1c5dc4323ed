import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The signatures next to a plan file, made and verified by `ssh-keygen -Y` (the format that Git uses for commits).
///
/// It is over the bytes of the file, in a namespace of its own, so that a signature for another purpose is none for a
/// plan. Source: ssh-keygen(1), "ALLOWED SIGNERS".
package struct PlanSignature {
  /// A person whose listed key signed a plan.
  package struct Signer: Hashable, Sendable {
    /// The names of the key in the list, which may be patterns, such as `*@example.com`.
    package let names: [String]
    /// The public key.
    package let key: Data

    /// The first name.
    package var name: String { names[0] }

    /// Returns whether the list says that this is another person: another key, and names that have nothing in common.
    ///
    /// A pattern is the name of no one person.
    package func isOtherPerson(than other: Signer) -> Bool {
      let (mine, theirs) = (names.map { $0.lowercased() }, other.names.map { $0.lowercased() })
      let isPattern = (mine + theirs).contains { $0.utf8.contains { "*?!".utf8.contains($0) } }
      return key != other.key && !isPattern && Set(mine).isDisjoint(with: theirs)
    }
  }

  package static let namespace = "openmarket-plan"
  /// The first line of a signature.
  package static let head = "-----BEGIN SSH SIGNATURE-----"
  private static let maximumBytes = 1 << 16

  private let program: RunningProgram
  private let home: AppDirectories

  package init(_ program: RunningProgram, home: AppDirectories) { (self.program, self.home) = (program, home) }

  /// Returns the path of the signature of a plan.
  package static func path(of plan: String) -> String { plan + ".sig" }

  /// Returns the path of the signature of a second person.
  package static func secondPath(of plan: String) -> String { plan + ".sig2" }

  /// Returns the paths of both signatures of a plan.
  package static func paths(of plan: String) -> [String] { [path(of: plan), secondPath(of: plan)] }

  /// The file of the keys whose signatures count, one line each: `kim@example.com ssh-ed25519 AAAA…`.
  package var allowedSignersFile: String { home.configuration + "/allowed_signers" }

  /// Returns the signature of the bytes with a private key.
  ///
  /// ssh-keygen asks at the terminal for a passphrase or for a touch of a hardware key.
  ///
  /// - Throws: `CommandError` with exit status 4 if there is no signature.
  package func sign(_ bytes: Data, key: String) async throws -> String {
    let (ending, output) = await run(
      ["-Y", "sign", "-q", "-f", key, "-n", PlanSignature.namespace], bytes, seesErrors: true)
    guard case .exit(0) = ending, output.hasPrefix(PlanSignature.head) else {
      throw PlanSignature.failure("Not signed.", ko: "서명하지 못했습니다.", ending)
    }
    return output
  }

  /// Returns the public key that made a signature, or `nil` for text that is no signature.
  ///
  /// Source: PROTOCOL.sshsig of OpenSSH: `SSHSIG`, a version and the public key, each with its length.
  package static func key(in signature: String) -> Data? {
    let lines = signature.split(whereSeparator: \.isNewline)
    guard lines.first == head[...], let end = lines.firstIndex(where: { $0.hasPrefix("-----END") }),
      let blob = Data(base64Encoded: lines[1..<end].joined())
    else { return nil }
    let (magic, lengths) = ("SSHSIG".utf8, 4)
    let start = magic.count + lengths
    guard blob.starts(with: magic), blob.count >= start + lengths else { return nil }
    let count = blob[start..<(start + lengths)].reduce(0) { $0 << 8 | Int($1) }
    let key = blob.dropFirst(start + lengths).prefix(count)
    return key.count == count ? Data(key) : nil
  }

  /// Returns the key that made the signature at a path, if it signed these bytes as a plan, listed or not.
  package func key(of bytes: Data, at path: String) async -> Data? {
    await withCopy(of: path) { signature, text in
      let arguments = ["-Y", "check-novalidate", "-n", PlanSignature.namespace, "-s", signature]
      guard case .exit(0) = await run(arguments, bytes).ending else { return nil }
      return PlanSignature.key(in: text)
    } ?? nil
  }

  /// Calls a closure with the path and the text of a private copy of a signature, so that what is verified is what is
  /// compared.
  ///
  /// Returns `nil` for a file that can't be read or is too large.
  private func withCopy<Value>(of path: String, _ body: (_ path: String, _ text: String) async throws -> Value)
    async rethrows -> Value?
  {
    let copy = home.cache + "/signature-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    guard let text = (try? Files.text(path, limit: PlanSignature.maximumBytes)) ?? nil,
      (try? Files.createDirectory(home.cache)) != nil,
      (try? Files.write(Data(text.utf8), to: copy, mode: 0o600)) != nil
    else { return nil }
    defer { unlink(copy) }
    return try await body(copy, text)
  }

  /// Returns the signer as the file of allowed signers names it.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the plan.
  ///   - path: The path of the signature.
  ///   - name: The name of the plan in messages.
  /// - Throws: `CommandError` with exit status 4 unless a listed key signed exactly these bytes as a plan.
  package func signer(of bytes: Data, at path: String, named name: String) async throws -> Signer {
    guard access(path, F_OK) == 0 else { throw PlanSignature.missing(name) }
    try checkAllowedSigners()
    let signer = try await withCopy(of: path) { signature, text in
      try await verify(bytes, signature, key: PlanSignature.key(in: text), named: name)
    }
    guard let signer else { throw PlanSignature.unreadable(name) }
    return signer
  }

  private func verify(_ bytes: Data, _ signature: String, key: Data?, named name: String) async throws -> Signer {
    guard let key else { throw PlanSignature.unreadable(name) }
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
    return Signer(names: signers, key: key)
  }

  private static func unreadable(_ name: String) -> CommandError {
    invalid(name, LocalizedText("Its file is not a signature of ssh-keygen.", ko: "ssh-keygen의 서명 파일이 아닙니다."))
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
      ["ssh-keygen"] + arguments, environment: program.environment, program.interruption.shutdown
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

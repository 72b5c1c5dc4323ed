import Catalog
import Engine
import Failures
import Foundation
import Interchange
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `record FILE`: from here on the exchanges of this session also into a file, without secrets, for `--replay FILE`.
package struct Record: Command {
  package static let declaration = Declaration(
    "record", group: .api,
    summary: LocalizedText("record requests and responses to a file", ko: "요청과 응답을 파일로 녹화"),
    traits: [.leftOutOfScripts],
    parameters: [
      Parameter(
        "FILE", .positional(required: false), .file,
        LocalizedText("file to create (default: show the current recording)", ko: "새로 기록할 파일; 없으면 현재 상태 표시")),
      Parameter("stop", .flag, .none, LocalizedText("stop recording", ko: "기록 중지")),
      .replacing,
    ],
    examples: [
      .init("record session.jsonl", "starts recording", ko: "지금부터"),
      .init(
        "record stop", "stops; replay it with openmarket --replay session.jsonl",
        ko: "이후 openmarket --replay session.jsonl로 재생"),
    ])

  private let file: String?
  private let stops: Bool
  private let replaces: Bool

  package init(_ invocation: Invocation) {
    file = invocation.text("FILE")
    stops = invocation.has("stop")
    replaces = invocation.has("replace")
  }

  /// - Throws: `Failure` where nothing is recorded, during a replay, and for a file that stays as it is; `FileError`.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    if stops { return try stop(context) }
    guard let file else { return .message(Record.state(context.recorder)) }
    let target = UserFile(file, context)
    try await target.admit(replacing: replaces, session)
    if !replaces { try await admitOverwriting(target.path, session, context) }
    // The market is asked for its edition before the tape runs: a replay is told it by the first line.
    let base = try await context.address(of: session)
    if session.server.edition == nil { _ = try? await context.market(&session) }
    try context.recorder.start(
      target.path,
      head: Recording.head(
        base: base, isEmbedded: session.server.isEmbedded, edition: session.server.edition?.value,
        vendorID: session.credentials.vendorID, now: context.now()))
    target.remember(grows: true)
    return .message(
      .success("Recording to \(.value(file)).", ko: "\(.value(file))에 기록합니다.")
        .next("Run \(.command("record stop")) to stop.", ko: "\(.command("record stop"))으로 마칩니다."))
  }

  /// A recording cannot be made again, so one of this shell's own is not overwritten without a word either.
  private func admitOverwriting(_ path: String, _ session: Session, _ context: Context) async throws {
    guard WrittenFiles(context.home).standing(of: path) == .ours, let handle = FileHandle(forReadingAtPath: path)
    else { return }
    defer { try? handle.close() }
    // The head stands on the first line.
    let lines = (try? handle.read(upToCount: 1 << 16))?.count { $0 == UInt8(ascii: "\n") } ?? 0
    guard lines > 1 else { return }
    let reason = Message.failure(
      "\(.value(path)) holds an earlier recording.", ko: "\(.value(path))에 이전 기록이 있습니다.")
    guard context.asker != nil else {
      throw Failure(
        .heldBack,
        reason.next(
          "Add \(.command("replace")) to the command to overwrite it.", ko: "명령에 \(.command("replace"))를 붙이면 덮어씁니다."))
    }
    let question = LocalizedText(
      "\(.value(path)) holds an earlier recording. Overwrite it? [y/N] ",
      ko: "\(.value(path))에 이전 기록이 있습니다. 덮어쓸까요? [y/N] ")
    guard await context.isConfirmed(question, session) else {
      throw Failure(.heldBack, .note("Left as it is; nothing is recorded.", ko: "그대로 두었고 기록하지 않습니다."))
    }
  }

  private func stop(_ context: Context) throws -> Report {
    guard let state = context.recorder.state else {
      throw Failure(.misread, .failure("Not recording.", ko: "기록하고 있지 않습니다."))
    }
    context.recorder.stop()
    UserFile(state.path, context).remember()
    return .message(
      .success(
        "Saved \(state.count) \(state.count == 1 ? StyledText("exchange") : "exchanges") to \(.value(state.path)).",
        ko: "\(.value(state.path))에 요청과 응답 \(state.count)건을 기록했습니다."
      )
      .next(
        "To replay it, run \(.command("openmarket --replay \(state.path)"))",
        ko: "\(.command("openmarket --replay \(state.path)"), .toward) 재생할 수 있습니다."))
  }

  private static func state(_ recorder: Recorder) -> Message {
    guard let state = recorder.state else {
      return .note("Not recording.", ko: "기록하고 있지 않습니다.")
        .next("Run \(.command("record FILE")) to start.", ko: "\(.command("record 파일"))로 시작합니다.")
    }
    return .note(
      "Recording to \(.value(state.path)): \(state.count) exchanges so far.",
      ko: "\(.value(state.path))에 기록하고 있습니다. 지금까지 \(state.count)건.")
  }
}

import EmbeddedMarket
import LineEditing
import Platform
import Presentation
import ShellRuntime
import Text

/// The keys at the terminal of `serve --lesson`.
struct TeacherKeys {
  private enum Action: CaseIterable {
    case beginning, checkpoint, save, pause, quit, help

    /// The key, and the character on the same key in the Korean layout.
    var keys: [Character] {
      switch self {
      case .beginning: ["r", "ㄱ"]
      case .checkpoint: ["b", "ㅠ"]
      case .save: ["s", "ㄴ"]
      case .pause: ["p", "ㅔ"]
      case .quit: ["q", "ㅂ"]
      case .help: ["?", "h", "ㅗ"]
      }
    }
  }

  private let market: EmbeddedMarket
  private let say: (Message) -> Void
  private let ask: (LocalizedText) -> Void

  /// - Parameters:
  ///   - market: The running market.
  ///   - say: Shows a message.
  ///   - ask: Shows a question without a new line after it.
  init(_ market: EmbeddedMarket, say: @escaping (Message) -> Void, ask: @escaping (LocalizedText) -> Void) {
    (self.market, self.say, self.ask) = (market, say, ask)
  }

  static let summary = Message.note(
    "Keys: r begins again, s saves a checkpoint, b goes back to it, p pauses, q ends, ? shows this.",
    ko: "키: r 처음부터, s 저장 지점 만들기, b 저장 지점으로, p 일시 정지, q 종료, ? 도움말.")

  /// Handles the keys until q is pressed and confirmed, or the input ends; returns whether it was q.
  func run(_ keys: AsyncStream<Character>) async -> Bool {
    var isPaused = false
    var asked: Action?
    for await key in keys {
      if let action = asked {
        asked = nil
        ask(LocalizedText(same: "\(key.isNewline ? "" : String(key))\n"))
        guard ConfirmationPrompt.isYes(String(key)) else {
          say(
            action == .quit
              ? .note("The lesson goes on.", ko: "수업을 계속합니다.")
              : .note("Nothing was changed.", ko: "아무것도 바꾸지 않았습니다."))
          continue
        }
        if action == .quit { return true }
        await goBack(action == .beginning)
        continue
      }
      switch Action.allCases.first(where: { $0.keys.contains(Character(key.lowercased())) }) {
      case .beginning:
        asked = .beginning
        ask(
          LocalizedText(
            "Go back to the beginning, and delete what was changed since? [y/N] ",
            ko: "처음으로 돌아가고 그 뒤의 변경을 모두 삭제할까요? [y/N] "))
      case .checkpoint:
        asked = .checkpoint
        ask(
          LocalizedText(
            "Go back to the checkpoint, and delete what was changed since? [y/N] ",
            ko: "저장 지점으로 돌아가고 그 뒤의 변경을 모두 삭제할까요? [y/N] "))
      case .save: await save()
      case .pause:
        isPaused.toggle()
        await market.setPaused(isPaused)
        say(
          isPaused
            ? .note("Paused: requests wait until p is pressed again.", ko: "일시 정지했습니다. p를 다시 누를 때까지 요청이 기다립니다.")
            : .note("Resumed.", ko: "다시 시작했습니다."))
      case .quit:
        asked = .quit
        ask(LocalizedText("End the lesson? [y/N] ", ko: "수업을 끝낼까요? [y/N] "))
      case .help: say(TeacherKeys.summary)
      case nil: continue
      }
    }
    return false
  }

  private func save() async {
    do {
      let count = NumberFormatting.grouped(try await market.saveCheckpoint())
      say(.note("Saved a checkpoint with \(count) products.", ko: "상품 \(count)개의 저장 지점을 만들었습니다."))
    } catch {
      say(TeacherKeys.failure(error))
    }
  }

  private func goBack(_ isToBeginning: Bool) async {
    do {
      let count = NumberFormatting.grouped(
        isToBeginning ? try await market.returnToBeginning() : try await market.returnToCheckpoint())
      say(
        isToBeginning
          ? .note("Back at the beginning with \(count) products.", ko: "처음으로 돌아왔습니다. 상품 \(count)개.")
          : .note("Back at the checkpoint with \(count) products.", ko: "저장 지점으로 돌아왔습니다. 상품 \(count)개."))
    } catch {
      say(TeacherKeys.failure(error))
    }
  }

  private static func failure(_ error: any Error) -> Message {
    guard let error = error as? MarketStateError, let reason = error.reason else {
      return .note("There is no checkpoint.", ko: "저장 지점이 없습니다.").next(
        "Press s to save one.", ko: "s를 누르면 만듭니다.")
    }
    return .failure("The market was not changed.", ko: "마켓을 바꾸지 못했습니다.").because(
      "\(.foreign(reason))", ko: "\(.foreign(reason))")
  }
}

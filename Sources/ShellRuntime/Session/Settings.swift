import Catalog
import CommandLanguage
import Presentation
import Text

/// The settings of this session, changed by `set` and `format`.
package struct Settings: Hashable, Sendable {
  /// The key bindings of the prompt.
  package enum EditingMode: String, Hashable, Sendable, CaseIterable { case emacs, vi }

  /// The output about a written product on a terminal: one line, or the card.
  package enum AfterWrite: String, Hashable, Sendable, CaseIterable { case brief, full }

  /// The page size, or `nil` for the number of rows that fit on the screen, or a default without one.
  package var pageSize: Int?
  package static let defaultPageSize = 20
  package var format: OutputFormat = .table
  package var afterWrite: AfterWrite = .brief
  package var limits: LimitPolicy = .documented
  package var colors = true
  package var suggestions = true
  package var tips = true
  package var pager = true
  package var pictures = true
  package var calls = true
  package var treatsAmbiguousAsWide = false
  package var ascii = false
  package var keys: EditingMode = .emacs
  package var language: MessageLanguage = .english
  /// The form of messages, which `--errors` or an agent's variable chooses at the start.
  package var messageFormat: MessageFormat = .text

  package init() {}
}

/// A setting, by the name users type: how it is parsed, shown and changed.
package struct Setting: Sendable {
  package let name: String
  package let summary: LocalizedText
  package let kind: ValueKind
  /// A word that is accepted in addition to the values of the setting's kind.
  package var extraValue: String?
  package let get: @Sendable (Session) -> String
  /// Sets the value, or returns false if the text is invalid.
  package let set: @Sendable (inout Session, String) -> Bool

  private static func toggle(
    _ name: String, _ summary: LocalizedText, path: any WritableKeyPath<Session, Bool> & Sendable
  ) -> Setting {
    Setting(name: name, summary: summary, kind: .choice(["on", "off"])) {
      $0[keyPath: path] ? "on" : "off"
    } set: { session, text in
      guard text == "on" || text == "off" else { return false }
      session[keyPath: path] = text == "on"
      return true
    }
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ summary: LocalizedText, path: any WritableKeyPath<Session, Value> & Sendable
  ) -> Setting {
    Setting(name: name, summary: summary, kind: .choice(Value.allCases.map(\.rawValue))) {
      $0[keyPath: path].rawValue
    } set: { session, text in
      guard let value = Value(rawValue: text) else { return false }
      session[keyPath: path] = value
      return true
    }
  }

  /// The setting that belongs to the profile and isn't stored by `set`.
  package static let confirmName = "confirm"

  package static let all: [Setting] = [
    Setting(
      name: "page-size",
      summary: LocalizedText(
        "products per page; auto fits the screen (without a terminal: \(Settings.defaultPageSize))",
        ko: "페이지당 상품 수; auto는 화면에 맞추고, 화면이 없으면 \(Settings.defaultPageSize)개"),
      kind: .number(DocumentedLimits.pageSize), extraValue: "auto",
      get: { $0.settings.pageSize.map { String($0) } ?? "auto" }
    ) { session, text in
      if text == "auto" {
        session.settings.pageSize = nil
        return true
      }
      guard let size = Int(text), DocumentedLimits.pageSize.contains(size) else { return false }
      session.settings.pageSize = size
      return true
    },
    Setting(
      name: Setting.confirmName, summary: LocalizedText("when a change asks for confirmation", ko: "변경 전 확인"),
      kind: .choice(ConfirmationPolicy.allCases.map(\.rawValue)), get: { $0.server.confirm.value.rawValue }
    ) { session, text in
      guard let confirm = ConfirmationPolicy(rawValue: text) else { return false }
      session.server.confirm = Sourced(confirm, .option)
      return true
    },
    choice(
      "after-write", LocalizedText("what to show after a change", ko: "변경한 뒤 터미널에 보일 내용"),
      path: \.settings.afterWrite),
    choice(
      "limits", LocalizedText("which limits to check before sending", ko: "문서의 한도를 확인하는 곳"), path: \.settings.limits),
    toggle("colors", LocalizedText("colors in the terminal", ko: "터미널의 색"), path: \.settings.colors),
    toggle(
      "suggestions", LocalizedText("suggestions from history as you type", ko: "입력 기록에서 제안"),
      path: \.settings.suggestions),
    toggle("tips", LocalizedText("show tips", ko: "가끔 팁 표시"), path: \.settings.tips),
    toggle("pager", LocalizedText("use a pager for long output", ko: "긴 출력은 페이저로"), path: \.settings.pager),
    toggle("pictures", LocalizedText("images in show and grid", ko: "show와 grid의 사진"), path: \.settings.pictures),
    toggle(
      "calls", LocalizedText("save every call for the calls command", ko: "모든 호출을 calls에 저장"), path: \.settings.calls),
    toggle(
      "ambiguous-wide", LocalizedText("treat ambiguous characters as two cells wide", ko: "너비가 모호한 글자를 두 칸으로 표시"),
      path: \.settings.treatsAmbiguousAsWide),
    choice("keys", LocalizedText("key bindings", ko: "편집 키"), path: \.settings.keys),
    choice("lang", LocalizedText("language of messages", ko: "메시지 언어"), path: \.settings.language),
  ]

  package static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// The permission of a session to write.
package enum AccessMode: String, Hashable, Sendable, CaseIterable {
  case readWrite = "rw"
  case readOnly = "ro"
}

/// The approval that a profile asks for before a plan file is applied.
package enum ApplyPolicy: String, Hashable, Sendable, CaseIterable {
  /// The confirmation of every change.
  case anyone
  /// A plan that an agent made is confirmed at a terminal, where the number of products is typed.
  case person
  /// Changes are made by `apply` alone, of plans with a valid signature.
  case signed
}

/// The profile's setting for recording exchanges.
package enum CallRecording: String, Hashable, Sendable, CaseIterable {
  case on
  case off
}

/// The profile's setting for confirmations.
package enum ConfirmationPolicy: String, Hashable, Sendable, CaseIterable {
  case always
  /// Deletes, and changes of more than one product.
  case bulk
  case never
}

/// The decision about sending secrets over plain `http` to another machine.
package enum PlainHTTP: String, Hashable, Sendable, CaseIterable {
  case ask
  case allow
}

/// The rule that a signed plan needs the signatures of two persons.
package enum TwoPersonRule: String, Hashable, Sendable, CaseIterable {
  case on
  case off
}

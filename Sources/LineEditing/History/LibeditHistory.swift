import CEditLine

/// The history libedit has for its own commands, those that a line of `.editrc` may bind.
struct LibeditHistory {
  private let editLine: OpaquePointer
  private let ring = history_winit()!
  private let none = history_winit()!

  init(_ editLine: OpaquePointer, _ entries: [String]) {
    self.editLine = editLine
    edit_history_size(ring, Int32(History.limit))
    for entry in entries { add(entry) }
    show(true)
  }

  func add(_ line: String) { _ = line.withWide { edit_history_enter(ring, $0) } }

  /// A form field has none.
  func show(_ isShown: Bool) { edit_set_history(editLine, isShown ? ring : none) }

  /// For after libedit has ended.
  func close() {
    history_wend(ring)
    history_wend(none)
  }
}

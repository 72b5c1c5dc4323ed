import Text

/// Options with a heading.
struct OptionGroup: Sendable {
  var title: LocalizedText
  var rows: [HelpEntry]

  init(_ english: StyledText, ko korean: StyledText, _ rows: [HelpEntry]) {
    title = LocalizedText(english, ko: korean)
    self.rows = rows
  }
}

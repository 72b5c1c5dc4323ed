/// The strictness with which a command is parsed.
enum ParsingMode {
  /// The command is run next: every variable must have a value.
  case run
  /// The command is checked before it is run: variables may have no value yet.
  case check
  /// The command is still being typed: errors are skipped, and the structure of the line is recorded.
  case outline
}

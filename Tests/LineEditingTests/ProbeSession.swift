import TerminalTesting

/// Starts the probe on a terminal and waits for its first prompt.
func probe(
  _ arguments: [String] = [], environment: [String: String?] = [:], columns: Int = 40, rows: Int = 12,
  prompt: String = ">"
) throws -> TerminalProgram {
  let program = try TerminalProgram(
    builtProgram("EditorProbe"), arguments, environment: environment, columns: columns, rows: rows)
  try program.expect(prompt)
  return program
}

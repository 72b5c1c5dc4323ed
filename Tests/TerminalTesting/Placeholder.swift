// TerminalTesting

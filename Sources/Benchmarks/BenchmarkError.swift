enum BenchmarkError: Error {
  case noTerminal
  case cannotStart(String)
  case failed(String)
}

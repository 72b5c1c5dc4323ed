extension String {
  /// Its lines without their ends, LF or CRLF. Swift takes CRLF for one character, so that `split` does not see it.
  package var rows: [String] {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.last == "\r" ? $0.dropLast() : $0)
    }
  }
}

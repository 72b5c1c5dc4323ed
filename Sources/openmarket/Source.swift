/// Where lines come from when nobody types them.
enum Source: Hashable {
  /// `-c`
  case line(String)
  /// `-f`; `-` is standard input.
  case file(String)
}

/// The pending writes that are resolved before a command decides which work remains.
struct SettleScope {
  var source: String?
  var line: String?
  var hasUndos = false
}

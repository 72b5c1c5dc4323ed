import Foundation

/// Numbers in the format of the service: at most two decimals, integers without any.
enum SampleNumber {
  static func text(_ number: Double, decimals: Int = 2) -> String {
    var text = String(format: "%.\(decimals)f", number)
    while text.contains("."), text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  static func rounded(_ number: Double) -> Int { Int(exactly: number.rounded()) ?? 0 }
}

import Catalog
import Text

/// A time in the time zone of this machine: `2022-12-01 00:00 KST`.
package struct LocalTime: CustomStringConvertible {
  package let description: String

  package init(_ moment: Timestamp) {
    let zone = LocalTimeZone(at: moment.seconds)
    let local = Timestamp(seconds: moment.seconds + (zone?.secondsFromGMT ?? 0), isUTC: false)
    description = local.displayDescription.prefix(16) + " " + (zone?.name ?? "UTC")
  }
}
